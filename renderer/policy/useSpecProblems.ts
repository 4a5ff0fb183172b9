import { useEffect, useState } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

const NONE: readonly Problem[] = [];

/** What is wrong with the spec, by path, if the engine refused to project with it. */
export function useSpecProblems(): readonly Problem[] {
  const { engine } = useApp();
  const spec = useAppState((state) => state.projection.spec);
  const error = useAppState((state) => state.projection.error);
  const [problems, setProblems] = useState(NONE);
  useEffect(() => {
    if (!error) {
      setProblems(NONE);
      return;
    }
    let isWanted = true;
    engine.call('spec.parse', { spec }).then(
      (answer) => isWanted && setProblems(answer.problems.filter((problem) => problem.severity === 'error')),
      (thrown: unknown) => {
        const { code, message } = toProtocolError(thrown);
        if (isWanted) setProblems([{ code, severity: 'error', text: message }]);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [engine, spec, error]);
  return problems;
}
