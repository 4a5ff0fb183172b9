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

/** This call point under each preset; asked for once the call point has rested. */
export function usePresetFigures(): PresetFigures {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const counted = useAppState((state) => state.session.info?.counted ?? 0);
  const tokenizer = useAppState((state) => state.projection.tokenizer);
  const [shown, setShown] = useState<PresetFigures & { readonly id: string | null }>({ ...NONE, id: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when more was counted
  useEffect(() => {
    if (id === null || at === null) return;
    let isWanted = true;
    setShown((old) => (old.id === id ? { ...old, isLoading: true } : { ...NONE, id }));
    const timer = setTimeout(() => {
      engine.call('budget.presets', { id, at, tokenizer }).then(
        ({ figures }) => isWanted && setShown({ id, figures, isLoading: false, error: null }),
        (thrown: unknown) =>
          isWanted && setShown((old) => ({ ...old, isLoading: false, error: toProtocolError(thrown) })),
      );
    }, WAIT_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [engine, id, at, tokenizer, counted]);
  return shown.id === id ? shown : NONE;
}
