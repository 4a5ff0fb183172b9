import { isRecord, ownAt } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import type { OptionReader } from '../../view/optionReader.ts';
import { parseParams } from '../../view/parseParams.ts';
import { itemTokens } from '../../view/tokens.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type ParamSchema,
  type Pausing,
  type StageContext,
  type StageDefinition,
} from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { viewTotal } from './support/counting.ts';
import type { LiveEdit, Why } from './support/editor.ts';
import { EditSequence, LiveEdits, SharedWhy } from './support/liveEdits.ts';
import { EXCLUDED_TOOLS, formatTokenCount, TOKENS_HELP, WINDOW, windowOf } from './support/options.ts';
import { GrowingToolMessages, type ToolMessage, type ToolMessages } from './support/toolMessages.ts';

const KEEP_UNITS = ['messages', 'tokens', 'fraction'] as const;

const OR_FIELDS: readonly ParamSchema[] = [
  {
    name: 'tokens',
    label: 'At least (tokens)',
    type: 'integer',
    default: 0,
    min: 0,
    softMax: 200_000,
    unit: 'tokens',
    help: 'Tokens of the history. 0: not a condition.',
  },
  {
    name: 'messages',
    label: 'At least (messages)',
    type: 'integer',
    default: 0,
    min: 0,
    softMax: 200,
    unit: 'messages',
    help: 'Messages of the history. 0: not a condition.',
  },
  {
    name: 'fraction',
    label: 'At least (share of window)',
    type: 'number',
    default: 0,
    min: 0,
    softMax: 1,
    help: 'Share of the context window. 0: not a condition.',
  },
];

const PARAMS = {
  tokens: {
    name: 'trigger_tokens',
    label: 'Clear from (tokens)',
    aliases: ['triggerTokens'],
    ...amount('tokens', 100_000, { to: 200_000 }),
    help: `Clearing begins when the history has at least this many tokens. 0: not a condition. All conditions that are set must be met. ${TOKENS_HELP}`,
  },
  messages: {
    name: 'trigger_messages',
    label: 'Clear from (messages)',
    ...amount('messages', 0, { to: 200 }),
    help: 'Clearing begins when the history has at least this many messages. 0: not a condition.',
  },
  fraction: {
    name: 'trigger_fraction',
    label: 'Clear from (share of window)',
    type: 'number',
    default: 0,
    min: 0,
    softMax: 1,
    relax: { towards: 'more', step: 0.01, upTo: 10 },
    help: 'Clearing begins when the history fills at least this share of the context window. 0: not a condition.',
  },
  orTriggers: {
    name: 'or_triggers',
    label: 'Or clear when',
    type: 'rules',
    default: {},
    fields: OR_FIELDS,
    help: 'Further triggers under names you choose: clearing begins when all conditions of any one of them are met, or those above.',
  },
  keepUnit: {
    name: 'keep_unit',
    label: 'Keep counts',
    type: 'choice',
    default: 'messages',
    choices: [
      { value: 'messages', help: 'That many of the latest tool results.' },
      { value: 'tokens', help: 'The latest tool results, as many as fit.' },
      { value: 'fraction', help: 'The latest tool results, as many as fit that share of the window.' },
    ],
    help: 'What keep counts.',
  },
  keep: {
    name: 'keep',
    label: 'Latest to keep',
    aliases: ['keepMessages'],
    type: 'number',
    default: 3,
    min: 0,
    softMax: 50,
    unitBy: { param: 'keep_unit', units: { messages: 'results', tokens: 'tokens', fraction: 'of the window' } },
    relax: { towards: 'more' },
    help: 'How much of the latest tool results stays. Excluded tools count too.',
  },
  clearToolInputs: {
    name: 'clear_tool_inputs',
    label: 'Clear arguments too',
    aliases: ['clearToolInputs'],
    type: 'boolean',
    default: false,
    relax: { values: [false] },
    help: 'Clear the arguments of the calls too.',
  },
  excludeTools: { ...EXCLUDED_TOOLS, aliases: ['excludeTools'], help: 'Tools whose results are never cleared.' },
  placeholder: {
    name: 'placeholder',
    label: 'Text in place of a result',
    type: 'string',
    default: '[cleared]',
    help: 'The text that replaces a cleared result.',
  },
  window: WINDOW,
} satisfies Record<string, ParamSchema>;

/** Conditions that must all be met; 0 = not a condition. */
export interface LangchainTrigger {
  readonly tokens: number;
  readonly messages: number;
  readonly fraction: number;
}

