// The findings as the list shows them: by the rule that repairs them, the gravest first.
import type { LintFindingInfo, LintInfo, RequestLintInfo } from '../../core/protocol/types.ts';

export type Severity = LintFindingInfo['severity'];

/** The findings that one rule repairs; `rule` null = none can. */
export interface FindingGroup {
  /** Identifies it: the rule's name, null of those that no rule repairs, REQUEST of the request as a whole. */
  readonly key: string | null;
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
const WHOLE = {
  title: 'The whole request',
  help: 'Found only in the request as it is written: settings, headers, tools and messages together.',
};
const NO_FIX = { title: 'No automatic fix', help: 'What is wrong here can only be changed by hand.' };

/** The group of what only the request as it is written can show. */
export const REQUEST = 'request';

/** True for a finding that the lint of the messages does not make. */
export function isOfRequest({ code }: Pick<LintFindingInfo, 'code'>): boolean {
  return code.startsWith('wire.');
}

/** The lint with what the request as it is written shows besides; what both say is said once. */
export function withRequest(info: LintInfo, request: RequestLintInfo | null): LintInfo {
  if (request === null) return info;
  const own = request.findings.filter(isOfRequest).map((finding): LintFindingInfo => {
    const nothing = { repair: null, repairTitle: null, done: null, before: null, after: null, cut: false, advice: [] };
    return { ...finding, position: finding.index ?? 0, ...nothing };
  });
  return { ...info, findings: [...info.findings, ...own], total: info.total + request.total };
}

/** Groups in order: by severity, then as the rules run. Rules without findings are not among them. */
export function groupFindings(info: LintInfo): readonly FindingGroup[] {
  const groups = [...Map.groupBy(info.findings, keyOf)].map(([key, findings]) => {
    const rule = key === REQUEST ? null : key;
    const known = info.repairs.find((repair) => repair.rule === rule);
    const isAdvised = findings.every(({ advice }) => advice.length > 0);
    const words =
      rule === null ? wordsOf(key, isAdvised) : { title: findings[0]?.repairTitle ?? rule, help: known?.help ?? '' };
    return { key, rule, ...words, severity: gravest(findings), findings, touches: known?.count ?? null };
  });
  const place = (group: FindingGroup) => info.repairs.findIndex(({ rule }) => rule === group.rule);
  const order = (group: FindingGroup) => (group.title === ADVISED.title ? -1 : rank(place(group)));
  return groups.sort((a, b) => RANK[a.severity] - RANK[b.severity] || order(a) - order(b));
}

function keyOf(finding: LintFindingInfo): string | null {
  return isOfRequest(finding) ? REQUEST : finding.repair;
}

function wordsOf(key: string | null, isAdvised: boolean) {
  if (key === REQUEST) return WHOLE;
  return isAdvised ? ADVISED : NO_FIX;
}

/** The rules that would change something though nothing was found that they repair. */
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
