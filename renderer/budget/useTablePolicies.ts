import { useMemo } from 'react';
import { sameStages } from '../../core/projection/policyName.ts';
import { presetsFor } from '../../core/projection/presets.ts';
import { useAppState } from '../state/context.tsx';
import type { TablePolicy } from './usePresetFigures.ts';

/** The policy in use, where it is none of the others. */
export const CURRENT = 'current';
const SAVED = 'saved:';

/** True if the line is a policy that the person saved. */
export function isSaved(name: string): boolean {
  return name.startsWith(SAVED);
}

/** The person's own policies for the table: the one in use, if it is not another line's, and those that were saved. */
export function useTablePolicies(): readonly TablePolicy[] {
  const saved = useAppState((state) => state.savedPolicies);
  const spec = useAppState((state) => state.projection.spec);
  const describe = useAppState((state) => state.describe);
  const after = useAppState((state) => state.ui.afterRecorded);
  const hasCompactions = useAppState((state) => (state.session.info?.compactions ?? 0) > 0);
  const hasProjections = useAppState((state) => (state.session.info?.projections ?? 0) > 0);
  return useMemo(() => {
    const own = (saved ?? []).map((one) => ({ name: `${SAVED}${one.name}`, title: one.name, spec: one.spec }));
    const others = [...own, ...presetsFor(describe?.presets ?? [], hasCompactions, after, hasProjections)];
    const isListed = others.some((one) => sameStages(one.spec, spec));
    return isListed ? own : [{ name: CURRENT, title: 'This policy', spec }, ...own];
  }, [saved, spec, describe, after, hasCompactions, hasProjections]);
}
