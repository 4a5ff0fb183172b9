import { useEffect, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

export interface PresetFigures {
  /** null = none yet. Those of the call point before stay until the new ones are here. */
  readonly figures: readonly PresetFigure[] | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const WAIT_MS = 120;
const NONE: PresetFigures = { figures: null, isLoading: true, error: null };

/**
 * This call point under each preset; asked for once the call point has rested. `firstOver`: also where each ceases to fit,
 * which takes longer, and comes after the rest.
 */
export function usePresetFigures({ firstOver = false } = {}): PresetFigures {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const counted = useAppState((state) => state.session.info?.counted ?? 0);
  const tokenizer = useAppState((state) => state.projection.tokenizer);
  const window = useAppState((state) => state.projection.window);
  const overhead = useAppState((state) => state.projection.spec.budget?.overhead ?? 0);
  const recorded = useAppState(({ projection: { info } }) => info && info.beside.system + info.beside.tools);
  const [shown, setShown] = useState<PresetFigures & { readonly id: string | null }>({ ...NONE, id: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when more was counted
  useEffect(() => {
    if (id === null || at === null) return;
    let isWanted = true;
    setShown((old) => (old.id === id ? { ...old, isLoading: true } : { ...NONE, id }));
    const timer = setTimeout(() => {
      const fail = (thrown: unknown) =>
        isWanted && setShown((old) => ({ ...old, isLoading: false, error: toProtocolError(thrown) }));
      engine.call('budget.presets', { id, at, tokenizer, window, overhead }).then(({ figures }) => {
        if (isWanted)
          setShown((old) => ({ id, figures: withKnown(figures, old.figures), isLoading: firstOver, error: null }));
        if (!isWanted || !firstOver) return;
        engine
          .call('budget.presets', { id, at, tokenizer, window, overhead, firstOver })
          .then((full) => isWanted && setShown({ id, figures: full.figures, isLoading: false, error: null }), fail);
      }, fail);
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, id, at, tokenizer, window, overhead, recorded, counted, firstOver]);
  return shown.id === id ? shown : NONE;
}

/** Where a preset ceases to fit is the same at every call point: what is known of it stays until it is known anew. */
function withKnown(figures: readonly PresetFigure[], known: readonly PresetFigure[] | null): readonly PresetFigure[] {
  return figures.map((one) => {
    const before = known?.find(({ name }) => name === one.name)?.firstOver;
    return before === undefined ? one : { ...one, firstOver: before };
  });
}
