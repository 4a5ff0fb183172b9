import { isRecord, ownAt } from '../../../../core/util/unknown.ts';
import { parseParams } from '../../../../core/view/parseParams.ts';
import { readView, type ViewReader } from '../../../../core/view/reader.ts';
import type { Fate, ParamSchema, Pausing, StageContext, View } from '../../../../core/view/types.ts';
import { countOf } from '../../../../core/view/words.ts';
import type { PlainStage } from '../plain.ts';
import { conclude, type Decision, savedTokens } from './support/conclude.ts';
import { Edits, type Why } from './support/edits.ts';
import { type ToolPart, toolPartsOf } from './support/toolParts.ts';

const NAME = { kind: 'vercel_prune_messages', title: 'Prune messages (Vercel AI SDK)' };
const REASONING = ['none', 'all', 'before-last-message'] as const;
const TOOL_CALLS = ['none', 'all', 'before-last-message', 'before-last-n-messages'] as const;
const EMPTY = ['remove', 'keep'] as const;

const PARAMS = {
  reasoning: {
    name: 'reasoning',
    label: 'Reasoning to remove',
    type: 'choice',
    default: 'none',
    choices: [
      { value: 'none', help: 'All reasoning stays.' },
      { value: 'all', help: 'All reasoning goes.' },
      { value: 'before-last-message', help: 'Reasoning goes, except that of the last message.' },
    ],
    help: 'Which reasoning is taken out of the assistant’s messages.',
  },
  toolCalls: {
    name: 'tool_calls',
    label: 'Calls to remove',
    aliases: ['toolCalls'],
    type: 'choice',
    default: 'none',
    choices: [
      { value: 'none', help: 'All tool calls stay.' },
      { value: 'all', help: 'All calls, results and approvals go.' },
      { value: 'before-last-message', help: 'They go, unless the last message has to do with them.' },
      { value: 'before-last-n-messages', help: 'They go, unless one of the last messages has to do with them.' },
    ],
    help: 'Which tool calls go, with their results and approvals.',
  },
  messages: {
    name: 'messages',
    label: 'Messages that keep calls',
    type: 'integer',
    default: 2,
    min: 1,
    softMax: 50,
    unit: 'messages',
    when: { param: 'tool_calls', is: ['before-last-n-messages'] },
    help: 'How many of the last messages keep their calls, and results of theirs wherever they stand. The SDK holds the results of a turn in one message; other formats may hold them in several.',
  },
  tools: {
    name: 'tools',
    label: 'Only these tools',
    type: 'list',
    offers: 'tools',
    default: [],
    help: 'Only calls of these tools go. Empty: of all. For several rules, use the stage several times.',
  },
  emptyMessages: {
    name: 'empty_messages',
    label: 'Empty messages',
    aliases: ['emptyMessages'],
    type: 'choice',
    default: 'remove',
    choices: [
      { value: 'remove', help: 'They go.' },
      { value: 'keep', help: 'They stay, empty.' },
    ],
    help: 'What happens to messages without content, those that had none before among them.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of vercel_prune_messages; keepLast null = no message is spared. */
export interface PruneParams {
  readonly reasoning: (typeof REASONING)[number];
  readonly toolCalls: (typeof TOOL_CALLS)[number];
  readonly keepLast: number | null;
  readonly tools: ReadonlySet<string>;
  readonly keepEmpty: boolean;
}

/**
 * pruneMessages of Vercel's AI SDK. Source: ai-sdk.dev/docs/reference/ai-sdk-ui/prune-messages and `ai` 7.0.173
 * (November 2026). Reasoning goes with the calls it led to. Its own words are accepted (`toolCalls:
 * "before-last-2-messages"`, or a list with one `{type, tools}`). In formats where a message is a tool result as a whole,
 * the message goes even if empty ones are kept: nothing else is in it.
 */
export const vercelPruneMessages: PlainStage<PruneParams> = {
  ...NAME,
  aliases: [],
  family: 'vendors',
  help: 'Takes reasoning, and tool calls with their results, out of older messages, as pruneMessages of the AI SDK does.',
  params: Object.values(PARAMS),
  usesTokens: true,
  parse: (options) =>
    parseParams(Object.values(PARAMS), unwrap(options), (reader) => {
      const toolCalls = reader.choice(PARAMS.toolCalls, TOOL_CALLS);
      const messages = reader.count(PARAMS.messages);
      return {
        reasoning: reader.choice(PARAMS.reasoning, REASONING),
        toolCalls,
        keepLast: toolCalls === 'before-last-message' ? 1 : toolCalls === 'before-last-n-messages' ? messages : null,
        tools: new Set(reader.list(PARAMS.tools)),
        keepEmpty: reader.choice(PARAMS.emptyMessages, EMPTY) === 'keep',
      };
    }),
  *run(view, params, context) {
    return conclude(NAME, view, context, yield* decide(view, params, context));
  },
};

type Options = Readonly<Record<string, unknown>>;

const BEFORE_LAST_N = /^before-last-(\d+)-messages$/;

// toolCalls: "before-last-2-messages", or [{type: "all", tools: ["a"]}], as the SDK takes it.
function unwrap(options: Options): Options {
  const name = Object.hasOwn(options, 'toolCalls') ? 'toolCalls' : 'tool_calls';
  const given = ownAt(options, name);
  const [only, ...others] = Array.isArray(given) ? given : [];
  const rule = isRecord(only) && others.length === 0 ? only : null;
  const type: unknown =
    rule === null ? (Array.isArray(given) && given.length === 0 ? 'none' : given) : ownAt(rule, 'type');
  const count = typeof type === 'string' ? BEFORE_LAST_N.exec(type)?.[1] : undefined;
  const tools = rule === null ? undefined : ownAt(rule, 'tools');
  return {
    ...options,
    ...(type !== undefined && { [name]: count === undefined ? type : 'before-last-n-messages' }),
    ...(count !== undefined && { messages: Number(count) }),
    ...(tools !== undefined && { tools }),
  };
}

function* decide(view: View, params: PruneParams, context: StageContext): Pausing<Decision> {
  const reader = readView(view, context.source, context.memo);
  const edits = new Edits(reader, context, { keepEmpty: params.keepEmpty });
  const parts = params.toolCalls === 'none' ? [] : toolPartsOf(reader, context);
  const spared = sparedKeys(parts, reader.length, params);
  const counts = pruneAll(reader, parts, spared, params, edits);
  const edited = yield* edits.apply();
  const did = [
    ...(counts.calls > 0 ? [`${countOf(counts.calls, 'tool part')} pruned`] : []),
    ...(counts.thoughts > 0 ? [`${countOf(counts.thoughts, 'reasoning part')} pruned`] : []),
  ];
  return {
    ...edited,
    summary:
      edited.items === null
        ? 'nothing to prune'
        : `${did.join(', ') || 'empty messages removed'} · ${savedTokens(edited.reclaimedTokens)}`,
    explain: explainer(reader, parts, spared, params, context),
  };
}

/** What the last messages have to do with stays everywhere, so that no pair is torn. */
export function sparedKeys(parts: readonly ToolPart[], length: number, { keepLast }: PruneParams): ReadonlySet<string> {
  const spared = new Set<string>();
  for (const { message, keys } of parts) {
    if (keepLast !== null && message >= length - keepLast) for (const key of keys) spared.add(key);
  }
  return spared;
}

/** Prunes every message; gives how many parts that were of tools, and of reasoning by its own option. */
export function pruneAll(
  reader: ViewReader,
  parts: readonly ToolPart[],
  spared: ReadonlySet<string>,
  params: PruneParams,
  edits: Edits,
): { readonly calls: number; readonly thoughts: number } {
  let calls = 0;
  let thoughts = 0;
  let next = 0;
  for (let position = 0; position < reader.length; position++) {
    const start = next;
    while (parts[next]?.message === position) next++;
    const isSpared = (key: string): boolean => spared.has(key);
    const counts = pruneMessage(position, reader, parts.slice(start, next), isSpared, params, edits);
    calls += counts.calls;
    thoughts += counts.thoughts;
  }
  return { calls, thoughts };
}

/** Prunes one message; `parts` = its tool parts. */
export function pruneMessage(
  position: number,
  reader: ViewReader,
  parts: readonly ToolPart[],
  isSpared: (key: string) => boolean,
  params: PruneParams,
  edits: Edits,
): { readonly calls: number; readonly thoughts: number } {
  const thoughts = pruneReasoning(position, reader, params, edits);
  const gone = new Set<number>();
  const isLast = params.keepLast !== null && position >= reader.length - params.keepLast;
  for (const { part, tool, keys } of isLast ? [] : parts) {
    const isOther = params.tools.size > 0 && tool !== null && !params.tools.has(tool);
    if (isOther || isSpared(keys[0] ?? '')) continue;
    edits.remove({ message: position, part }, prunedWhy(params));
    gone.add(part);
  }
  if (gone.size > 0) pruneReasoningOf(reader, position, gone, edits);
  if (!params.keepEmpty && reader.facts(position).parts.length === 0) edits.drop(position, EMPTY_WHY);
  return { calls: gone.size, thoughts };
}

const EMPTY_WHY: Why = { rule: 'empty_message', reason: 'it has no content (empty_messages: remove)' };
const ALL_REASONING: Why = { rule: 'reasoning_pruned', reason: 'all reasoning goes (reasoning: all)' };
const REASONING_BEFORE: Why = {
  rule: 'reasoning_pruned',
  reason: 'not the last message (reasoning: before-last-message)',
};
const REASONING_OF_CALL: Why = {
  rule: 'reasoning_of_pruned_call',
  reason: 'the tool calls that it led to were pruned',
};

function prunedWhy({ keepLast, toolCalls }: PruneParams): Why {
  const last = keepLast === null ? '' : `nothing in the last ${countOf(keepLast, 'message')} has to do with it `;
  return { rule: 'tool_call_pruned', reason: `${last || 'all tool calls go '}(tool_calls: ${toolCalls})` };
}

function pruneReasoning(position: number, reader: ViewReader, { reasoning }: PruneParams, edits: Edits): number {
  const { role, parts } = reader.facts(position);
  if (reasoning === 'none' || role !== 'assistant') return 0;
  if (reasoning === 'before-last-message' && position === reader.length - 1) return 0;
  let count = 0;
  for (const [part, { category }] of parts.entries()) {
    if (category !== 'thinking') continue;
    edits.remove({ message: position, part }, reasoning === 'all' ? ALL_REASONING : REASONING_BEFORE);
    count++;
  }
  return count;
}

// Reasoning goes with the calls it led to: if all that follows it, up to the next reasoning, was pruned.
function pruneReasoningOf(reader: ViewReader, message: number, gone: ReadonlySet<number>, edits: Edits): void {
  const { role, parts } = reader.facts(message);
  if (role !== 'assistant') return;
  const isThought = (at: number): boolean => parts[at]?.category === 'thinking';
  for (let at = 0; at < parts.length; ) {
    const start = at;
    while (at < parts.length && isThought(at)) at++;
    const end = at;
    while (at < parts.length && !isThought(at)) at++;
    const isFollowed = at > end;
    const isPruned = Array.from({ length: at - end }, (_, offset) => end + offset).every((part) => gone.has(part));
    if (!isFollowed || !isPruned) continue;
    for (let part = start; part < end; part++) edits.remove({ message, part }, REASONING_OF_CALL);
  }
}

function explainer(
  reader: ViewReader,
  parts: readonly ToolPart[],
  spared: ReadonlySet<string>,
  { keepLast, tools }: PruneParams,
  { stage }: StageContext,
) {
  const kept = (rule: string, reason: string): Fate => ({ kind: 'kept', stage, rule, reason });
  const last = kept('last_messages', `kept: among the last ${countOf(keepLast ?? 0, 'message')}`);
  const needed = kept(
    'needed_by_last',
    `kept: the last ${countOf(keepLast ?? 0, 'message')} have to do with its tool call`,
  );
  const other = kept('other_tool', `kept: its tool is not among ${[...tools].join(', ')} (tools)`);
  const none = kept('not_concerned', 'kept: it holds nothing that is to be pruned');
  const fates = new Map<number, Fate>();
  for (const { message, tool, keys } of parts) {
    if (tools.size > 0 && tool !== null && !tools.has(tool)) fates.set(message, other);
    else if (keys.some((key) => spared.has(key))) fates.set(message, needed);
  }
  return (position: number): Fate =>
    keepLast !== null && position >= reader.length - keepLast ? last : (fates.get(position) ?? none);
}
