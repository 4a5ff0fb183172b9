import type { MessageUses } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { type Answer, useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

const WAIT_MS = 400;

/** What later messages relied on in a message, and what it relied on itself; asked for once the projection has rested. */
export function useMessageUses(index: number): Answer<MessageUses> {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  // Tokens are others once recorded usage has made them the provider’s.
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const isAsked = id !== null && spec !== null;
  return useAnswer('uses.message', isAsked ? { id, spec, index } : null, {
    wait: WAIT_MS,
    about: isAsked ? `${id} ${index}` : null,
    again: [messages, isFinal],
  });
}
