import type { Baselines } from '../../check/baseline.ts';
import type { PlacedRule } from '../../check/byPolicy.ts';
import { judge } from '../../check/judge.ts';
import type { BaselineRecord, RuleOutcome, SessionFacts } from '../../check/types.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { RequestProjector } from '../requests/projector.ts';
import { type CheckOptions, checkedSession, type SessionToCheck } from './checkedSession.ts';

/** Rules that are held against one policy. */
export interface RuleGroup {
  readonly parsed: ParsedSpec;
  readonly members: readonly PlacedRule[];
}

/** What a session is held against. */
export interface CheckQuestion {
  readonly groups: readonly RuleGroup[];
  /** Names of all rules, by their position: what baselines are kept by. */
  readonly names: readonly string[];
  /** What was recorded of this session, by the name of the rule. */
  readonly baselines: Baselines[string];
}

/** What became of the rules of one session. */
export interface CheckedRules {
  /** In the order of the file. */
  readonly outcomes: readonly RuleOutcome[];
  /** What a baseline would record, by the name of the rule. */
  readonly records: Readonly<Record<string, BaselineRecord>>;
}

/** Who watches a check: the facts that each outcome is of, and each request that is reached, under each policy. */
export interface CheckWatcher {
  see?(member: PlacedRule, facts: SessionFacts, outcome: RuleOutcome): void;
  reach?(): void;
}

/** Holds rules against a session. */
export async function checkSession(
  projector: RequestProjector,
  session: SessionToCheck,
  { groups, names, baselines }: CheckQuestion,
  options: CheckOptions,
  watcher: CheckWatcher = {},
): Promise<CheckedRules> {
  const outcomes: RuleOutcome[] = [];
  const records: Record<string, BaselineRecord> = {};
  for (const { parsed, members } of groups) {
    const asked = { parsed, rules: members.map(({ rule }) => rule) };
    const facts = await checkedSession(projector, session, asked, options, () => watcher.reach?.());
    for (const member of members) {
      const { rule, at } = member;
      const name = names[at] ?? String(at);
      if ('baseline' in rule && facts.record !== null) records[name] = facts.record;
      const outcome = { rule: at, ...judge(rule, facts, baselines[name] ?? null) };
      outcomes.push(outcome);
      watcher.see?.(member, facts, outcome);
    }
  }
  return { outcomes: outcomes.toSorted((a, b) => a.rule - b.rule), records };
}
