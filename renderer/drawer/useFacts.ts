import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

/** What the open transcript records of itself as a whole; null = not read yet. */
export function useFacts() {
  const id = useAppState((state) => state.session.id);
  // Events that came may say more.
  const events = useAppState((state) => state.session.info?.events ?? 0);
  const { value, error } = useAnswer('transcript.facts', id === null ? null : { id }, { about: id, again: [events] });
  return { facts: value, error: error?.message ?? null };
}
