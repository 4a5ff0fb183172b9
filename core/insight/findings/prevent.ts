// Under which policies a finding would not have happened: those in whose requests what it is about stood.
import type { Use } from '../uses/types.ts';
import type { RefusedRun } from './find.ts';
import type { Finding } from './types.ts';

/** A session under another policy. */
export interface Alternative {
  readonly name: string;
  readonly uses: readonly Use[];
  readonly refused: readonly RefusedRun[];
}

/** Names of the policies that prevent each finding, in the order given; what is only recorded no policy is known to. */
export function preventedBy(findings: readonly Finding[], policies: Iterable<Alternative>): readonly string[][] {
  const names = findings.map((): string[] => []);
  for (const { name, uses, refused } of policies) {
    const gone = new Set(uses.flatMap((use) => (use.outcome === 'gone' ? [keyOf(use)] : [])));
    for (const [at, finding] of findings.entries()) {
      if (isPrevented(finding, gone, refused)) names[at]?.push(name);
    }
  }
  return names;
}

function isPrevented({ kind, uses, at }: Finding, gone: ReadonlySet<string>, refused: readonly RefusedRun[]): boolean {
  if (kind === 'refused') return !refused.some(({ from, to }) => from <= at && at <= to);
  return uses.length > 0 && uses.every((use) => !gone.has(keyOf(use)));
}

function keyOf({ kind, at, part, from, evidence }: Use): string {
  return `${kind} ${at} ${part} ${from} ${evidence}`;
}
