import { findExchanges } from '../../model/exchanges.ts';
import type { Problem } from '../../model/problem.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import type { OptionReader } from '../../view/optionReader.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { type LiveDecision, LiveDecisions } from './support/liveDecisions.ts';
import { typeOf } from './support/messageType.ts';
import { TOKENS_HELP } from './support/options.ts';
import { type Partial, partOfMessage } from './support/partialMessage.ts';

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
    relax: { values: ['first', 'last'] },
    help: 'Which end is kept.',
  },
  maxTokens: {
    name: 'max_tokens',
    label: 'Most tokens',
    aliases: ['maxTokens'],
    ...amount('tokens', 100_000, { to: 400_000 }),
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
    relax: { values: [[]] },
    help: 'Types the kept messages may begin with: what comes before the first of them goes. Empty: any. human avoids results without their call.',
  },
  endOn: {
    name: 'end_on',
    label: 'May end with',
    aliases: ['endOn'],
    type: 'list',
    choices: TYPES,
    default: [],
    relax: { values: [[]] },
    help: 'Types the kept messages may end with: what comes after the last of them goes, with strategy last before the count, with first after it. Empty: any.',
  },
  includeSystem: {
    name: 'include_system',
    label: 'Keep the system message',
    aliases: ['includeSystem'],
    type: 'boolean',
    default: false,
    when: { param: 'strategy', is: ['last'] },
    relax: { values: [true] },
    help: 'Keep the first message if it is a system message; it counts.',
  },
  allowPartial: {
    name: 'allow_partial',
    label: 'Allow part of a message',
    aliases: ['allowPartial'],
    type: 'boolean',
    default: false,
    relax: { values: [true] },
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
export const langchainTrimMessages: StageDefinition<TrimParams> = {
  kind: 'langchain_trim_messages',
  title: 'Trim messages (LangChain)',
  aliases: [],
  family: 'vendors',
  traits: { clientTakes: 'history' },
  help: 'Keeps the last (or first) messages that fit a number of tokens, as LangChain’s trimMessages does. It may part a result from its call.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) => parseParams(Object.values(PARAMS), options, readTrim),
  incremental: (params, context) => new Trim(params, context),
};

function readTrim(reader: OptionReader): TrimParams {
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
}

/** What is kept: the head (a system message or none), [from, to), and a piece of one message beside it. */
interface Kept {
  readonly head: number;
  readonly from: number;
  readonly to: number;
  readonly partial: Partial | null;
}

/** What the choice needs of a view: sums of tokens, and where messages stand that it may begin or end on. */
class TrimIndex {
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

const NOTHING: Kept = { head: 0, from: 0, to: 0, partial: null };

/** What is kept is a stretch whose ends move. */
class Trim extends LiveDecisions {
  readonly #params: TrimParams;
  #index = new TrimIndex();
  #kept = NOTHING;
  /** How many messages were there when what is shown was chosen. */
  #length = 0;
  /** Shared by all messages that go. */
  #gone: Fate | null = null;

  constructor(params: TrimParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected reset(): void {
    this.#index = new TrimIndex();
    this.#kept = NOTHING;
    this.#length = 0;
  }

  protected push(position: number): void {
    const tokens = itemTokens(this.reader.item(position), this.context);
    this.#index.push(typeOf(this.reader.facts(position)), tokens, this.#params);
  }

  protected settle(): void {
    this.#gone = null;
    const before = this.#kept;
    this.#kept = keptOf(this.#index, this.reader, this.#params, this.context);
    const { from, to, partial } = this.#kept;
    this.#decideAll(0, 1);
    this.#decideAll(Math.min(before.from, from), Math.max(before.from, from));
    this.#decideAll(Math.min(before.to, to, this.#length), Math.max(before.to, to));
    this.#decideAll(this.#length, this.#index.length);
    for (const one of [before.partial, partial]) if (one !== null) this.#decideAll(one.position, one.position + 1);
    this.#length = this.#index.length;
  }

  #decideAll(from: number, to: number): void {
    for (let position = from; position < Math.min(to, this.#index.length); position++) {
      const { partial } = this.#kept;
      if (isKept(position, this.#kept)) this.decide(position, null);
      else if (partial?.position === position) this.decide(position, this.#piece(partial));
      else this.decide(position, this.#goes);
    }
  }

  readonly #goes: LiveDecision = { item: null, kind: 'dropped', fate: () => this.#goneFate() };

  #goneFate(): Fate {
    const reason = `not among ${describeSide(this.#params)}${this.#describeSystem()}${describeLimit(this.#params)}`;
    this.#gone ??= { kind: 'dropped', stage: this.context.stage, rule: 'trimmed', reason };
    return this.#gone;
  }

  // A system message that stays counts; one that is too large by itself leaves room for nothing.
  #describeSystem(): string {
    const { startsWithSystem, sums } = this.#index;
    if (!this.#params.includeSystem || !startsWithSystem) return '';
    return `, of which the system message takes ${grouped(sums[1] ?? 0)} (include_system)`;
  }

  #piece(partial: Partial): LiveDecision {
    const reason = `only ${partial.words} fit among ${describeSide(this.#params)} (allow_partial)`;
    const { stage } = this.context;
    const { item } = partial;
    return { item, kind: 'rewritten', fate: () => ({ kind: 'rewritten', stage, rule: 'partial_message', reason }) };
  }

  protected details(): ReportDetails {
    const { sums, length } = this.#index;
    const { head, from, to, partial } = this.#kept;
    const total = sums[length] ?? 0;
    const whole = head + to - from;
    if (whole === length) return { summary: `nothing to do: ${grouped(total)} tokens fit` };
    const stays = (sums[head] ?? 0) + (sums[to] ?? 0) - (sums[from] ?? 0) + (partial?.tokens ?? 0);
    const count = length - whole - (partial === null ? 0 : 1);
    return {
      summary: `${countOf(count, 'message')} dropped`,
      reclaimedTokens: total - stays,
      problems: splitPairs(this.#kept, this.#params, this.reader),
    };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const first = 'kept: the first message, and a system message (include_system)';
    const system = keptBecause(stage, 'system_message', first);
    const fits = keptBecause(stage, 'fits', `kept: among ${describeSide(this.#params)}${describeLimit(this.#params)}`);
    return (position) => (position < this.#kept.head ? system : fits);
  }
}

/** True if a message is kept as a whole. */
function isKept(position: number, { head, from, to }: Kept): boolean {
  return position < head || (position >= from && position < to);
}

/** Chooses what is kept. Costs the logarithm of the view's length, and the reading of a partial message. */
function keptOf(index: TrimIndex, reader: ViewReader, params: TrimParams, context: StageContext): Kept {
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

function describeSide({ strategy, maxTokens }: TrimParams): string {
  return `the ${strategy} ${grouped(maxTokens)} tokens (max_tokens)`;
}

function describeLimit({ startOn, endOn }: TrimParams): string {
  const limits = [
    ...(startOn.size > 0 ? [`start_on ${[...startOn].join(', ')}`] : []),
    ...(endOn.size > 0 ? [`end_on ${[...endOn].join(', ')}`] : []),
  ];
  return limits.length === 0 ? '' : `, with ${limits.join(' and ')}`;
}

// The library counts, and may keep a result and drop its call: it is done as documented, and said.
function splitPairs({ from, to, partial }: Kept, { strategy, startOn }: TrimParams, reader: ViewReader): Problem[] {
  const problems: Problem[] = [];
  const stays = (position: number): boolean => position >= from && position < to;
  for (const exchange of findExchanges(reader.length, reader.facts)) {
    for (const call of exchange.calls) {
      const callStays = stays(call.message) || partial?.position === call.message;
      const split = call.results.find((result) => stays(result.message) !== callStays);
      if (split === undefined) continue;
      const index = reader.indexOf(callStays ? call.message : split.message);
      const mayHelp = !callStays && strategy === 'last' && startOn.size === 0;
      const help = mayHelp ? ' With start_on human it would begin with a message of a person.' : '';
      const left = callStays ? 'a call stays without its result' : 'a result stays without its call';
      problems.push({
        code: 'projection.split_pair',
        severity: 'warning',
        text: `${left} (${call.name ?? 'a tool'}): a provider would reject the request.${help}`,
        ...(index !== null && { where: { index } }),
      });
    }
  }
  return problems;
}
