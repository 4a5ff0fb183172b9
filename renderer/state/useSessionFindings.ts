import type { SessionFindings } from '../../core/protocol/types.ts';
import { useAppState } from './context.tsx';
import { useAnswer } from './useAnswer.ts';
import { useProjectedSpec } from './useProjectedSpec.ts';

/** Whoever moves a slider, or has just opened a session, is not waiting for this. */
const WAIT_MS = 3000;

/** What was found in the session under the policy on screen; null until it is known. */
export function useSessionFindings(): SessionFindings | null {
  const id = useAppState((state) => state.session.id);
  const spec = useProjectedSpec();
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const isAsked = id !== null && spec !== null && isFinal;
  const { value } = useAnswer('findings.session', isAsked ? { id, spec } : null, {
    wait: WAIT_MS,
    about: isAsked ? id : null,
    again: [messages],
  });
  return value;
}
