import { useMemo } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import { useAskedSpec } from '../state/askedSpec.ts';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

const NONE: readonly Problem[] = [];

/** What is wrong with the spec, by path, if the engine refused to project with it. */
export function useSpecProblems(): readonly Problem[] {
  const spec = useAskedSpec();
  const refused = useAppState((state) => state.projection.error);
  const { value, error } = useAnswer('spec.parse', refused ? { spec } : null, {
    about: refused ? 'the spec' : null,
    again: [spec, refused],
  });
  return useMemo(() => {
    if (error) return [{ code: error.code, severity: 'error', text: error.message }];
    return value?.problems.filter((problem) => problem.severity === 'error') ?? NONE;
  }, [value, error]);
}