/** Parameters of langchain_clear_tool_uses. */
export interface LangchainClearParams {
  /** Clearing begins when any of them is met. */
  readonly triggers: readonly LangchainTrigger[];
  readonly keepUnit: (typeof KEEP_UNITS)[number];
  readonly keep: number;
  readonly clearToolInputs: boolean;
  readonly excludeTools: ReadonlySet<string>;
  readonly placeholder: string;
  readonly window: number;
}

/**
 * LangChain's ClearToolUsesEdit (context editing middleware). Source: reference.langchain.com/javascript,
 * ClearToolUsesEditConfig, and langchain 1.5.14 (November 2026), which says what the reference does not: results without a
 * call go always, excluded results count towards `keep`. Its own JSON is accepted (`trigger: {tokens, messages, fraction}`, all
 * of which must be met, or a list of such, of which any one will do; `keep: {messages}`). The deprecated clearAtLeast is
 * left out. A result block inside a user's message counts as a separate tool message.
 */
export const langchainClearToolUses: StageDefinition<LangchainClearParams> = {
  kind: 'langchain_clear_tool_uses',
  title: 'Clear tool uses (LangChain)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'results' },
  help: 'Replaces the oldest tool results by a placeholder once the history reaches a threshold, and drops results without a call, as LangChain’s ClearToolUsesEdit does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(
      Object.values(PARAMS),
      unwrap(options),
      (reader) => ({
        triggers: [
          {
            tokens: reader.count(PARAMS.tokens),
            messages: reader.count(PARAMS.messages),
            fraction: reader.number(PARAMS.fraction),
          },
          ...reader.rules(PARAMS.orTriggers, orTrigger).values(),
        ],
        keepUnit: reader.choice(PARAMS.keepUnit, KEEP_UNITS),
        keep: reader.number(PARAMS.keep),
        clearToolInputs: reader.flag(PARAMS.clearToolInputs),
        excludeTools: new Set(reader.list(PARAMS.excludeTools)),
        placeholder: reader.text(PARAMS.placeholder) ?? '[cleared]',
        window: reader.count(PARAMS.window),
      }),
      { trigger: 'an object with tokens, messages or fraction, or a list of them' },
    ),
  incremental: (params, context) => new ClearToolUses(params, context),
};

type Options = Readonly<Record<string, unknown>>;

function orTrigger(row: OptionReader): LangchainTrigger {
  const [tokens, messages, fraction] = OR_FIELDS;
  return {
    tokens: tokens === undefined ? 0 : row.count(tokens),
    messages: messages === undefined ? 0 : row.count(messages),
    fraction: fraction === undefined ? 0 : row.number(fraction),
  };
}

// {trigger: {tokens: 1000, messages: 5}, keep: {messages: 3}}, as the library takes it.
function unwrap(options: Options): Options {
  const { trigger, keep, ...rest } = options;
  const flat: Record<string, unknown> = { ...rest };
  const [first, ...others]: readonly unknown[] = Array.isArray(trigger) ? trigger : [trigger];
  if (isRecord(first)) {
    flat.trigger_tokens = ownAt(first, 'tokens') ?? 0;
    flat.trigger_messages = ownAt(first, 'messages') ?? 0;
    flat.trigger_fraction = ownAt(first, 'fraction') ?? 0;
  } else if (first !== undefined) flat.trigger = first;
  if (others.length > 0) flat.or_triggers = Object.fromEntries(others.map((each, at) => [`trigger ${at + 2}`, each]));
  const unit = isRecord(keep) ? KEEP_UNITS.find((name) => Object.hasOwn(keep, name)) : undefined;
  if (isRecord(keep) && unit !== undefined) {
    flat.keep_unit = unit;
    flat.keep = ownAt(keep, unit);
  } else if (keep !== undefined) flat.keep = keep;
  return flat;
}

const NOT_MET: Trigger = { isMet: false, words: '' };
const NOTHING_GONE = { tokens: 0, messages: 0 };
const NO_EDITS: readonly LiveEdit[] = [];

