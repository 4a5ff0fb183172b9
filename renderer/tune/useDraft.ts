import { useEffect, useMemo, useState } from 'react';
import type { Aim, AskedSweep, AskedVariation, SweepInfo, TuneOption } from '../../core/protocol/tuneTypes.ts';
import { useLibraryList } from '../library/useLibraryList.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

/** Which transcripts: the open one, those chosen in the library, or those that its filter lets through. */
export type Scope = 'session' | 'chosen' | 'list';

/** What the next sweep is to be asked for. */
export interface Draft {
  readonly scope: Scope;
  readonly vary: readonly AskedVariation[];
  /** One text a line. */
  readonly keep: string;
  readonly aim: Aim | null;
  readonly maxPeak: number | null;
  readonly maxUsesGone: number | null;
}

const EMPTY: Draft = { scope: 'session', vary: [], keep: '', aim: null, maxPeak: null, maxUsesGone: null };

/** The draft, what can be varied, and the question that it comes to. */
export interface Drafting {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  readonly options: readonly TuneOption[];
  readonly error: string | null;
  /** Transcripts of each scope. */
  readonly ids: Readonly<Record<Scope, readonly string[]>>;
  /** null = nothing varies yet. */
  readonly asked: AskedSweep | null;
}

/** Begins with what the sweep on screen was asked for, else with the first number of the policy. */
export function useDraft(transcriptId: string, info: SweepInfo | null, isLoading: boolean): Drafting {
  const spec = useProjectedSpec();
  const { value, error } = useAnswer('tune.options', spec && { id: transcriptId, spec }, { about: transcriptId });
  const options = value?.options ?? NONE;
  const ids = useScopes(transcriptId);
  const [draft, setDraft] = useState<Draft | null>(null);
  const first = useMemo(() => firstDraft(info, options), [info, options]);
  // What was asked before is known a moment after the screen is: until a person changes something, it decides.
  const shown = draft ?? first;
  const vary = useMemo(() => shown.vary.filter((one) => optionOf(options, one) !== null), [shown, options]);
  const question: AskedSweep | null =
    spec === null || vary.length === 0 || isLoading
      ? null
      : {
          ids: ids[shown.scope],
          spec,
          vary,
          keep: linesOf(shown.keep),
          aim: shown.aim,
          maxPeak: shown.maxPeak,
          maxUsesGone: shown.maxUsesGone,
        };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another sweep was opened: its question is the draft
  useEffect(() => setDraft(null), [info?.sweepId]);
  return {
    draft: { ...shown, vary },
    change: (change) => setDraft({ ...shown, ...change }),
    options,
    error: error?.message ?? null,
    ids,
    asked: question !== null && question.ids.length > 0 ? question : null,
  };
}

const NONE: readonly TuneOption[] = [];

export function optionOf(
  options: readonly TuneOption[],
  { stage, option }: Pick<AskedVariation, 'stage' | 'option'>,
): TuneOption | null {
  return options.find((one) => one.stage === stage && one.option === option) ?? null;
}

export function variationOf({ stage, option, values }: TuneOption): AskedVariation {
  return { stage, option, values };
}

function firstDraft(info: SweepInfo | null, options: readonly TuneOption[]): Draft {
  if (info !== null) {
    const { vary, keep, aim, maxPeak, maxUsesGone, ids } = info.asked;
    const scope: Scope = ids.length > 1 ? 'chosen' : 'session';
    return { scope, vary, keep: keep.join('\n'), aim, maxPeak, maxUsesGone };
  }
  const number = options.find(({ now }) => typeof now === 'number');
  return number === undefined ? EMPTY : { ...EMPTY, vary: [variationOf(number)] };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function useScopes(transcriptId: string): Readonly<Record<Scope, readonly string[]>> {
  const selected = useAppState((state) => state.library.selected);
  const { shown } = useLibraryList();
  return useMemo(
    () => ({ session: [transcriptId], chosen: [...selected], list: shown.map(({ id }) => id) }),
    [transcriptId, selected, shown],
  );
}
