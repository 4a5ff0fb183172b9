import { useMemo } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useAppState } from './context.tsx';
import { setOverhead } from './editBudget.ts';
import type { AppState } from './types.ts';

/**
 * The policy on screen as the engine is asked about it, and as it is written into files: with what requests of the session
 * hold that nobody recorded.
 */
export function askedSpec({ projection, session }: Pick<AppState, 'projection' | 'session'>): ProjectionSpec {
  return session.overhead === 0 ? projection.spec : setOverhead(projection.spec, session.overhead);
}

export function useAskedSpec(): ProjectionSpec {
  const projection = useAppState((state) => state.projection);
  const session = useAppState((state) => state.session);
  const { spec } = projection;
  const { overhead } = session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: nothing else of them is read
  return useMemo(() => askedSpec({ projection, session }), [spec, overhead]);
}
