import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { Trace } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

export interface TraceState {
  readonly trace: Trace | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const WAIT_MS = 120;
const CELLS = 240;

/** Visibility of a message or part over all call points; asked for once policy and call point have rested. */
export function useTrace(index: number | null, part: number | null): TraceState {
  const id = useAppState((state) => state.session.id);
  // The spec the engine projected, so that the strip never runs ahead of the panes.
  const spec = useProjectedSpec();
  const at = useAppState((state) => state.projection.at);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isAsked = id !== null && spec !== null && index !== null;
  const { value, isLoading, error } = useAnswer(
    'trace.message',
    isAsked ? { id, spec, index, part, at, samples: CELLS } : null,
    // Another projection, or a transcript that grew, may answer otherwise.
    { wait: WAIT_MS, about: isAsked ? `${id} ${index} ${part}` : null, again: [spec, messages] },
  );
  return { trace: value, isLoading, error };
}
