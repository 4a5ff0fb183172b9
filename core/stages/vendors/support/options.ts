// What the options of the vendors' stages have in common.

import { isRecord, ownAt } from '../../../util/unknown.ts';
import { amount } from '../../../view/amount.ts';
import type { ParamSchema, StageContext } from '../../../view/types.ts';
import { countOf, grouped } from '../../../view/words.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Vendors write `keep: {type: "tool_uses", value: 3}`; here an option has one value. Puts the value in its place, and the
 * type under the name given for it (null = it has one type only, which is left out). The edit's own `type` is left out.
 */
export function unwrapTyped(options: Options, names: Readonly<Record<string, string | null>>): Options {
  const { type: _edit, ...flat }: Record<string, unknown> = { ...options };
  for (const [name, typeName] of Object.entries(names)) {
    const given = ownAt(options, name);
    if (!isRecord(given) || !Object.hasOwn(given, 'type')) continue;
    flat[name] = ownAt(given, 'value');
    if (typeName !== null) flat[typeName] = ownAt(given, 'type');
  }
  return flat;
}

/** The control for a context window; 0 = that of the spec or of the transcript's model. */
export const WINDOW: ParamSchema = {
  name: 'window',
  label: 'Context window',
  ...amount('tokens', 0, { to: 1_000_000 }),
  help: 'Context window of the model. 0: the one of the budget, that is of the spec or of the transcript’s model.',
};

/** Tools that a stage leaves alone; the stage says what of them it leaves. */
export const EXCLUDED_TOOLS = {
  name: 'exclude_tools',
  label: 'Tools never cleared',
  type: 'list',
  offers: 'tools',
  default: [],
  relax: { adds: 'tools' },
} as const satisfies Omit<ParamSchema, 'help'>;

/** The window that counts, in tokens; null = not known. */
export function windowOf(window: number, context: Pick<StageContext, 'budget'>): number | null {
  return window > 0 ? window : (context.budget?.window ?? null);
}

/** What messages may take of a window: all but what is known to be beside them. `of` says how it comes about. */
export interface MessageRoom {
  readonly tokens: number;
  /** `window`, or `window 128,000 − 21,340 overhead`. */
  readonly of: string;
}

/** The room in a window, for stages of vendors whose input holds system prompt and tools. */
export function roomIn(window: number, { budget }: Pick<StageContext, 'budget'>): MessageRoom {
  const beside = overheadTokens({ budget });
  if (beside === 0) return { tokens: window, of: 'window' };
  const of = `window ${grouped(window)} − ${grouped(beside)} overhead`;
  return { tokens: Math.max(0, window - beside), of };
}

/** How a threshold is met in words: `12,000 tokens (estimated)` where counts are estimates. */
export function formatTokenCount(tokens: number, { tokens: { exact } }: StageContext): string {
  return `${countOf(tokens, 'token')}${exact ? '' : ' (estimated)'}`;
}

/** Tokens of the overhead, for a vendor whose threshold is one of the whole prompt. */
export function overheadTokens({ budget }: Pick<StageContext, 'budget'>): number {
  return budget?.beside.total ?? 0;
}

/** A whole prompt in words: `172,000 tokens, 21,340 of them overhead`. */
export function formatPrompt(tokens: number, context: StageContext): string {
  const beside = overheadTokens(context);
  const of = beside === 0 ? '' : `, ${grouped(beside)} of them overhead`;
  return `${formatTokenCount(tokens, context)}${of}`;
}

/** The sentence that options owe their readers whose threshold is one of the whole prompt: in it system prompt and tools are counted too. */
export const ROOM_HELP =
  'Tokens are counted here with the transcript’s tokenizer, system prompt and tools as far as they are recorded or budget.overhead says; the provider counts by its own.';

/** The sentence that every option with a token threshold owes its reader. */
export const TOKENS_HELP =
  'Tokens are counted here with the transcript’s tokenizer, of messages alone; the provider counts by its own, system prompt and tools included.';
