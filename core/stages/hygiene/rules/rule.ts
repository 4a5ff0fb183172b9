// What all rules share. A rule is written as its fix; its check is what the fix would change.

import type { Origins } from '../../../view/types.ts';
import { bitOf, type Draft } from '../draft.ts';
import type { Change, HygieneRule, RuleContext, RuleName, RuleResult } from '../types.ts';

/** A rule but for its check. */
export type RuleBody = Omit<HygieneRule, 'check'>;

/** Completes a rule: it objects to exactly what its fix changes or reports. */
export function defineRule(body: RuleBody): HygieneRule {
  return { ...body, check: (messages, context) => body.fix(messages, context).changes };
}

/** What a rule says of one message: the text after, null = it leaves, and why. */
export interface RuleDecision {
  readonly text: string | null;
  /** Of its parts, where they are others than before or in another order: see {@link Draft.with}. */
  readonly origins?: Origins;
  readonly objection: string;
  readonly done: string;
  readonly chip: string;
  readonly severity?: Change['severity'];
}

/**
 * Runs `judge` on each message; `judge` answers null for a message it leaves alone. The same list if it leaves all. For
 * rules that look at a message's neighbours too.
 */
export function editEach(
  rule: RuleName,
  messages: readonly Draft[],
  judge: (draft: Draft, position: number) => RuleDecision | null,
): RuleResult {
  return collect(messages, (draft, position) => changeOf(rule, draft, judge(draft, position)));
}

/** The same for rules that look at one message and their options only: what they said of it is kept with it. */
export function editLocal(
  rule: RuleName,
  messages: readonly Draft[],
  { same, options }: RuleContext,
  judge: (draft: Draft) => RuleDecision | null,
): RuleResult {
  const under = same ?? options;
  const bit = bitOf(rule);
  if (messages.every((draft) => draft.passes(bit, under))) return { messages, changes: NONE };
  return collect(messages, (draft) => {
    const known = draft.judged(rule, bit, under);
    if (known !== undefined) return known;
    const change = changeOf(rule, draft, judge(draft));
    draft.keepJudgement(rule, under, change);
    return change;
  });
}

/** The messages after the changes of single ones, each of which takes the place of its message. */
export function collect(
  messages: readonly Draft[],
  changeAt: (draft: Draft, position: number) => Change | null,
): RuleResult {
  let changes: Change[] | null = null;
  let after: Draft[] | null = null;
  for (let position = 0; position < messages.length; position++) {
    const draft = messages[position]!;
    const change = changeAt(draft, position);
    if (change === null) {
      after?.push(draft);
      continue;
    }
    after ??= messages.slice(0, position);
    changes ??= [];
    if (change.after !== null) after.push(change.after);
    changes.push(change);
  }
  return { messages: after ?? messages, changes: changes ?? NONE };
}

const NONE: readonly Change[] = [];

function changeOf(rule: RuleName, draft: Draft, verdict: RuleDecision | null): Change | null {
  if (verdict === null) return null;
  const after = verdict.text === null ? null : draft.with(verdict.text, verdict.origins);
  if (after === draft) return null;
  const { objection, done, chip, severity = 'error' } = verdict;
  return {
    rule,
    kind: after === null ? 'dropped' : 'rewritten',
    before: draft,
    after,
    objection,
    done,
    severity,
    chip,
  };
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
