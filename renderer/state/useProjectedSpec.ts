import { useMemo } from 'react';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { useAppState } from './context.tsx';
import { specWithWindow } from './specWithWindow.ts';

/**
 * The spec that the engine projected, with the window chosen on screen: what is asked further of this projection (trace,
 * lint, export) is asked of the same. null = nothing is projected yet.
 */
export function useProjectedSpec(): ProjectionSpec | null {
  const spec = useAppState((state) => state.projection.info?.spec ?? null);
  const window = useAppState((state) => state.projection.window);
  return useMemo(() => (spec === null ? null : specWithWindow(spec, window)), [spec, window]);
}
