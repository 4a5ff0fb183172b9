import type { Why } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

const WAIT_MS = 120;
const SETTLES = { within: 200, atMost: 800 };

/**
 * What each stage said of a message; asked for once the projection has rested. Null until it is here, or if it fails: of a
 * projection that is no longer at hand the next one asks again.
 */
export function useWhy(index: number): Why | null {
  const id = useAppState((state) => state.session.id);
  const projectionId = useAppState((state) => state.projection.info?.projectionId ?? null);
  const hasStages = useAppState((state) => (state.projection.info?.reports.length ?? 0) > 1);
  const isAsked = projectionId !== null && hasStages;
  const { value } = useAnswer('projection.why', isAsked ? { projectionId, index } : null, {
    wait: WAIT_MS,
    settles: SETTLES,
    about: isAsked ? `${id} ${index}` : null,
  });
  return value;
}
