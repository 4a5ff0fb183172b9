import type { Rule, RuleFile } from './schema.ts';

/** A rule and its position in the file. */
export interface PlacedRule {
  readonly rule: Rule;
  readonly at: number;
}

/** The rules of a file by the policy they are held against; undefined = none is named: that of the session. */
export function byPolicy({
  policy,
  rules,
}: RuleFile): readonly { readonly policy: unknown; readonly members: readonly PlacedRule[] }[] {
  const groups = new Map<string, { policy: unknown; members: PlacedRule[] }>();
  for (const [at, rule] of rules.entries()) {
    const own = rule.policy ?? policy;
    const key = JSON.stringify(own) ?? '';
    const group = groups.get(key) ?? { policy: own, members: [] };
    group.members.push({ rule, at });
    groups.set(key, group);
  }
  return [...groups.values()];
}
