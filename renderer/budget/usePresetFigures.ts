import { useEffect, useMemo, useState } from 'react';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { PresetFigure } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { type FigureLines, type FigureQuestion, keysOf, withAnswer, withFigure } from './figureLines.ts';

/** A policy's figures, and whether they are those of this call point and of these settings. */
export interface ShownFigure {
  readonly figure: PresetFigure;
  readonly isFinal: boolean;
  /** The same of what is known along all call points. */
  readonly isSummed: boolean;
}

export interface PresetFigures {
  /** null = none yet. Those of the question before stay until the new ones are here, and are not final. */
  readonly figures: readonly ShownFigure[] | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

/** A policy of the person's for the table. */
export type TablePolicy = NonNullable<FigureQuestion['policies']>[number];

const WAIT_MS = 120;
/** A newer question of this window: its answer is the one to wait for. */
const SUPERSEDED = 'request.superseded';
const NO_POLICIES: readonly TablePolicy[] = [];

interface Shown {
  readonly id: string | null;
  readonly lines: FigureLines;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
}

const NONE: Shown = { id: null, lines: [], isLoading: true, error: null };

/**
 * This call point under each preset, before them under `policies`; asked for once the call point has rested. `sums`: also
 * what each comes to along all call points, which takes longer, and comes after the rest.
 */
export function usePresetFigures({ sums = false, policies = NO_POLICIES } = {}): PresetFigures {
  const { engine } = useApp();
  const question = useQuestion(policies);
  const counted = useAppState((state) => state.session.info?.counted ?? 0);
  // Other counts, other figures.
  const counts = useAppState(({ projection: { info } }) => info && JSON.stringify(info.calibration));
  const recorded = useAppState(({ projection: { info } }) => info && info.beside.system + info.beside.tools);
  const [shown, setShown] = useState<Shown>(NONE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when more was counted
  useEffect(() => {
    if (question === null) return;
    let isWanted = true;
    const change = (next: (old: Shown) => Partial<Shown>) => isWanted && setShown((old) => ({ ...old, ...next(old) }));
    setShown((old) => (old.id === question.id ? { ...old, isLoading: true } : { ...NONE, id: question.id }));
    const ask = async () => {
      const { figures } = await engine.call('budget.presets', question);
      change(({ lines }) => ({ lines: withAnswer(lines, figures, question), isLoading: sums, error: null }));
      if (!sums || !isWanted) return;
      const full = await engine.call('budget.presets', { ...question, sums });
      change(({ lines }) => ({ lines: withAnswer(lines, full.figures, question), isLoading: false }));
    };
    const stop = engine.on('preset', (event) => {
      if (isSame(event.question, question))
        change(({ lines }) => ({ lines: withFigure(lines, event.figure, question) }));
    });
    const fail = (thrown: unknown) => {
      const error = toProtocolError(thrown);
      if (error.code !== SUPERSEDED) change(() => ({ isLoading: false, error }));
    };
    const timer = setTimeout(() => void ask().catch(fail), WAIT_MS);
    return () => {
      isWanted = false;
      stop();
      clearTimeout(timer);
    };
  }, [engine, question, recorded, counts, counted, sums]);
  return useMemo(() => figuresOf(shown, question, counted >= 1), [shown, question, counted]);
}

/** What is asked of the engine now; null = nothing is projected. The same object until something of it changes. */
function useQuestion(policies: readonly TablePolicy[]): FigureQuestion | null {
  const id = useAppState((state) => state.session.id);
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const tokenizer = useAppState((state) => state.projection.tokenizer);
  const window = useAppState((state) => state.projection.window);
  const overhead = useAppState(({ session }) => (session.overhead === 0 ? null : session.overhead));
  const thinking = useAppState((state) => state.projection.spec.preserved_thinking ?? null);
  const afterRecorded = useAppState((state) => state.ui.afterRecorded);
  return useMemo(
    () =>
      id === null || at === null ? null : { id, at, tokenizer, window, overhead, thinking, afterRecorded, policies },
    [id, at, tokenizer, window, overhead, thinking, afterRecorded, policies],
  );
}

function figuresOf({ id, lines, isLoading, error }: Shown, question: FigureQuestion | null, isCounted: boolean) {
  if (question === null || question.id !== id) return { figures: null, isLoading: question !== null, error: null };
  const figures = lines.map(({ figure, turnKey, alongKey }) => {
    const now = keysOf(question, figure.name);
    return { figure, isFinal: isCounted && turnKey === now.turnKey, isSummed: isCounted && alongKey === now.alongKey };
  });
  return { figures: figures.length === 0 ? null : figures, isLoading, error };
}

function isSame(a: FigureQuestion, b: FigureQuestion): boolean {
  const names = ['id', 'at', 'tokenizer', 'window', 'overhead', 'thinking', 'afterRecorded'] as const;
  return names.every((name) => a[name] === b[name]) && JSON.stringify(a.policies) === JSON.stringify(b.policies);
}
