// The profile at work: its rules one after another over the messages of a view.
import { PAUSE, type Pause, type ResizeAnswer, type ResizeImage, type StageAnswer } from '../../view/types.ts';
import type { Draft } from './draft.ts';
import { Findings } from './findings.ts';
import { LocalRules } from './localRules.ts';
import type { Profile } from './profiles.ts';
import { RULES } from './rules/index.ts';
import { LOOKS_AT_ONE } from './rules/reach.ts';
import type { Change, RuleContext, RuleName, RuleResult } from './types.ts';

/**
 * Runs a profile; asks for images to be made smaller as it meets them. The same list if there is nothing to do. `same`
 * stands for the options: what rules said of a message under it is not asked again.
 */
export function* repair(
  messages: readonly Draft[],
  profile: Profile,
  sha256: (text: string) => string,
  same: Findings = new Findings(),
): Generator<ResizeImage, RuleResult, StageAnswer> {
  const resized = new Map<string, ResizeAnswer>();
  return yield* runRules(messages, profile.rules, { options: profile.options, sha256, resized, same }, resized);
}

/** As runRules, with a pause after each rule: each may look at every message, of 100,000 for a tenth of a second. */
export function* runRulesPausing(
  messages: readonly Draft[],
  rules: readonly RuleName[],
  context: RuleContext,
  resized: Map<string, ResizeAnswer>,
): Generator<ResizeImage | Pause, RuleResult, StageAnswer> {
  const changes: Change[] = [];
  const local = new LocalRules(rules);
  yield* local.ask(messages, context);
  let current = messages;
  for (const rule of rules) {
    if (local.isDone(rule, current)) continue;
    const result = yield* runRules(current, [rule], context, resized);
    const isOther = result.messages !== current;
    current = result.messages;
    for (const change of result.changes) changes.push(change);
    yield PAUSE;
    if (isOther && !LOOKS_AT_ONE.has(rule)) yield* local.ask(current, context);
  }
  return { messages: current, changes: changes.length === 0 ? NONE : changes };
}

/** Runs rules one after another. `resized` is the one of the context: what the host answers is kept in it. */
export function* runRules(
  messages: readonly Draft[],
  rules: readonly RuleName[],
  context: RuleContext,
  resized: Map<string, ResizeAnswer>,
): Generator<ResizeImage, RuleResult, StageAnswer> {
  const changes: Change[] = [];
  let current = messages;
  for (const name of rules) {
    if (current.length === 0) break;
    const rule = RULES[name];
    if (rule.requests !== undefined) yield* resizeAll(rule.requests(current, context), resized);
    const result = rule.fix(current, context);
    current = result.messages;
    for (const change of result.changes) changes.push(change);
  }
  return { messages: current, changes: changes.length === 0 ? NONE : changes };
}

function* resizeAll(
  requests: Iterable<ResizeImage>,
  resized: Map<string, ResizeAnswer>,
): Generator<ResizeImage, void, StageAnswer> {
  for (const request of requests) {
    if (resized.has(request.key)) continue;
    const answer = yield request;
    if (!('effect' in answer) || answer.effect !== 'resize_image') throw new Error('an image has another answer');
    resized.set(request.key, answer);
  }
}

const NONE: readonly Change[] = [];
