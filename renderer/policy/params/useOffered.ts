import type { ParamSchema } from '../../../core/view/types.ts';
import { useAppState } from '../../state/context.tsx';
import { useAnswer } from '../../state/useAnswer.ts';

/** Something a field offers: what is put in, and a note beside it. */
export interface Offer {
  readonly value: string;
  readonly note: string;
}

/** What a list or rules option offers: its choices, and where it says so the tools that the open transcript calls. */
export function useOffered({ choices = [], offers }: ParamSchema): readonly Offer[] {
  const tools = useTools(offers === 'tools');
  const listed = choices.map(({ value, help }) => ({ value, note: help }));
  const known = new Set(listed.map(({ value }) => value));
  return [...listed, ...tools.filter(({ value }) => !known.has(value))];
}

// Offers are a help: without them a name can still be typed, so a failure only means that none are made.
function useTools(wanted: boolean): readonly Offer[] {
  const id = useAppState((state) => state.session.id);
  const { value } = useAnswer('transcript.tools', wanted && id !== null ? { id } : null, { about: id });
  return value?.tools.map(({ name, calls }) => ({ value: name, note: `${calls.toLocaleString('en')}×` })) ?? [];
}
