// The findings as the list shows them: by the rule that mends them, the gravest first.
import type { LintFindingInfo, LintInfo } from '../../core/protocol/types.ts';

export type Severity = LintFindingInfo['severity'];

/** The findings that one rule mends; `rule` null = none can. */
export interface FindingGroup {
  readonly rule: string | null;
  readonly title: string;
  readonly help: string;
  readonly severity: Severity;
  readonly findings: readonly LintFindingInfo[];
  /** Messages that the rule would touch; null = not known. */
  readonly touches: number | null;
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };
const ADVISED = {
  title: 'Thinking blocks',
  help: 'Fixed in the policy, or by what the request asks of the provider.',
};
const UNMENDED = { title: 'No automatic fix', help: 'What is wrong here can only be changed by hand.' };

/** Groups in order: by severity, then as the rules run. Rules without findings are not among them. */
export function groupFindings(info: LintInfo): readonly FindingGroup[] {
  const groups = [...Map.groupBy(info.findings, (finding) => finding.repair)].map(([rule, findings]) => {
    const known = info.repairs.find((repair) => repair.rule === rule);
    const isAdvised = findings.every(({ advice }) => advice.length > 0);
    const words =
      rule === null
        ? isAdvised
          ? ADVISED
          : UNMENDED
        : { title: findings[0]?.repairTitle ?? rule, help: known?.help ?? '' };
    return { rule, ...words, severity: gravest(findings), findings, touches: known?.count ?? null };
  });
  const place = (group: FindingGroup) => info.repairs.findIndex(({ rule }) => rule === group.rule);
  const order = (group: FindingGroup) => (group.title === ADVISED.title ? -1 : rank(place(group)));
  return groups.sort((a, b) => RANK[a.severity] - RANK[b.severity] || order(a) - order(b));
}

/** The rules that would change something though nothing was found that they mend. */
export function otherRepairs(info: LintInfo): LintInfo['repairs'] {
  const found = new Set(info.findings.map(({ repair }) => repair));
  return info.repairs.filter(({ rule }) => !found.has(rule));
}

function gravest(findings: readonly LintFindingInfo[]): Severity {
  return findings.reduce<Severity>((worst, { severity }) => (RANK[severity] < RANK[worst] ? severity : worst), 'info');
}

function rank(place: number): number {
  return place === -1 ? Number.MAX_SAFE_INTEGER : place;
}
