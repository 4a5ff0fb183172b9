import { useEffect, useRef, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { TextTrace } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

export interface TextTraceState {
  readonly trace: TextTrace | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const NONE: TextTraceState = { trace: null, isLoading: false, error: null };
const WAIT_MS = 120;
/** Behind a slider the policy rests when it was still for so long: the walk is long, and takes the engine from the next change. */
const REST_MS = 400;
const CELLS = 240;

/** What became of a text over all call points; asked for once policy and call point have rested. null: nothing is asked. */
export function useTextTrace(text: string | null): TextTraceState {
  const { texts } = useApp();
  const id = useAppState((state) => state.session.id);
  // The spec the engine projected, so that the strip never runs ahead of the panes.
  const spec = useProjectedSpec();
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const [shown, setShown] = useState<TextTraceState & { readonly of: string | null }>({ ...NONE, of: null });
  const of = id === null || text === null ? null : `${id} ${text}`;
  const lastOf = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when the transcript grew
  useEffect(() => {
    if (id === null || spec === null || text === null) {
      setShown({ ...NONE, of: null });
      return;
    }
    let isWanted = true;
    const wait = lastOf.current === of ? REST_MS : WAIT_MS;
    lastOf.current = of;
    setShown((old) =>
      old.of === of ? { ...old, isLoading: true } : { of, trace: null, isLoading: true, error: null },
    );
    const timer = setTimeout(() => {
      texts.ask('why', { id, spec, text, at, samples: CELLS }).then(
        (trace) => isWanted && setShown({ of, trace, isLoading: false, error: null }),
        (thrown: unknown) => {
          const error = toProtocolError(thrown);
          if (isWanted && error.code !== 'request.superseded') setShown({ of, trace: null, isLoading: false, error });
        },
      );
    }, wait);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [texts, id, spec, at, text, of, messages]);
  return shown.of === of ? shown : NONE;
}
