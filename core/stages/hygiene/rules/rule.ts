// What all rules share. A rule is written as its fix; its check is what the fix would change.
import type { Draft } from '../draft.ts';
import type { Change, HygieneRule, RuleContext, RuleName, RuleResult } from '../types.ts';

/** A rule but for its check. */
export type RuleBody = Omit<HygieneRule, 'check'>;

/** Completes a rule: it objects to exactly what its fix changes or reports. */
export function defineRule(body: RuleBody): HygieneRule {
  return { ...body, check: (messages, context) => body.fix(messages, context).changes };
}

/** What a rule says of one message: the text after, null = it leaves, and why. */
export interface Verdict {
  readonly text: string | null;
  readonly objection: string;
  readonly done: string;
  readonly chip: string;
  readonly severity?: Change['severity'];
}

/** Runs `judge` on each message; `judge` answers null for a message it leaves alone. The same list if it leaves all. */
export function editEach(
  rule: RuleName,
  messages: readonly Draft[],
  judge: (draft: Draft, position: number) => Verdict | null,
): RuleResult {
  const changes: Change[] = [];
  const after: Draft[] = [];
  for (const [position, draft] of messages.entries()) {
    const verdict = judge(draft, position);
    const edited = verdict === null ? draft : verdict.text === null ? null : draft.with(verdict.text);
    if (edited !== null) after.push(edited);
    if (verdict === null || edited === draft) continue;
    const { objection, done, chip, severity = 'error' } = verdict;
    const kind = edited === null ? 'dropped' : 'rewritten';
    changes.push({ rule, kind, before: draft, after: edited, objection, done, severity, chip });
  }
  return changes.length === 0 ? { messages, changes } : { messages: after, changes };
}

/** Runs rules one after another; the changes of all, in order. */
export function runRules(
  rules: readonly { readonly rule: HygieneRule; readonly context: RuleContext }[],
  messages: readonly Draft[],
): RuleResult {
  const changes: Change[] = [];
  let current = messages;
  for (const { rule, context } of rules) {
    const result = rule.fix(current, context);
    current = result.messages;
    for (const change of result.changes) changes.push(change);
  }
  return { messages: current, changes };
}

/** True for roles that every wire format carries beside the turns. */
export function isSystem(role: string): boolean {
  return role === 'system' || role === 'developer';
}
