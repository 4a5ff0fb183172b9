import { useCallback, useRef } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useApp } from './context.tsx';

export type EditSpec = (edit: (spec: ProjectionSpec) => ProjectionSpec, history?: 'push' | 'replace') => void;

/** Edits the spec as it is at the time of the call, so that quick edits never undo each other. */
export function usePolicyEdit(): EditSpec {
  const { store, actions } = useApp();
  return useCallback(
    (edit, history) => actions.setSpec(edit(store.getState().projection.spec), history),
    [store, actions],
  );
}

/** One step of undo for one drag or one time in a field: the first change is kept apart, the others join it. */
export function useGesture(): { readonly next: () => 'push' | 'replace'; readonly end: () => void } {
  const isRunning = useRef(false);
  return {
    next() {
      if (isRunning.current) return 'replace';
      isRunning.current = true;
      return 'push';
    },
    end() {
      isRunning.current = false;
    },
  };
}
