import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { WireInfo, WireParams, WireTargetName } from '../../core/protocol/wireTypes.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

const WAIT_MS = 150;

/** The request on screen; the one before stays until the new one is here. */
export interface WireState {
  /** What is asked for; null = nothing is open. */
  readonly params: WireParams | null;
  readonly info: WireInfo | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

/** The projection on screen as a request. */
export function useWire(target: WireTargetName, model: string, strict: boolean | null): WireState {
  const id = useAppState((state) => state.session.id);
  const projected = useAppState((state) => state.projection.info?.at ?? null);
  const spec = useProjectedSpec();
  const isAhead = useAppState((state) => state.projection.at === null);
  const at = isAhead ? null : projected;
  const params: WireParams | null = id === null || spec === null ? null : { id, spec, at, target, model, strict };
  const { value, isLoading, error } = useAnswer('wire.export', params, {
    wait: WAIT_MS,
    about: id,
    again: [projected],
  });
  return { params, info: value, isLoading: params === null || isLoading, error };
}
