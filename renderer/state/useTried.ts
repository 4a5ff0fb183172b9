import { useAppState } from './context.tsx';
import { useProjectedSpec } from './useProjectedSpec.ts';

/** What is being tried, for as long as the policy on screen is the one with it. */
export function useTried() {
  const tried = useAppState((state) => state.projection.tried);
  const projected = useProjectedSpec();
  const stages = useAppState((state) => state.projection.spec.stages);
  const isTrying = tried !== null && tried.after === JSON.stringify(stages);
  return { tried: isTrying ? tried : null, base: isTrying ? tried.base : projected };
}
