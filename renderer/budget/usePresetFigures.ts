import { useEffect, useState } from 'react';
import type { Params, ProtocolError } from '../../core/protocol/methods.ts';
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
/** A newer question of this window: its answer is the one to wait for. */
const SUPERSEDED = 'request.superseded';
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
  const overhead = useAppState((state) => state.projection.spec.budget?.overhead ?? null);
  const afterRecorded = useAppState((state) => state.ui.afterRecorded);
  const recorded = useAppState(({ projection: { info } }) => info && info.beside.system + info.beside.tools);
  const [shown, setShown] = useState<PresetFigures & { readonly id: string | null }>({ ...NONE, id: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when more was counted
  useEffect(() => {
    if (id === null || at === null) return;
    let isWanted = true;
    setShown((old) => (old.id === id ? { ...old, isLoading: true } : { ...NONE, id }));
    const question = { id, at, tokenizer, window, overhead, afterRecorded };
    const isFirst = shown.id !== id || shown.figures === null;
    const show = (change: Partial<PresetFigures>) => isWanted && setShown((old) => ({ ...old, id, ...change }));
    const fail = (thrown: unknown) => {
      const error = toProtocolError(thrown);
      if (error.code !== SUPERSEDED) show({ isLoading: false, error });
    };
    const ask = async () => {
      const { figures } = await engine.call('budget.presets', question);
      if (!isWanted) return;
      setShown((old) => ({ id, figures: withKnown(figures, old.figures), isLoading: firstOver, error: null }));
      if (!firstOver) return;
      const full = await engine.call('budget.presets', { ...question, firstOver });
      show({ figures: full.figures, isLoading: false, error: null });
    };
    const stop = engine.on('preset', (told) => {
      // Lines of this turn do not stand among those of another; where a preset ceases to fit is the same at every turn.
      const isShown = isFirst || told.figure.firstOver !== undefined;
      if (!isWanted || !isShown || !isSame(told.question, question)) return;
      setShown((old) => ({ ...old, id, figures: withLine(old.figures ?? [], told.figure) }));
    });
    const timer = setTimeout(() => void ask().catch(fail), WAIT_MS);
    return () => {
      isWanted = false;
      stop();
      clearTimeout(timer);
    };
  }, [engine, id, at, tokenizer, window, overhead, afterRecorded, recorded, counted, firstOver]);
  return shown.id === id ? shown : NONE;
}

type Question = Params<'budget.presets'>;

function isSame(a: Question, b: Question): boolean {
  return (['id', 'at', 'tokenizer', 'window', 'overhead', 'afterRecorded'] as const).every(
    (name) => a[name] === b[name],
  );
}

/** The lines with one that has just come: in the place of the one before, or behind them. */
function withLine(lines: readonly PresetFigure[], line: PresetFigure): readonly PresetFigure[] {
  const at = lines.findIndex(({ name }) => name === line.name);
  if (at < 0) return [...lines, line];
  const over = line.firstOver === undefined ? lines[at]?.firstOver : line.firstOver;
  return lines.with(at, over === undefined ? line : { ...line, firstOver: over });
}

/** Where a preset ceases to fit is the same at every call point: what is known of it stays until it is known anew. */
function withKnown(figures: readonly PresetFigure[], known: readonly PresetFigure[] | null): readonly PresetFigure[] {
  return figures.map((one) => {
    const before = known?.find(({ name }) => name === one.name)?.firstOver;
    return before === undefined ? one : { ...one, firstOver: before };
  });
}
