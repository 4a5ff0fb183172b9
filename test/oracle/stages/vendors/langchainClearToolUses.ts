import { isRecord, ownAt } from '../../../../core/util/unknown.ts';
import type { OptionReader } from '../../../../core/view/optionReader.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, savedTokens } from './support/conclude.ts';
import { partTokens, viewTotal } from './support/counting.ts';
import { Edits, type Why } from './support/edits.ts';
import { TOKENS_HELP, tokensInWords, WINDOW, windowOf } from './support/options.ts';
import { type ToolMessage, toolMessagesOf } from './support/toolMessages.ts';

const NAME = { kind: 'langchain_clear_tool_uses', title: 'Clear tool uses (LangChain)' };
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
    type: 'integer',
    default: 100_000,
    min: 0,
    softMax: 200_000,
    unit: 'tokens',
    help: `Clearing begins when the history has at least this many tokens. 0: not a condition. All conditions that are set must be met. ${TOKENS_HELP}`,
  },
  messages: {
    name: 'trigger_messages',
    label: 'Clear from (messages)',
    type: 'integer',
    default: 0,
    min: 0,
    softMax: 200,
    unit: 'messages',
    help: 'Clearing begins when the history has at least this many messages. 0: not a condition.',
  },
  fraction: {
    name: 'trigger_fraction',
    label: 'Clear from (share of window)',
    type: 'number',
    default: 0,
    min: 0,
    softMax: 1,
    help: 'Clearing begins when the history fills at least this share of the context window. 0: not a condition.',
  },
  orTriggers: {
    name: 'or_triggers',
    label: 'Or clear when',
    type: 'rules',
    default: {},
    fields: OR_FIELDS,
    help: 'Further triggers under names of your own: clearing begins when all conditions of any one of them are met, or those above.',
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
    help: 'How much of the latest tool results stays. Excluded tools count too.',
  },
  clearToolInputs: {
    name: 'clear_tool_inputs',
    label: 'Clear arguments too',
    aliases: ['clearToolInputs'],
    type: 'boolean',
    default: false,
    help: 'Clear the arguments of the calls too.',
  },
  excludeTools: {
    name: 'exclude_tools',
    label: 'Tools never cleared',
    aliases: ['excludeTools'],
    type: 'list',
    offers: 'tools',
    default: [],
    help: 'Tools whose results are never cleared.',
  },
  placeholder: {
    name: 'placeholder',
    label: 'Text in place of a result',
    type: 'string',
    default: '[cleared]',
    help: 'What stands in the place of a cleared result.',
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
 * ClearToolUsesEditConfig, and langchain 1.5.14 (November 2026), which tells what the reference does not: results without a
 * call go always, excluded results count towards `keep`. Its own JSON is accepted (`trigger: {tokens, messages, fraction}`, all
 * of which must be met, or a list of such, of which any one will do; `keep: {messages}`). The deprecated clearAtLeast is
 * left out. A result block inside a user's message counts as a tool message of its own.
 */
export const langchainClearToolUses: PlainStage<LangchainClearParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Replaces the oldest tool results by a placeholder once the history reaches a threshold, and drops results without a call, as LangChain’s ClearToolUsesEdit does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrap(options), (reader) => ({
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
    })),
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
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

function* decide(view: View, params: LangchainClearParams, context: StageContext): Pausing<Decision> {
  const reader = readView(view, context.source, context.memo);
  const { paired, orphans } = toolMessagesOf(reader.length, reader.facts);
  const edits = new Edits(reader, context, { placeholder: params.placeholder });
  for (const place of orphans) edits.remove(place, ORPHAN);
  const gone = orphans.reduce((sum, { message, part }) => sum + partTokens(reader, message, part, context), 0);
  const lone = orphans.filter(({ message }) => isLone(reader, message)).length;
  const tokens = viewTotal(reader, context) - gone;
  const trigger = triggerOf({ tokens, messages: reader.length - lone }, params, context);
  const keepCount = keptCount(paired.length, (at) => tokensOf(paired[at], reader, context), params, context);
  const old = trigger.isMet ? paired.slice(0, Math.max(0, paired.length - keepCount)) : [];
  const clearable = old.filter((message) => !isExcluded(message, params));
  const why = clearedWhy(trigger, keepCount, params);
  for (const { place, call } of clearable) {
    edits.clearResult(place, why);
    if (params.clearToolInputs) edits.clearInput(call, why);
  }
  const edited = yield* edits.apply();
  const dropped = orphans.length === 0 ? '' : ` · ${countOf(orphans.length, 'result')} without a call dropped`;
  return {
    ...edited,
    summary:
      clearable.length === 0
        ? `nothing cleared: ${trigger.words}${dropped}`
        : `${countOf(clearable.length, 'result')} cleared · ${savedTokens(edited.reclaimedTokens)}${dropped}`,
    explain: explainer(paired, old.length, { trigger, keepWords: keptWords(keepCount, params) }, context),
  };
}

