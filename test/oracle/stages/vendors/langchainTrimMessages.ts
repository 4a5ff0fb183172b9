import { findExchanges } from '../../../../core/model/exchanges.ts';
import type { Problem } from '../../../../core/model/problem.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import { itemTokens } from '../../../../core/view/tokens.ts';
import type { Fate, ParamSchema, StageContext, View, ViewItem } from '../../../../core/view/types.ts';
import { countOf, grouped } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, savedTokens } from './support/conclude.ts';
import { typeOf } from './support/messageType.ts';
import { TOKENS_HELP } from './support/options.ts';
import { type Partial, partOfMessage } from './support/partialMessage.ts';

const NAME = { kind: 'langchain_trim_messages', title: 'Trim messages (LangChain)' };
const STRATEGIES = ['last', 'first'] as const;

const TYPES = [
  { value: 'human', help: 'Messages of a person.' },
  { value: 'ai', help: 'Messages of the assistant.' },
  { value: 'system', help: 'Instructions.' },
  { value: 'tool', help: 'Tool results.' },
];

const PARAMS = {
  strategy: {
    name: 'strategy',
    label: 'End to keep',
    type: 'choice',
    default: 'last',
    choices: [
      { value: 'last', help: 'Keep the latest messages.' },
      { value: 'first', help: 'Keep the oldest messages.' },
    ],
    help: 'Which end is kept.',
  },
  maxTokens: {
    name: 'max_tokens',
    label: 'Most tokens',
    aliases: ['maxTokens'],
    type: 'integer',
    default: 100_000,
    min: 0,
    softMax: 400_000,
    unit: 'tokens',
    help: `How much is kept at most. The library has no default. ${TOKENS_HELP}`,
  },
  startOn: {
    name: 'start_on',
    label: 'May begin with',
    aliases: ['startOn'],
    type: 'list',
    choices: TYPES,
    default: [],
    when: { param: 'strategy', is: ['last'] },
    help: 'Types the kept messages may begin with: what comes before the first of them goes. Empty: any. human avoids results without their call.',
  },
  endOn: {
    name: 'end_on',
    label: 'May end with',
    aliases: ['endOn'],
    type: 'list',
    choices: TYPES,
    default: [],
    help: 'Types the kept messages may end with: what comes after the last of them goes, with strategy last before the count, with first after it. Empty: any.',
  },
  includeSystem: {
    name: 'include_system',
    label: 'Keep the system message',
    aliases: ['includeSystem'],
    type: 'boolean',
    default: false,
    when: { param: 'strategy', is: ['last'] },
    help: 'Keep the first message if it is a system message; it counts.',
  },
  allowPartial: {
    name: 'allow_partial',
    label: 'Allow part of a message',
    aliases: ['allowPartial'],
    type: 'boolean',
    default: false,
    help: 'Keep a piece of the message that does not fit as a whole: some of its blocks, else some lines of its text.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of langchain_trim_messages. */
export interface TrimParams {
  readonly strategy: (typeof STRATEGIES)[number];
  readonly maxTokens: number;
  readonly startOn: ReadonlySet<string>;
  readonly endOn: ReadonlySet<string>;
  readonly includeSystem: boolean;
  readonly allowPartial: boolean;
}

/**
 * LangChain's trimMessages. Source: reference.langchain.com/javascript, trimMessages and TrimMessagesFields, and
 * @langchain/core 1.2.13 (November 2026). As its examples show, a partial message keeps its first blocks under either
 * strategy; of a text it keeps the first lines, or with `last` the last. A user's message of tool results alone counts as
 * type tool. The reference says that start_on spares a system message that include_system keeps; so it is done.
 */
export const langchainTrimMessages: PlainStage<TrimParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Keeps the last (or first) messages that fit a number of tokens, as LangChain’s trimMessages does. It may part a result from its call.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), options, (reader) => {
      const strategy = reader.choice(PARAMS.strategy, STRATEGIES);
      const startOn = new Set(reader.list(PARAMS.startOn));
      const includeSystem = reader.flag(PARAMS.includeSystem);
      if (strategy === 'first' && startOn.size > 0) reader.error('start_on', 'start_on needs strategy last.');
      if (strategy === 'first' && includeSystem) reader.error('include_system', 'include_system needs strategy last.');
      return {
        strategy,
        maxTokens: reader.count(PARAMS.maxTokens),
        startOn,
        endOn: new Set(reader.list(PARAMS.endOn)),
        includeSystem,
        allowPartial: reader.flag(PARAMS.allowPartial),
      };
    }),
  // biome-ignore lint/correctness/useYield: a stage is a generator so that it can ask for user code; this one need not
  *run(view, params, context) {
    return conclude(NAME, view, context, decide(view, params, context));
  },
};

