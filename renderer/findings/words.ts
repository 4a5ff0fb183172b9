// Findings in groups, and what was fetched again.
import type { FindingInfo } from '../../core/protocol/types.ts';

/** What a filter shows together. */
export type FindingGroup = 'all' | 'forgotten' | 'cache' | 'other';

export const GROUP_TITLE: Readonly<Record<FindingGroup, string>> = {
  all: 'All',
  forgotten: 'Forgotten',
  cache: 'Cache',
  other: 'Other',
};

export function groupOf({ kind }: Pick<FindingInfo, 'kind'>): Exclude<FindingGroup, 'all'> {
  if (kind === 'cache_lost') return 'cache';
  return kind === 'forgotten' || kind === 'compaction_dropped' ? 'forgotten' : 'other';
}

/** Those of a group, in their order. */
export function inGroup(findings: readonly FindingInfo[], group: FindingGroup): readonly FindingInfo[] {
  return group === 'all' ? findings : findings.filter((finding) => groupOf(finding) === group);
}

/** Tokens and money of what was fetched again; what the cache lost is recorded, and never added to it. */
export function fetchedAgain(findings: readonly FindingInfo[]): {
  readonly tokens: number;
  readonly cost: number | null;
} {
  const own = findings.filter(({ kind }) => kind === 'forgotten' || kind === 'started_twice');
  const costs = own.map(({ cost }) => cost);
  return {
    tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    cost: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
  };
}
