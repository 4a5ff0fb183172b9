import { findExchanges } from '../../model/exchanges.ts';
import type { Problem } from '../../model/problem.ts';
import { parseParams } from '../../view/parseParams.ts';
import { readView, type ViewReader } from '../../view/reader.ts';
import type { Fate, ParamSchema, StageContext, StageDefinition, View, ViewItem } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import { conclude, type Decision, savedTokens } from './support/conclude.ts';
import { prefixTokens } from './support/counting.ts';
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
    aliases: ['startOn'],
    type: 'list',
    choices: TYPES,
    default: [],
    when: { param: 'strategy', is: ['last'] },
    help: 'Types the kept messages may begin with: what comes before the first of them goes. Empty: any. human avoids results without their call.',
  },
  endOn: {
    name: 'end_on',
    aliases: ['endOn'],
    type: 'list',
    choices: TYPES,
    default: [],
    help: 'Types the kept messages may end with: what comes after the last of them goes, with strategy last before the count, with first after it. Empty: any.',
  },
  includeSystem: {
    name: 'include_system',
    aliases: ['includeSystem'],
    type: 'boolean',
    default: false,
    when: { param: 'strategy', is: ['last'] },
    help: 'Keep the first message if it is a system message; it counts.',
  },
  allowPartial: {
    name: 'allow_partial',
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
export const langchainTrimMessages: StageDefinition<TrimParams> = {
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
interface Kept {
  readonly head: number;
  readonly from: number;
  readonly to: number;
  readonly partial: Partial | null;
}

function decide(view: View, params: TrimParams, context: StageContext): Decision {
  const reader = readView(view, context.source, context.memo);
  const sums = prefixTokens(reader, context);
  const kept =
    params.strategy === 'last' ? keepLast(reader, params, context, sums) : keepFirst(reader, params, context, sums);
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
    const index = reader.indexOf(position);
    if (position < kept.head || (position >= kept.from && position < kept.to)) items.push(reader.item(position));
    else if (kept.partial?.position === position) {
      items.push({ ...reader.item(position), text: kept.partial.text });
      saved += (sums[position + 1] ?? 0) - (sums[position] ?? 0) - kept.partial.tokens;
      if (index !== null) fates.set(index, partialFate(kept.partial, params, context));
    } else {
      saved += (sums[position + 1] ?? 0) - (sums[position] ?? 0);
      if (index !== null) fates.set(index, gone);
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

function keepLast(reader: ViewReader, params: TrimParams, context: StageContext, sums: Float64Array): Kept {
  const { maxTokens, startOn, endOn } = params;
  let to = reader.length;
  if (endOn.size > 0) while (to > 0 && !endOn.has(typeOf(reader.facts(to - 1)))) to--;
  const head = params.includeSystem && to > 0 && typeOf(reader.facts(0)) === 'system' ? 1 : 0;
  const headTokens = sums[head] ?? 0;
  if (headTokens > maxTokens) {
    const partial = params.allowPartial ? partOfMessage(reader, 0, 'last', maxTokens, context) : null;
    return { head: 0, from: to, to, partial };
  }
  let from = to;
  while (from > head && headTokens + (sums[to] ?? 0) - (sums[from - 1] ?? 0) <= maxTokens) from--;
  const room = maxTokens - headTokens - ((sums[to] ?? 0) - (sums[from] ?? 0));
  let partial = params.allowPartial && from > head ? partOfMessage(reader, from - 1, 'last', room, context) : null;
  if (startOn.size > 0) {
    if (partial !== null && !startOn.has(typeOf(reader.facts(partial.position)))) partial = null;
    if (partial === null) while (from < to && !startOn.has(typeOf(reader.facts(from)))) from++;
  }
  return { head, from, to, partial };
}

function keepFirst(reader: ViewReader, params: TrimParams, context: StageContext, sums: Float64Array): Kept {
  const { maxTokens, endOn } = params;
  let to = 0;
  while (to < reader.length && (sums[to + 1] ?? 0) <= maxTokens) to++;
  const room = maxTokens - (sums[to] ?? 0);
  let partial = params.allowPartial && to < reader.length ? partOfMessage(reader, to, 'first', room, context) : null;
  if (endOn.size > 0) {
    if (partial !== null && !endOn.has(typeOf(reader.facts(partial.position)))) partial = null;
    if (partial === null) while (to > 0 && !endOn.has(typeOf(reader.facts(to - 1)))) to--;
  }
  return { head: 0, from: 0, to, partial };
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

function goneFate(params: TrimParams, { stage }: StageContext): Fate {
  return { kind: 'dropped', stage, rule: 'trimmed', reason: `not among ${sideWords(params)}${limitWords(params)}` };
}

function partialFate({ words }: Partial, params: TrimParams, { stage }: StageContext): Fate {
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
