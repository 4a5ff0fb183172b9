// The rules of a profile that look at one message and nothing else, over many messages at once: mostly they have nothing
// to do, and most messages have been asked before.
import { PAUSE, type Pause } from '../../view/types.ts';
import { bitOf, type Draft } from './draft.ts';
import { RULES } from './rules/index.ts';
import { LOOKS_AT_ONE } from './rules/reach.ts';
import type { RuleContext, RuleName } from './types.ts';

/** Those of a profile. */
export class LocalRules {
  readonly #rules: readonly RuleName[];
  readonly #bits: number;
  /** The list that they leave alone. */
  #list: readonly Draft[] | null = null;

  constructor(rules: readonly RuleName[]) {
    this.#rules = rules.filter((rule) => LOOKS_AT_ONE.has(rule));
    this.#bits = this.#rules.reduce((bits, rule) => bits | bitOf(rule), 0);
  }

  /** Asks them of a list whose images need no look; pauses after each rule. */
  *ask(messages: readonly Draft[], context: RuleContext): Generator<Pause, void> {
    const open = this.#open(messages, context);
    if (open.some(({ holdsImage }) => holdsImage)) return;
    for (const rule of this.#rules) {
      if (!leavesAll(rule, open, context)) return;
      yield PAUSE;
    }
    this.#list = messages;
  }

  /** The same in one go, of a few messages. */
  leave(messages: readonly Draft[], context: RuleContext): boolean {
    const open = this.#open(messages, context);
    if (open.some(({ holdsImage }) => holdsImage)) return false;
    return this.#rules.every((rule) => leavesAll(rule, open, context));
  }

  /** True if it is known that a rule has nothing to do with a list. */
  isDone(rule: RuleName, messages: readonly Draft[]): boolean {
    return messages === this.#list && LOOKS_AT_ONE.has(rule);
  }

  // What rules said is kept under the options that were named the same.
  #open(messages: readonly Draft[], { same, options }: RuleContext): readonly Draft[] {
    return messages.filter((draft) => !draft.passes(this.#bits, same ?? options));
  }
}

function leavesAll(rule: RuleName, messages: readonly Draft[], context: RuleContext): boolean {
  return RULES[rule].fix(messages, context).changes.length === 0;
}
