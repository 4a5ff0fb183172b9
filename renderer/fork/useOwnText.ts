import type { MessageDetail } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

const LIMIT = 1_000_000;
const NOTHING = { isUsers: false, text: '' };

/** What a user's message says, to be edited; nothing for any other message, or if it cannot be read: the field stays empty. */
export function useOwnText(index: number | null): { readonly isUsers: boolean; readonly text: string } {
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const isAsked = index !== null && projectionId !== null;
  const { value } = useAnswer('projection.detail', isAsked ? { projectionId, index, limit: LIMIT } : null, {
    about: index === null ? null : String(index),
  });
  return value === null ? NOTHING : ownText(value);
}

function ownText({ role, parts }: MessageDetail): { readonly isUsers: boolean; readonly text: string } {
  const texts = parts.filter(({ kind }) => kind === 'text').map(({ text }) => text);
  const isUsers = role === 'user' && texts.length > 0;
  return isUsers ? { isUsers, text: texts.join('\n\n') } : NOTHING;
}
