// What is chosen in the list of findings. Lists change under the choice (a repair was applied, a call point moved): what
// is no longer there gives way to the nearest that is.
import type { LintFindingInfo, LintInfo } from '../../core/protocol/types.ts';
import type { FindingGroup } from './groups.ts';

/** The whole profile, a rule, or one finding of a group. */
export type RepairChoice =
  | { readonly kind: 'profile' }
  | { readonly kind: 'rule'; readonly rule: string }
  | { readonly kind: 'finding'; readonly group: string | null; readonly at: number };

/** The choice as far as it is still there; null = there is nothing to choose. */
export function resolveChoice(
  wanted: RepairChoice | null,
  groups: readonly FindingGroup[],
  others: LintInfo['repairs'],
): RepairChoice | null {
  const first = groups[0];
  if (wanted?.kind === 'finding') {
    const group = groups.find(({ key }) => key === wanted.group);
    if (group) return { ...wanted, at: Math.min(wanted.at, group.findings.length - 1) };
  }
  const hasRepairs = others.length > 0 || groups.some(({ rule }) => rule !== null);
  if (wanted?.kind === 'profile' && hasRepairs) return wanted;
  if (wanted?.kind === 'rule') {
    const isThere = groups.some(({ rule }) => rule === wanted.rule) || others.some(({ rule }) => rule === wanted.rule);
    if (isThere) return wanted;
  }
  if (first) return { kind: 'finding', group: first.key, at: 0 };
  return hasRepairs ? { kind: 'profile' } : null;
}

/** The finding that is chosen; null = a rule or the profile is. */
export function chosenFinding(choice: RepairChoice, groups: readonly FindingGroup[]): LintFindingInfo | null {
  if (choice.kind !== 'finding') return null;
  return groups.find(({ key }) => key === choice.group)?.findings[choice.at] ?? null;
}

export function sameChoice(a: RepairChoice, b: RepairChoice): boolean {
  if (a.kind === 'finding') return b.kind === 'finding' && a.group === b.group && a.at === b.at;
  return a.kind === 'rule' ? b.kind === 'rule' && a.rule === b.rule : b.kind === 'profile';
}
