import { useState } from 'react';
import type { FindingInfo } from '../../core/protocol/types.ts';

/** The findings that are ticked for a report. */
export interface Ticks {
  readonly ticked: readonly FindingInfo[];
  readonly isTicked: (finding: FindingInfo) => boolean;
  readonly toggle: (finding: FindingInfo) => void;
}

/** A finding by what it says: the list may be made again. */
export function findingKey({ kind, at, evidence }: Pick<FindingInfo, 'kind' | 'at' | 'evidence'>): string {
  return `${kind} ${at} ${evidence}`;
}

/** Those of these that are ticked; one that is no longer found is not. */
export function useTicked(findings: readonly FindingInfo[]): Ticks {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const isTicked = (finding: FindingInfo): boolean => keys.has(findingKey(finding));
  const toggle = (finding: FindingInfo): void => {
    const key = findingKey(finding);
    setKeys((before) =>
      before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set([...before, key]),
    );
  };
  return { ticked: findings.filter(isTicked), isTicked, toggle };
}
