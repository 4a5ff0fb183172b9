import { useMemo } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';
import { useUsage } from '../state/useUsage.ts';

export interface Problems {
  readonly imported: readonly Problem[];
  /** Of the projection and of its stages. */
  readonly projected: readonly Problem[];
  /** Of recorded usage held against the history. */
  readonly usage: readonly Problem[];
  readonly count: number;
  readonly error: string | null;
}

const NONE: readonly Problem[] = [];

/** All findings about the open transcript and its projection, worst first. */
export function useProblems(): Problems {
  const id = useAppState((state) => state.session.id);
  const known = useAppState((state) => state.session.info?.problems ?? 0);
  const state = useAppState((state) => state.session.info?.state);
  const info = useAppState((state) => state.projection.info);
  // Asks again when there are more. Those of the transcript before are nobody's while these are on their way.
  const { value, error } = useAnswer('transcript.problems', id === null ? null : { id }, {
    about: id,
    again: [known, state],
  });
  const imported = useMemo(() => sorted(value?.problems ?? NONE), [value]);
  const projected = useMemo(
    () => (info ? sorted(unique([...info.problems, ...info.reports.flatMap((report) => report.problems)])) : NONE),
    [info],
  );
  const ofUsage = useUsage().info?.problems ?? NONE;
  const usage = useMemo(() => sorted(ofUsage), [ofUsage]);
  const count = imported.length + projected.length + usage.length;
  return { imported, projected, usage, count, error: error?.message ?? null };
}

const ORDER = { error: 0, warning: 1, info: 2 } as const;

/** Worst first; otherwise in the order found. */
export function sorted(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

/** A projection repeats what its stages found; each finding is shown once. */
export function unique(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter((problem) => {
    const key = JSON.stringify([problem.code, problem.text, problem.where]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
