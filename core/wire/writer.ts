// What the four writers share: a message as it comes, what they hand back, the book of calls, and the sentences about
// what they pass over.

import type { JsonPath, MessageFacts, Part } from '../model/message.ts';
import { countOf } from '../util/counts.ts';
import { JsonNode } from './jsonNode.ts';
import type { LossList, LossPlace } from './losses.ts';
import { type Arguments, type CallRead, type PartNode, readThinking, textLiteral } from './neutral.ts';
import type { WireEntry } from './types.ts';
import { type Vendor, vendorOf } from './vendor.ts';

/** A message of the view. Parsed only if somebody looks inside. */
export class MessageIn {
  readonly text: string;
  readonly facts: MessageFacts;
  readonly place: LossPlace & { readonly position: number };
  /** It was recorded on this wire and goes out as it is. */
  readonly isVerbatim: boolean;
  readonly #models: readonly string[];
  /** Parts whose id is not recorded, but given. */
  readonly #given = new Set<Part>();
  #node: JsonNode | null = null;

  constructor(
    text: string,
    facts: MessageFacts,
    place: LossPlace & { readonly position: number },
    isVerbatim: boolean,
    models: readonly string[],
    ids: ReadonlyMap<number, string> | undefined,
  ) {
    this.text = text;
    this.facts =
      ids === undefined ? facts : { ...facts, parts: facts.parts.map((part, at) => this.#withId(part, ids.get(at))) };
    this.place = place;
    this.isVerbatim = isVerbatim;
    this.#models = models;
  }

  #withId(part: Part, id: string | undefined): Part {
    if (id === undefined) return part;
    const given = { ...part, callId: id };
    this.#given.add(given);
    return given;
  }

  /** True if the id of a call or result is given here, not recorded. */
  isGiven(part: Part): boolean {
    return this.#given.has(part);
  }

  get node(): JsonNode {
    this.#node ??= JsonNode.parse(this.text);
    return this.#node;
  }

  get role(): string {
    return this.facts.role;
  }

  /** Parts with their JSON, in order. */
  get parts(): readonly PartNode[] {
    return this.facts.parts.map((part) => ({ part, node: this.node.at(part.path) ?? this.node }));
  }

  /** Whose model wrote it; null = not known. */
  get vendor(): Vendor | null {
    return vendorOf(this.node.value, this.#models);
  }

  /** True if it goes out by its shape alone: no id of it had to be given. */
  get hasOwnIds(): boolean {
    return this.#given.size === 0;
  }

  get isSystem(): boolean {
    return this.role === 'system' || this.role === 'developer';
  }
}

/** A message or item of the request: its JSON, how the lint reads it, and whence it is. */
export type Output = WireEntry;

/** What came of a view. `system`: literals of system texts that stood before the first turn and go beside the turns. */
export interface Written {
  readonly outputs: readonly Output[];
  readonly system: readonly string[];
}

/** Writes messages one after the other. */
export interface Writer {
  write(message: MessageIn): void;
  end(): Written;
}

interface Call {
  readonly id: string;
  readonly name: string | null;
  /** Type of the block or item that called. */
  readonly type: string;
}

/** Calls seen so far: what a result needs to know of its call. */
export class CallBook {
  readonly #byId = new Map<string, Call>();

  /** Takes in a call. */
  call(part: Part, type: string): Call {
    const call = { id: part.callId ?? '', name: part.name ?? null, type };
    this.#byId.set(call.id, call);
    return call;
  }

  /** The call that a result answers, or what the result itself says of it. */
  answered(part: Part): Call {
    const id = part.callId ?? '';
    return this.#byId.get(id) ?? { id, name: part.name ?? null, type: '' };
  }
}

const MESSAGE_KEYS = ['role', 'content', 'parts', 'tool_calls', 'function_call', 'type'];
const RESULT_KEYS = [
  'tool_call_id',
  'tool_call_ids',
  'toolCallId',
  'tool_use_id',
  'toolUseId',
  'name',
  'toolName',
  'is_error',
  'isError',
];
/** Reports what a message holds apart from its content: what its model said, and what a tool kept for itself. */
export function siblingsOfContent(message: MessageIn, losses: LossList): void {
  const { node, place, facts } = message;
  const isResult = facts.parts.some(({ path }) => path.length === 0);
  const known = new Set([...MESSAGE_KEYS, ...(isResult ? RESULT_KEYS : [])]);
  for (const { path } of facts.parts) if (path.length === 1 && typeof path[0] === 'string') known.add(path[0]);
  losses.unused(place, node, [], known, 'metadata');
}

/** True if a result is marked as failed: the mark is meant, not its text. */
export function isMarkedFailed({ part, node }: PartNode): boolean {
  return part.isError === true && FAILURE_KEYS.some((key) => node.get(key)?.isEmpty === false);
}

const FAILURE_KEYS = ['is_error', 'isError', 'error', 'status'];

/** Reports that reasoning is not carried. */
export function thinkingLost(message: MessageIn, { part, node }: PartNode, losses: LossList, target: string): void {
  const { signature } = readThinking(node);
  if (part.kind === 'opaque') {
    const text = 'encrypted reasoning: only the provider that encrypted it can read it';
    losses.leftOut(message.place, 'encrypted', part.path, text);
    return;
  }
  const why = signature === null ? `${target} takes no reasoning of others` : 'signed for another provider';
  losses.leftOut(message.place, 'thinking', part.path, `reasoning of ${countOf(part.chars, 'character')}: ${why}`);
}

/** Reports a block that has no counterpart. */
export function blockLost(message: MessageIn, { part, node }: PartNode, losses: LossList, target: string): void {
  const type = node.string('type') ?? [...node.members.keys()][0] ?? typeof node.value;
  const isServer = part.category === 'tool_call' || part.category === 'tool_result' || type.endsWith('_call');
  const text = isServer
    ? `${type}: a tool that the provider ran itself; ${target} cannot be given its calls and results`
    : `${type}: ${target} has no such block`;
  losses.leftOut(message.place, isServer ? 'server_tool' : 'block', part.path, text);
}

/** The literal of an opaque or unknown block that is a readable summary of a compaction; null if it is none. */
export function compactionText({ node }: PartNode): string | null {
  const content = node.get('content');
  return node.string('type') === 'compaction' && content?.isString === true ? content.text : null;
}

/** Arguments as the JSON object that some wires ask for; a text is wrapped, which is reported. */
export function objectArguments(
  message: MessageIn,
  path: JsonPath,
  { args, isCustom }: CallRead,
  losses: LossList,
): string {
  if (args.kind === 'object') return args.json;
  if (isCustom) {
    losses.changed(message.place, 'custom_tool', path, 'a call that takes a text: given as {"input": …}');
    return `{"input":${args.literal}}`;
  }
  losses.changed(message.place, 'arguments', path, 'arguments that are not a JSON object: given as {"arguments": …}');
  return `{"arguments":${args.literal}}`;
}

/** Arguments as the text that OpenAI's wires ask for: its literal. */
export function argumentsLiteral(args: Arguments): string {
  return args.kind === 'object' ? JSON.stringify(args.json) : args.literal;
}

/** The literal of a text part, and the losses of what is in its block besides. */
export function plainText(
  message: MessageIn,
  { part, node }: PartNode,
  losses: LossList,
  path: JsonPath = part.path,
): string {
  if (node.isRecord) {
    losses.unused(message.place, node, path, new Set(['type', 'text', 'refusal']));
    if (node.string('type') === 'refusal') losses.changed(message.place, 'refusal', path, 'a refusal: given as text');
  }
  return textLiteral(node);
}

/**
 * Reports parts of one message that are sent in another order than they have there: `rank` says which kinds go first, `why` in
 * the words of the target.
 */
export function orderReported(message: MessageIn, rank: (part: Part) => number, why: string, losses: LossList): void {
  let highest = 0;
  for (const part of message.facts.parts) {
    if (rank(part) < highest) {
      losses.changed(message.place, 'order', [], why);
      return;
    }
    highest = rank(part);
  }
}

/** Results go before all else. */
export function resultsFirst({ kind }: Part): number {
  return kind === 'tool_result' ? 0 : 1;
}

/** Reports a call or result that had no id and was given one. */
export function idMade(message: MessageIn, part: Part, id: string, losses: LossList): void {
  if (!message.isGiven(part)) return;
  losses.changed(message.place, 'id', part.path, `no id that could be sent is recorded: ${id} is given`);
}

/** True for a literal that holds nothing. */
export function isBlank(literal: string): boolean {
  return literal === '""';
}
