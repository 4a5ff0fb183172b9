import type { ProjectionSpec } from '../../core/projection/types.ts';

/** The spec with the window that was chosen on screen, which stands above its own; null = none was. */
export function specWithWindow(spec: ProjectionSpec, window: number | null): ProjectionSpec {
  return window === null ? spec : { ...spec, budget: { ...spec.budget, window } };
}
