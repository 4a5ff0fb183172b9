import { isRecord, ownAt } from '../../util/unknown.ts';
import { amount } from '../../view/amount.ts';
import { keptBecause, NOT_CONCERNED } from '../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../view/incremental.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ViewReader } from '../../view/reader.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type ParamSchema,
  type Pausing,
  type StageDefinition,
} from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import { Editor, type LiveEdit, type Why } from './support/editor.ts';
import { LiveDecisions } from './support/liveDecisions.ts';
import { type ToolPart, toolPartsOf } from './support/toolParts.ts';

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
    relax: { values: ['none', 'before-last-message'] },
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
    relax: { values: ['none', 'before-last-message'] },
    help: 'Which tool calls go, with their results and approvals.',
  },
  messages: {
    name: 'messages',
    label: 'Messages that keep calls',
    ...amount('messages', 2, { from: 1, to: 50 }),
    when: { param: 'tool_calls', is: ['before-last-n-messages'] },
    help: 'How many of the last messages keep their calls, and their results wherever they are. The SDK holds the results of a turn in one message; other formats may hold them in several.',
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
    relax: { values: ['keep'] },
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
export const vercelPruneMessages: StageDefinition<PruneParams> = {
  kind: 'vercel_prune_messages',
  title: 'Prune messages (Vercel AI SDK)',
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
  incremental: (params, context) => new Prune(params, context),
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

const NONE: readonly ToolPart[] = [];

/**
 * What the last messages spare changes as they move on; a key that is no longer spared, or is now, touches the messages that
 * hold it. Where a call or a result has no id, all is looked at again.
 */
class Prune extends LiveDecisions {
  readonly #params: PruneParams;
  readonly #editor: Editor;
  /** False once a part was seen that only the whole view explains. */
  #isPlain = true;
  #parts: (readonly ToolPart[])[] = [];
  readonly #tools = new Map<string, string>();
  readonly #byKey = new Map<string, number[]>();
  #indexed = 0;
  /** How many of the last messages' parts hold a key. */
  readonly #spared = new Map<string, number>();
  /** Where the last messages began at the call point before. */
  #window = 0;
  #length = 0;
  readonly #touched = new Set<number>();
  readonly #prunedCall: Why;
  readonly #prunedReasoning: Why;

  constructor(params: PruneParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#editor = new Editor(given, { keepEmpty: params.keepEmpty });
    this.#prunedCall = prunedWhy(params);
    this.#prunedReasoning = params.reasoning === 'all' ? ALL_REASONING : REASONING_BEFORE;
  }

  protected reset(): void {
    this.#isPlain = true;
    this.#parts = [];
    this.#tools.clear();
    this.#byKey.clear();
    this.#indexed = 0;
    this.#spared.clear();
    this.#window = 0;
    this.#length = 0;
    this.#touched.clear();
  }

  protected push(position: number): void {
    const parts = this.#params.toolCalls === 'none' ? NONE : this.#plainParts(position);
    this.#parts.push(parts);
  }

  // From the second step on: in the first all is looked at anyway.
  #indexKeys(): void {
    for (; this.#indexed < this.#parts.length; this.#indexed++) {
      for (const { keys, message } of this.#parts[this.#indexed] ?? NONE) {
        for (const key of keys) {
          const known = this.#byKey.get(key);
          if (known === undefined) this.#byKey.set(key, [message]);
          else known.push(message);
        }
      }
    }
  }

  protected *settle(): Pausing<void> {
    const length = this.#parts.length;
    const { keepLast } = this.#params;
    const window = keepLast === null ? length : Math.max(0, length - keepLast);
    if (!this.#isPlain) return yield* this.#settleAll();
    const isFirst = this.#length === 0;
    if (keepLast !== null) {
      if (!isFirst) this.#indexKeys();
      for (let position = isFirst ? window : this.#length; position < length; position++) this.#count(position, 1);
      for (let position = isFirst ? window : this.#window; position < window; position++) this.#count(position, -1);
    }
    for (let position = Math.min(this.#window, this.#length); position < length && !isFirst; position++)
      this.#touched.add(position);
    if (this.#length > 0) this.#touched.add(this.#length - 1);
    this.#window = window;
    this.#length = length;
    if (isFirst) return yield* this.#decideAll();
    let done = 0;
    for (const position of this.#touched) {
      if (++done % PAUSE_EVERY === 0) yield PAUSE;
      this.#decideOne(position, this.#parts[position] ?? NONE);
    }
    this.#touched.clear();
  }

  // A message comes among the last ones, or leaves them.
  #count(position: number, by: 1 | -1): void {
    for (const { keys } of this.#parts[position] ?? NONE) {
      for (const key of keys) {
        const before = this.#spared.get(key) ?? 0;
        this.#spared.set(key, before + by);
        if (before > 0 === before + by > 0) continue;
        for (const holder of this.#byKey.get(key) ?? []) this.#touched.add(holder);
      }
    }
  }

  *#settleAll(): Pausing<void> {
    const parts = this.#params.toolCalls === 'none' ? NONE : toolPartsOf(this.reader, this.context);
    this.#parts = partsByMessage(parts, this.reader.length);
    this.#spared.clear();
    const { keepLast } = this.#params;
    const last = this.reader.length - (keepLast ?? 0);
    for (const { message, keys } of parts) {
      if (keepLast !== null && message >= last) for (const key of keys) this.#spared.set(key, 1);
    }
    yield* this.#decideAll();
  }

  *#decideAll(): Pausing<void> {
    for (let position = 0; position < this.reader.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      this.#decideOne(position, this.#parts[position] ?? NONE);
    }
    this.#touched.clear();
  }

  #decideOne(position: number, parts: readonly ToolPart[]): void {
    const thoughts = this.#reasoningEdits(position);
    const isEmpty = this.reader.facts(position).parts.length === 0;
    if (parts.length === 0 && thoughts.length === 0 && !isEmpty) {
      this.decide(position, null);
      return;
    }
    const edits = [...thoughts];
    const gone = this.#prunedParts(position, parts);
    for (const part of gone) edits.push(removal(position, part, this.#prunedCall));
    if (gone.size > 0) edits.push(...reasoningOf(this.reader, position, gone));
    if (!this.#params.keepEmpty && isEmpty) {
      edits.push({ place: { message: position, part: 0 }, op: 'drop', why: () => EMPTY_WHY });
    }
    this.decide(position, edits.length === 0 ? null : this.#editor.edit(this.reader.item(position), edits));
  }

  #isLast(position: number): boolean {
    const { keepLast } = this.#params;
    return keepLast !== null && position >= this.reader.length - keepLast;
  }

  #isOther({ tool }: ToolPart): boolean {
    return this.#params.tools.size > 0 && tool !== null && !this.#params.tools.has(tool);
  }

  #isSpared(key: string | undefined): boolean {
    return (this.#spared.get(key ?? '') ?? 0) > 0;
  }

  #prunedParts(position: number, parts: readonly ToolPart[]): ReadonlySet<number> {
    if (parts.length === 0 || this.#isLast(position)) return NO_PARTS;
    return new Set(parts.flatMap((one) => (this.#isOther(one) || this.#isSpared(one.keys[0]) ? [] : [one.part])));
  }

  #reasoningEdits(position: number): readonly LiveEdit[] {
    const { reasoning } = this.#params;
    const { role, parts } = this.reader.facts(position);
    if (reasoning === 'none' || role !== 'assistant') return NO_EDITS;
    if (reasoning === 'before-last-message' && position === this.reader.length - 1) return NO_EDITS;
    if (!parts.some(({ category }) => category === 'thinking')) return NO_EDITS;
    return parts.flatMap(({ category }, part) =>
      category === 'thinking' ? [removal(position, part, this.#prunedReasoning)] : [],
    );
  }

  // Reasoning that goes with its calls is not counted: the calls are.
  #counts(): { readonly calls: number; readonly thoughts: number } {
    let calls = 0;
    let thoughts = 0;
    for (let position = 0; position < this.reader.length; position++) {
      calls += this.#prunedParts(position, this.#parts[position] ?? NONE).size;
      thoughts += this.#reasoningEdits(position).length;
    }
    return { calls, thoughts };
  }

  protected details(): ReportDetails {
    const { tokens, chars } = this.savedByAll();
    if (!this.isEditing) return { summary: 'nothing to prune' };
    const { calls, thoughts } = this.#counts();
    const did = [
      ...(calls > 0 ? [`${countOf(calls, 'tool part')} pruned`] : []),
      ...(thoughts > 0 ? [`${countOf(thoughts, 'reasoning part')} pruned`] : []),
    ];
    const summary = did.join(', ') || 'empty messages removed';
    return { summary, reclaimedTokens: tokens, reclaimedChars: chars };
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const { keepLast } = this.#params;
    const count = countOf(keepLast ?? 0, 'message');
    const last = keptBecause(stage, 'last_messages', `kept: among the last ${count}`);
    const needed = keptBecause(
      stage,
      'needed_by_last',
      `kept: the last ${count} ${keepLast === 1 ? 'has' : 'have'} to do with its tool call`,
    );
    const tools = [...this.#params.tools].join(', ');
    const other = keptBecause(stage, 'other_tool', `kept: its tool is not among ${tools} (tools)`);
    const none = keptBecause(stage, NOT_CONCERNED, 'kept: it holds nothing that is to be pruned');
    return (position) => {
      if (this.#isLast(position)) return last;
      // The last part that says something says it.
      const said = (this.#parts[position] ?? NONE).findLast(
        (one) => this.#isOther(one) || one.keys.some((key) => this.#isSpared(key)),
      );
      return said === undefined ? none : this.#isOther(said) ? other : needed;
    };
  }

  #plainParts(position: number): readonly ToolPart[] {
    const { parts, role } = this.reader.facts(position);
    const found: ToolPart[] = [];
    for (const [part, { kind, callId, name }] of parts.entries()) {
      if (kind === 'other' && (role === 'assistant' || role === 'tool')) this.#isPlain = false;
      if (kind !== 'tool_call' && kind !== 'tool_result') continue;
      if (typeof callId !== 'string') {
        this.#isPlain = false;
        continue;
      }
      if (typeof name === 'string') this.#tools.set(callId, name);
      const tool = name ?? this.#tools.get(callId) ?? null;
      // Only a later part may show it.
      if (tool === null && this.#params.tools.size > 0) this.#isPlain = false;
      found.push({ message: position, part, tool, keys: [callId] });
    }
    return found.length === 0 ? NONE : found;
  }
}

const NO_PARTS: ReadonlySet<number> = new Set();
const NO_EDITS: readonly LiveEdit[] = [];

function partsByMessage(parts: readonly ToolPart[], length: number): (readonly ToolPart[])[] {
  const byMessage: ToolPart[][] = Array.from({ length }, () => []);
  for (const part of parts) byMessage[part.message]?.push(part);
  return byMessage;
}

function removal(message: number, part: number, why: Why): LiveEdit {
  return { place: { message, part }, op: 'remove', why: () => why };
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

// Reasoning goes with the calls it led to: if all that follows it, up to the next reasoning, was pruned.
function reasoningOf(reader: ViewReader, message: number, gone: ReadonlySet<number>): readonly LiveEdit[] {
  const { role, parts } = reader.facts(message);
  if (role !== 'assistant') return NO_EDITS;
  const isThought = (at: number): boolean => parts[at]?.category === 'thinking';
  const edits: LiveEdit[] = [];
  for (let at = 0; at < parts.length; ) {
    const start = at;
    while (at < parts.length && isThought(at)) at++;
    const end = at;
    while (at < parts.length && !isThought(at)) at++;
    const isFollowed = at > end;
    const isPruned = Array.from({ length: at - end }, (_, offset) => end + offset).every((part) => gone.has(part));
    if (!isFollowed || !isPruned) continue;
    for (let part = start; part < end; part++) edits.push(removal(message, part, REASONING_OF_CALL));
  }
  return edits;
}