/** What is kept: the head (a system message or none), [from, to), and a piece of one message beside it. */
export interface Kept {
  readonly head: number;
  readonly from: number;
  readonly to: number;
  readonly partial: Partial | null;
}

/** What the choice needs of a view: sums of tokens, and where messages stand that it may begin or end on. */
export class TrimIndex {
  readonly sums: number[] = [0];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  startsWithSystem = false;

  get length(): number {
    return this.sums.length - 1;
  }

  /** The view has one more message. */
  push(type: string, tokens: number, { startOn, endOn }: TrimParams): void {
    const position = this.length;
    if (position === 0) this.startsWithSystem = type === 'system';
    if (startOn.size === 0 || startOn.has(type)) this.starts.push(position);
    if (endOn.size === 0 || endOn.has(type)) this.ends.push(position);
    this.sums.push((this.sums[position] ?? 0) + tokens);
  }
}

function decide(view: View, params: TrimParams, context: StageContext): Decision {
  const reader = readView(view, context.source, context.memo);
  const index = new TrimIndex();
  for (let position = 0; position < reader.length; position++) {
    index.push(typeOf(reader.facts(position)), itemTokens(reader.item(position), context), params);
  }
  const { sums } = index;
  const kept = keptOf(index, reader, params, context);
  const explain = explainer(kept, params, context);
  if (kept.head + kept.to - kept.from === reader.length) {
    const total = grouped(sums[reader.length] ?? 0);
    return { items: null, fates: new Map(), summary: `nothing to do: ${total} tokens fit`, explain };
  }
  const items: ViewItem[] = [];
  const fates = new Map<number, Fate>();
  const gone = goneFate(params, context);
  let saved = 0;
  for (let position = 0; position < reader.length; position++) {
    const source = reader.indexOf(position);
    if (isKept(position, kept)) items.push(reader.item(position));
    else if (kept.partial?.position === position) {
      items.push(kept.partial.item);
      saved += (sums[position + 1] ?? 0) - (sums[position] ?? 0) - kept.partial.tokens;
      if (source !== null) fates.set(source, partialFate(kept.partial, params, context));
    } else {
      saved += (sums[position + 1] ?? 0) - (sums[position] ?? 0);
      if (source !== null) fates.set(source, gone);
    }
  }
  return {
    items,
    fates,
    summary: `${countOf(reader.length - items.length, 'message')} dropped · ${savedTokens(saved)}`,
    reclaimedTokens: saved,
    explain,
    problems: splitPairs(kept, reader),
  };
}

/** True if a message is kept as a whole. */
export function isKept(position: number, { head, from, to }: Kept): boolean {
  return position < head || (position >= from && position < to);
}

/** Chooses what is kept. Costs the logarithm of the view's length, and the reading of a partial message. */
export function keptOf(index: TrimIndex, reader: ViewReader, params: TrimParams, context: StageContext): Kept {
  return params.strategy === 'last'
    ? keepLast(index, reader, params, context)
    : keepFirst(index, reader, params, context);
}

