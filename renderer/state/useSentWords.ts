import { useMemo } from 'react';
import { type SentWords, sentWords } from '../../core/projection/sent.ts';
import { NO_TRAITS, type TraitsOf } from '../../core/view/stageTraits.ts';
import { useAppState } from './context.tsx';
import { namedPolicies } from './policyActions.ts';

type Described = Parameters<typeof namedPolicies>[0]['describe'];

function traitsIn(describe: Described): TraitsOf {
  return (kind) => describe?.stages.find((stage) => stage.kind === kind)?.traits ?? NO_TRAITS;
}

/** Whether the projection that is shown was sent, or would be, and under which policy; null = nothing is shown. */
export function useSentWords(): SentWords | null {
  const spec = useAppState((state) => state.projection.info?.spec ?? null);
  const at = useAppState((state) => state.projection.info?.at ?? null);
  const reports = useAppState((state) => state.projection.info?.reports);
  const session = useAppState((state) => state.session.info);
  const describe = useAppState((state) => state.describe);
  const savedPolicies = useAppState((state) => state.savedPolicies);
  return useMemo(() => {
    if (spec === null || at === null || session === null) return null;
    const { messages, compactions, projections, whatIf } = session;
    const recorded = { hasCompactions: compactions > 0, hasProjections: projections > 0 };
    const question = {
      spec,
      at,
      messages,
      ...recorded,
      forkedAt: whatIf?.at ?? null,
      reports: reports ?? [],
      traitsOf: traitsIn(describe),
    };
    return sentWords(question, namedPolicies({ describe, savedPolicies }).all);
  }, [spec, at, reports, session, describe, savedPolicies]);
}
