import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { WireInfo, WireParams, WireTargetName } from '../../core/protocol/wireTypes.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
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

type Shown = Omit<WireState, 'params'>;
const NOTHING: Shown = { info: null, isLoading: true, error: null };

/** The projection on screen as a request. */
export function useWire(target: WireTargetName, model: string, strict: boolean | null): WireState {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const projected = useAppState((state) => state.projection.info);
  const spec = useProjectedSpec();
  const isAhead = useAppState((state) => state.projection.at === null);
  const [held, hold] = useState({ of: id, shown: NOTHING });
  const setShown = (change: (old: Shown) => Shown) =>
    hold((old) => ({ of: id, shown: change(old.of === id ? old.shown : NOTHING) }));
  const at = isAhead ? null : (projected?.at ?? null);
  const params: WireParams | null = id === null || spec === null ? null : { id, spec, at, target, model, strict };
  const key = params === null ? null : JSON.stringify([params, projected?.at]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all that is asked
  useEffect(() => {
    if (params === null) return;
    let isWanted = true;
    setShown((old) => ({ ...old, isLoading: true }));
    const timer = setTimeout(() => {
      engine.call('wire.export', params).then(
        (info) => isWanted && setShown(() => ({ info, isLoading: false, error: null })),
        (thrown: unknown) =>
          isWanted && setShown(() => ({ info: null, isLoading: false, error: toProtocolError(thrown) })),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  // A request of another transcript is not shown while this one's is on its way.
  return { params, ...(held.of === id ? held.shown : NOTHING) };
}