function keepLast(index: TrimIndex, reader: ViewReader, params: TrimParams, context: StageContext): Kept {
  const { maxTokens, startOn } = params;
  const { sums } = index;
  const to = (index.ends.at(-1) ?? -1) + 1;
  const head = params.includeSystem && to > 0 && index.startsWithSystem ? 1 : 0;
  const headTokens = sums[head] ?? 0;
  if (headTokens > maxTokens) {
    const partial = params.allowPartial ? partOfMessage(reader, 0, 'last', maxTokens, context) : null;
    return { head: 0, from: to, to, partial };
  }
  const end = sums[to] ?? 0;
  const from = Math.min(
    to,
    firstWhere(head, to, (at) => headTokens + end - (sums[at] ?? 0) <= maxTokens),
  );
  const room = maxTokens - headTokens - (end - (sums[from] ?? 0));
  const partial = params.allowPartial && from > head ? partOfMessage(reader, from - 1, 'last', room, context) : null;
  if (partial !== null && (startOn.size === 0 || startOn.has(typeOf(reader.facts(partial.position))))) {
    return { head, from, to, partial };
  }
  const start = index.starts[firstWhere(0, index.starts.length, (at) => (index.starts[at] ?? 0) >= from)];
  return { head, from: Math.min(to, start ?? to), to, partial: null };
}

function keepFirst(index: TrimIndex, reader: ViewReader, params: TrimParams, context: StageContext): Kept {
  const { maxTokens, endOn } = params;
  const { sums, length } = index;
  const to = firstWhere(0, length, (at) => (sums[at + 1] ?? 0) > maxTokens);
  const room = maxTokens - (sums[to] ?? 0);
  const partial = params.allowPartial && to < length ? partOfMessage(reader, to, 'first', room, context) : null;
  if (partial !== null && (endOn.size === 0 || endOn.has(typeOf(reader.facts(partial.position))))) {
    return { head: 0, from: 0, to, partial };
  }
  const last = index.ends[firstWhere(0, index.ends.length, (at) => (index.ends[at] ?? 0) >= to) - 1];
  return { head: 0, from: 0, to: (last ?? -1) + 1, partial: null };
}

// The first of [low, high) for which it holds, as it does for all behind it; `high` if it holds for none.
function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function sideWords({ strategy, maxTokens }: TrimParams): string {
  return `the ${strategy} ${grouped(maxTokens)} tokens (max_tokens)`;
}

function limitWords({ startOn, endOn }: TrimParams): string {
  const limits = [
    ...(startOn.size > 0 ? [`start_on ${[...startOn].join(', ')}`] : []),
    ...(endOn.size > 0 ? [`end_on ${[...endOn].join(', ')}`] : []),
  ];
  return limits.length === 0 ? '' : `, with ${limits.join(' and ')}`;
}

/** The fate of what goes. */
export function goneFate(params: TrimParams, { stage }: StageContext): Fate {
  return { kind: 'dropped', stage, rule: 'trimmed', reason: `not among ${sideWords(params)}${limitWords(params)}` };
}

/** The fate of a message of which a piece stays. */
export function partialFate({ words }: Partial, params: TrimParams, { stage }: StageContext): Fate {
  const reason = `only ${words} fit among ${sideWords(params)} (allow_partial)`;
  return { kind: 'rewritten', stage, rule: 'partial_message', reason };
}

function explainer({ head }: Kept, params: TrimParams, { stage }: StageContext) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const system = kept('system_message', 'kept: the first message, and a system message (include_system)');
  const fits = kept('fits', `kept: among ${sideWords(params)}${limitWords(params)}`);
  return (position: number): Fate => (position < head ? system : fits);
}

// The library counts, and may keep a result and drop its call: it is done as documented, and said.
function splitPairs({ from, to, partial }: Kept, reader: ViewReader): Problem[] {
  const problems: Problem[] = [];
  const stays = (position: number): boolean => position >= from && position < to;
  for (const exchange of findExchanges(reader.length, reader.facts)) {
    for (const call of exchange.calls) {
      const callStays = stays(call.message) || partial?.position === call.message;
      const split = call.results.find((result) => stays(result.message) !== callStays);
      if (split === undefined) continue;
      const index = reader.indexOf(callStays ? call.message : split.message);
      const left = callStays ? 'a call stays without its result' : 'a result stays without its call';
      problems.push({
        code: 'projection.split_pair',
        severity: 'warning',
        text: `${left} (${call.name ?? 'a tool'}): a provider would reject the request. start_on human avoids it.`,
        ...(index !== null && { where: { index } }),
      });
    }
  }
  return problems;
}