/** The results are one sequence, of which a first part is cleared; those without a call go at once. */
class ClearToolUses extends LiveEdits {
  readonly #params: LangchainClearParams;
  readonly #sequence = new EditSequence();
  #messages = new GrowingToolMessages();
  #paired: ToolMessage[] = [];
  #openPaired: readonly ToolMessage[] = [];
  #tokens = 0;
  /** What results without a call took with them. */
  #gone = NOTHING_GONE;
  #orphans = 0;
  #openOrphans: readonly LiveEdit[] = [];
  #trigger = NOT_MET;
  #keepCount = 0;
  readonly #cleared = new SharedWhy(() => {
    return { rule: 'tool_use_cleared', reason: `${this.#trigger.words}; older than the last ${this.#keptWords()}` };
  });

  constructor(params: LangchainClearParams, given: IncrementalContext) {
    super(given, params.placeholder);
    this.#params = params;
  }

  protected override reset(): void {
    super.reset();
    this.#sequence.clear();
    this.#messages = new GrowingToolMessages();
    this.#paired = [];
    this.#openPaired = [];
    this.#tokens = 0;
    this.#gone = NOTHING_GONE;
    this.#orphans = 0;
    this.#openOrphans = [];
  }

  protected override *pushAll(from: number): Pausing<void> {
    if (from > 0) return yield* super.pushAll(from);
    this.#tokens = viewTotal(this.reader, this.context);
    for (let position = 0; position < this.reader.length; position++) {
      if (position % PAUSE_EVERY === PAUSE_EVERY - 1) yield PAUSE;
      this.#pair(position);
    }
  }

  protected push(position: number): void {
    this.#pair(position);
    this.#tokens += itemTokens(this.reader.item(position), this.context);
  }

  #pair(position: number): void {
    const settled = this.#messages.push(position, this.reader.facts);
    if (settled === null) return;
    this.#sequence.truncate(this.#paired.length, (edit) => this.take(edit));
    for (const message of settled.paired) {
      this.#addMessage(message);
      this.#paired.push(message);
    }
    for (const edit of orphanEdits(settled)) this.add(edit);
    this.#gone = this.#goneWith(settled);
    this.#orphans += settled.orphans.length;
  }

  protected settle(): Pausing<void> {
    this.#cleared.change();
    const known = this.#paired.length;
    const add = (edit: LiveEdit) => this.add(edit);
    const take = (edit: LiveEdit) => this.take(edit);
    this.#sequence.truncate(known, take);
    for (const edit of this.#openOrphans) this.take(edit);
    const open = this.#messages.open(this.reader.length, this.reader.facts);
    this.#openPaired = open.paired;
    for (const message of open.paired) this.#addMessage(message);
    this.#openOrphans = orphanEdits(open);
    for (const edit of this.#openOrphans) this.add(edit);
    const gone = this.#goneWith(open);
    const size = { tokens: this.#tokens - gone.tokens, messages: this.reader.length - gone.messages };
    this.#trigger = triggerOf(size, this.#params, this.context);
    this.#keepCount = keptCount(this.#count(), (at) => this.#tokensOf(this.#at(at)), this.#params, this.context);
    this.#sequence.doFirst(this.#old(), add, take);
    return this.show();
  }

  #addMessage(message: ToolMessage): void {
    if (this.#isExcluded(message)) {
      this.#sequence.push(NO_EDITS);
      return;
    }
    const { place, call } = message;
    const why = this.#cleared.get;
    const edits: LiveEdit[] = [{ place, op: 'result', why }];
    if (this.#params.clearToolInputs) edits.push({ place: call, op: 'input', why });
    this.#sequence.push(edits);
  }

  #goneWith({ orphans }: ToolMessages): { readonly tokens: number; readonly messages: number } {
    let { tokens, messages } = this.#gone;
    let [last, parts] = [-1, 0];
    for (const { message, part } of orphans) {
      tokens += this.editor.partTokens(this.reader.item(message), part);
      parts = message === last ? parts + 1 : 1;
      last = message;
      // A message that holds nothing else is gone without them.
      if (this.reader.facts(message).parts.length === parts) messages++;
    }
    return { tokens, messages };
  }

  /** True if the result's tool is never cleared. */
  #isExcluded({ name }: ToolMessage): boolean {
    return name !== null && this.#params.excludeTools.has(name);
  }

  #tokensOf(message: ToolMessage | undefined): number {
    return message === undefined
      ? 0
      : this.editor.partTokens(this.reader.item(message.place.message), message.place.part);
  }

  #count(): number {
    return this.#paired.length + this.#openPaired.length;
  }

  #at(at: number): ToolMessage | undefined {
    return this.#paired[at] ?? this.#openPaired[at - this.#paired.length];
  }

  // How many results are older than those that stay.
  #old(): number {
    // A share of a result is not a result: `keep` may be a fraction.
    return this.#trigger.isMet ? Math.floor(Math.max(0, this.#count() - this.#keepCount)) : 0;
  }

  #keptWords(): string {
    const count = this.#keepCount;
    if (this.#params.keepUnit === 'messages') return `${countOf(count, 'tool result')} (keep)`;
    if (keepTarget(this.#params, this.context) !== null) return `${grouped(count)} that fit (keep)`;
    return `${countOf(count, 'tool result')}: keep is a share of the window that comes to no tokens`;
  }

  protected details(): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    const old = this.#old();
    const cleared = this.#eachPaired().filter((message, at) => at < old && !this.#isExcluded(message)).length;
    const orphans = this.#orphans + this.#openOrphans.length;
    const dropped = orphans === 0 ? '' : ` · ${countOf(orphans, 'result')} without a call dropped`;
    return {
      summary:
        cleared === 0
          ? `nothing cleared: ${this.#trigger.words}${dropped}`
          : `${countOf(cleared, 'result')} cleared${dropped}`,
      reclaimedTokens: tokens,
      reclaimedChars: chars,
    };
  }

  #eachPaired(): readonly ToolMessage[] {
    return [...this.#paired, ...this.#openPaired];
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    if (!this.#trigger.isMet) {
      const below = keptBecause(stage, 'below_trigger', `kept: ${this.#trigger.words}`);
      return () => below;
    }
    const fates = new Map<number, Fate>();
    const recent = keptBecause(stage, 'recent_tool_use', `kept: among the last ${this.#keptWords()}`);
    const excluded = keptBecause(stage, 'excluded_tool', 'kept: its tool is never cleared (exclude_tools)');
    const old = this.#old();
    for (const [at, { place }] of this.#eachPaired().entries()) fates.set(place.message, at < old ? excluded : recent);
    const other = keptBecause(stage, NOT_CONCERNED, 'kept: it holds no tool result');
    return (position) => fates.get(position) ?? other;
  }
}

function orphanEdits({ orphans }: ToolMessages): LiveEdit[] {
  return orphans.map((place) => ({ place, op: 'remove', why: orphanWhy }));
}

function orphanWhy(): Why {
  return { rule: 'orphan_result', reason: 'no earlier call asked for this result' };
}

/** Whether clearing begins, and the conditions with their values: `120 tokens ≥ 100 (trigger_tokens)`. */
interface Trigger {
  readonly isMet: boolean;
  readonly words: string;
}

/** Weighs the history; results without a call are gone by then. */
function triggerOf(
  { tokens, messages }: { readonly tokens: number; readonly messages: number },
  params: LangchainClearParams,
  context: StageContext,
): Trigger {
  const window = windowOf(params.window, context);
  const given = formatTokenCount(tokens, context);
  const weighed = params.triggers.flatMap((trigger): readonly Trigger[] => {
    const share = window === null ? null : Math.floor(window * trigger.fraction);
    const conditions = [
      ...(trigger.messages > 0
        ? [condition(messages, trigger.messages, countOf(messages, 'message'), 'trigger_messages')]
        : []),
      ...(trigger.tokens > 0 ? [condition(tokens, trigger.tokens, given, 'trigger_tokens')] : []),
      ...(trigger.fraction > 0 ? [fractionCondition(tokens, share, given)] : []),
    ];
    if (conditions.length === 0) return [];
    const words = conditions.map((each) => each.words).join(', ');
    return [{ isMet: conditions.every(({ isMet }) => isMet), words }];
  });
  const met = weighed.find(({ isMet }) => isMet);
  if (met !== undefined) return met;
  const words = weighed.map((each) => each.words).join('; ');
  return { isMet: false, words: weighed.length === 0 ? 'no trigger is set (trigger_tokens 0, and no other)' : words };
}

function condition(value: number, threshold: number, given: string, option: string): Trigger {
  const isMet = value >= threshold;
  return { isMet, words: `${given} ${isMet ? '≥' : '<'} ${grouped(threshold)} (${option})` };
}

function fractionCondition(tokens: number, share: number | null, given: string): Trigger {
  if (share === null) return { isMet: false, words: 'the context window is not known (trigger_fraction)' };
  if (share <= 0) return { isMet: false, words: 'trigger_fraction is a share of the window that comes to no tokens' };
  return condition(tokens, share, given, 'trigger_fraction');
}

/** How many results the library keeps where `keep` is a share of the window that comes to no tokens. */
const KEPT_WITHOUT_SHARE = 3;

/** Tokens that the latest results may take; null = a share of a window that is not known, or comes to none. */
function keepTarget({ keepUnit, keep, window }: LangchainClearParams, context: StageContext): number | null {
  if (keepUnit !== 'fraction') return keep;
  const share = Math.floor((windowOf(window, context) ?? 0) * keep);
  return share > 0 ? share : null;
}

/** How many of the latest of `length` results are kept; `tokensAt` = tokens of each. */
function keptCount(
  length: number,
  tokensAt: (at: number) => number,
  params: LangchainClearParams,
  context: StageContext,
): number {
  if (params.keepUnit === 'messages') return params.keep;
  const target = keepTarget(params, context);
  if (target === null) return KEPT_WITHOUT_SHARE;
  let tokens = 0;
  let count = 0;
  while (count < length) {
    tokens += tokensAt(length - 1 - count);
    if (tokens > target) break;
    count++;
  }
  return count;
}
