import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { Trace } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

export interface TraceState {
  readonly trace: Trace | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const NONE: TraceState = { trace: null, isLoading: false, error: null };
const WAIT_MS = 120;
const CELLS = 240;

/** Visibility of a message or part over all call points; asked for once policy and call point have rested. */
export function useTrace(index: number | null, part: number | null): TraceState {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  // The spec the engine projected, so that the strip never runs ahead of the panes.
  const spec = useProjectedSpec();
  const at = useAppState((state) => state.projection.at);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [shown, setShown] = useState<TraceState & { readonly id: string | null }>({ ...NONE, id: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the transcript grew
  useEffect(() => {
    if (id === null || spec === null || index === null) {
      setShown({ ...NONE, id: null });
      return;
    }
    let isWanted = true;
    setShown((old) =>
      old.id === id && old.trace?.index === index && old.trace.part === part
        ? { ...old, isLoading: true }
        : { id, trace: null, isLoading: true, error: null },
    );
    const timer = setTimeout(() => {
      engine.call('trace.message', { id, spec, index, part, at, samples: CELLS }).then(
        (trace) => isWanted && setShown({ id, trace, isLoading: false, error: null }),
        (thrown: unknown) =>
          isWanted && setShown({ id, trace: null, isLoading: false, error: toProtocolError(thrown) }),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, id, spec, at, index, part, messages]);
  return shown;
}
