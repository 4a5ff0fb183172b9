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
  const run = new RulesRun(messages, context);
  for (const name of rules) {
    for (const request of run.requests(name)) {
      if (resized.has(request.key)) continue;
      const answer = yield request;
      if (!('effect' in answer) || answer.effect !== 'resize_image') throw new Error('an image has another answer');
      resized.set(request.key, answer);
    }
    run.apply(name);
  }
  return run;
}

/** True if a rule may ask the host for something. */
export function mayAsk(rule: RuleName): boolean {
  return RULES[rule].requests !== undefined;
}

/** As {@link runRules}, of rules that ask the host for nothing. */
export function applyRules(messages: readonly Draft[], rules: readonly RuleName[], context: RuleContext): RuleResult {
  const run = new RulesRun(messages, context);
  for (const name of rules) run.apply(name);
  return run;
}

const NONE: readonly Change[] = [];
const NO_REQUESTS: readonly ResizeImage[] = [];

// Rules on their way over a list: what is left of it, and their changes.
class RulesRun implements RuleResult {
  messages: readonly Draft[];
  readonly #context: RuleContext;
  #changes: Change[] | null = null;

  constructor(messages: readonly Draft[], context: RuleContext) {
    this.messages = messages;
    this.#context = context;
  }

  get changes(): readonly Change[] {
    return this.#changes ?? NONE;
  }

  requests(name: RuleName): readonly ResizeImage[] {
    return (this.messages.length > 0 && RULES[name].requests?.(this.messages, this.#context)) || NO_REQUESTS;
  }

  apply(name: RuleName): void {
    if (this.messages.length === 0) return;
    const { messages, changes } = RULES[name].fix(this.messages, this.#context);
    this.messages = messages;
    if (changes.length === 0) return;
    this.#changes ??= [];
    for (const change of changes) this.#changes.push(change);
  }
}
