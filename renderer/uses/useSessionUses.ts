import type { SessionUses } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

/** Whoever moves a slider, or has just opened a session, is not waiting for uses. Unit: ms. */
export const USES_REST_MS = 2500;

/** All uses of the session under the policy on screen, in figures; null until they are known. */
export function useSessionUses(): SessionUses | null {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isAsked = id !== null && spec !== null;
  const { value } = useAnswer('uses.session', isAsked ? { id, spec } : null, {
    wait: USES_REST_MS,
    about: isAsked ? id : null,
    again: [messages],
  });
  return value;
}