/** Why a result without a call goes. */
export const ORPHAN: Why = { rule: 'orphan_result', reason: 'no earlier call asked for this result' };

/** True if a message holds one part alone: without its result it is gone. */
export function isLone(reader: ViewReader, position: number): boolean {
  return reader.facts(position).parts.length === 1;
}

/** True if the result's tool is never cleared. */
export function isExcluded({ name }: ToolMessage, { excludeTools }: LangchainClearParams): boolean {
  return name !== null && excludeTools.has(name);
}

/** Tokens of a result. */
export function tokensOf(message: ToolMessage | undefined, reader: ViewReader, context: StageContext): number {
  return message === undefined ? 0 : partTokens(reader, message.place.message, message.place.part, context);
}

function keptWords(keepCount: number, { keepUnit }: LangchainClearParams): string {
  return `${keepUnit === 'messages' ? countOf(keepCount, 'tool result') : `${grouped(keepCount)} that fit`} (keep)`;
}

/** Why a result is cleared. */
export function clearedWhy(trigger: Trigger, keepCount: number, params: LangchainClearParams): Why {
  const reason = `${trigger.words}; older than the last ${keptWords(keepCount, params)}`;
  return { rule: 'tool_use_cleared', reason };
}

/** Whether clearing begins, and the conditions with their values: `120 tokens ≥ 100 (trigger_tokens)`. */
export interface Trigger {
  readonly isMet: boolean;
  readonly words: string;
}

/** Weighs the history; results without a call are gone by then. */
export function triggerOf(
  { tokens, messages }: { readonly tokens: number; readonly messages: number },
  params: LangchainClearParams,
  context: StageContext,
): Trigger {
  const window = windowOf(params.window, context);
  const given = tokensInWords(tokens, context);
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
  return { isMet: false, words: weighed.length === 0 ? 'no trigger is set' : words };
}

function condition(value: number, threshold: number, given: string, option: string): Trigger {
  const isMet = value >= threshold;
  return { isMet, words: `${given} ${isMet ? '≥' : '<'} ${grouped(threshold)} (${option})` };
}

function fractionCondition(tokens: number, share: number | null, given: string): Trigger {
  if (share === null || share <= 0) {
    return { isMet: false, words: 'the context window is not known (trigger_fraction)' };
  }
  return condition(tokens, share, given, 'trigger_fraction');
}

/** How many of the latest of `length` results are kept; `tokensAt` = tokens of each. */
export function keptCount(
  length: number,
  tokensAt: (at: number) => number,
  params: LangchainClearParams,
  context: StageContext,
): number {
  if (params.keepUnit === 'messages') return params.keep;
  const window = windowOf(params.window, context);
  const target = params.keepUnit === 'tokens' ? params.keep : Math.floor((window ?? 0) * params.keep);
  if (params.keepUnit === 'fraction' && target <= 0) return 3;
  let tokens = 0;
  let count = 0;
  while (count < length) {
    tokens += tokensAt(length - 1 - count);
    if (tokens > target) break;
    count++;
  }
  return count;
}

function explainer(
  paired: readonly ToolMessage[],
  oldCount: number,
  { trigger, keepWords }: { readonly trigger: Trigger; readonly keepWords: string },
  { stage }: StageContext,
) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  if (!trigger.isMet) {
    const below = kept('below_trigger', `kept: ${trigger.words}`);
    return (): Fate => below;
  }
  const fates = new Map<number, Fate>();
  const recent = kept('recent_tool_use', `kept: among the last ${keepWords}`);
  const excluded = kept('excluded_tool', 'kept: its tool is never cleared (exclude_tools)');
  for (const [at, { place }] of paired.entries()) fates.set(place.message, at < oldCount ? excluded : recent);
  const other = kept('not_concerned', 'kept: it holds no tool result');
  return (position: number): Fate => fates.get(position) ?? other;
}
