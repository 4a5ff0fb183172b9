import type { StatedFinding } from '../../model/statedFinding.ts';

/** Messages that findings point to: a slice keeps their words. */
export function neededBy(findings: readonly Pick<StatedFinding, 'at' | 'sources'>[] = []): readonly number[] {
  return findings.flatMap(({ at, sources }) => [at, ...sources]);
}
