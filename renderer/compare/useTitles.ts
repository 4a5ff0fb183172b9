import { useMemo } from 'react';
import { identify } from '../../core/projection/policyName.ts';
import { useAppState } from '../state/context.tsx';
import { namedPolicies } from '../state/policyActions.ts';

/** What the policy in use is called. */
export function useTitleOfA(): string {
  const spec = useAppState((state) => state.projection.spec);
  const describe = useAppState((state) => state.describe);
  const savedPolicies = useAppState((state) => state.savedPolicies);
  return useMemo(() => {
    const known = identify(spec, namedPolicies({ describe, savedPolicies }).all);
    if (known === null) return spec.name ?? 'Your own';
    return known.edited ? `${known.policy.title}, edited` : known.policy.title;
  }, [spec, describe, savedPolicies]);
}
