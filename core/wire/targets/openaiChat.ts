// OpenAI chat completions. Each result is a separate message; images of results go into a user message behind them,
// because tool messages hold texts only.
import type { Part } from '../../model/message.ts';
import { entryOf } from '../../util/unknown.ts';
import type { JsonNode } from '../jsonNode.ts';
import type { LossList } from '../losses.ts';
import type { Media, PartNode } from '../neutral.ts';
import { innerPart, jsonAsText, readCallNode, readMedia, readResultNode } from '../neutral.ts';
import { fits, shapeFor, trimmed } from '../shapes.ts';
import type { MessageIn, Output, Writer, Written } from '../writer.ts';
import {
  argumentsLiteral,
  blockLost,
  CallBook,
  compactionText,
  idMade,
  isBlank,
  isMarkedFailed,
  orderReported,
  plainText,
  siblingsOfContent,
  thinkingLost,
} from '../writer.ts';
import { CHAT_MESSAGES, CHAT_PARTS } from './chatShapes.ts';
import { loneLiteral, mediaLoss, RESULT_KEYS, siblingSignature } from './shared.ts';

const TITLE = 'the chat completions API';
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'assistant']);

type Step = string | number;

// Results, then what was said, then calls.
function chatRank({ kind }: Part): number {
  return kind === 'tool_result' ? 0 : kind === 'tool_call' ? 2 : 1;
}

/** Writes messages for chat completions. */
export class ChatWriter implements Writer {
  readonly #losses: LossList;
  readonly #book = new CallBook();
  readonly #outputs: Output[] = [];
  /** Calls of the last turn that no result has answered yet. */
  readonly #open = new Set<string>();
  /** What goes behind the run of results: images and files of theirs, and what a person said beside them. */
  #behind: Behind[] = [];

  constructor(losses: LossList) {
    this.#losses = losses;
  }

  write(message: MessageIn): void {
    const own = message.isVerbatim ? message.text : this.#ownMessage(message);
    if (own !== null) {
      if (message.role !== 'tool') this.#flush();
      for (const part of message.facts.parts) {
        if (part.kind === 'tool_call') this.#book.call(part, 'function');
        if (part.kind === 'tool_result') this.#answered(message, part);
      }
      this.#await(message.facts.parts);
      this.#push(message, own);
      return;
    }
    orderReported(
      message,
      chatRank,
      'results are sent before the rest of their message, calls behind it',
      this.#losses,
    );
    for (const part of message.parts) if (part.part.kind === 'tool_result') this.#result(message, part);
    const rest = message.parts.filter(({ part }) => part.kind !== 'tool_result');
    const hasResults = rest.length < message.parts.length;
    siblingsOfContent(message, this.#losses);
    if (rest.length > 0 && hasResults && message.role === 'user' && this.#open.size > 0) this.#hold(message, rest);
    else if (rest.length > 0) this.#turn(message, rest);
    else if (!hasResults) this.#losses.leftOut(message.place, 'message', [], 'the message: nothing of it can be sent');
  }

  end(): Written {
    this.#flush();
    return { outputs: this.#outputs, system: [] };
  }

  #ownMessage({ node, facts, place, hasOwnIds }: MessageIn): string | null {
    if (!hasOwnIds) return null;
    const shape = entryOf(CHAT_MESSAGES, facts.role);
    if (shape === undefined || !fits(node, shape)) return null;
    // Reasoning beside the content, parts of another API: not to be cut off as if they said nothing.
    const isAllThere = facts.parts.every(({ path: [key] }) => key === undefined || Object.hasOwn(shape.keys, key));
    return isAllThere ? trimmed(node, shape, place, [], this.#losses, 'metadata') : null;
  }

  #turn(message: MessageIn, parts: readonly PartNode[]): void {
    const role = ROLES.has(message.role) ? message.role : 'user';
    const content: string[] = [];
    const calls: string[] = [];
    for (const part of parts) {
      if (part.part.kind === 'tool_call' && role === 'assistant') calls.push(this.#call(message, part));
      else {
        const text = this.#part(message, part, role);
        if (text !== null) content.push(text);
      }
    }
    if (content.length === 0 && calls.length === 0) {
      this.#losses.leftOut(message.place, 'message', [], 'the message: nothing of it can be sent');
      return;
    }
    this.#flush();
    if (calls.length > 0) this.#await(parts.map(({ part }) => part));
    const asked = calls.length > 0 ? `,"tool_calls":[${calls.join(',')}]` : '';
    this.#push(message, `{"role":"${role}","content":${contentJson(content)}${asked}}`);
  }

  // A user message between two results of one turn is refused: what is beside the first waits for the last.
  #hold(message: MessageIn, parts: readonly PartNode[]): void {
    const content = parts.flatMap((part) => this.#part(message, part, 'user') ?? []);
    if (content.length > 0) this.#behind.push({ message, parts: content, isSaid: true });
  }

  #await(parts: readonly Part[]): void {
    for (const { kind, callId } of parts) if (kind === 'tool_call') this.#open.add(callId ?? '');
  }

  // A result goes before what was said before it.
  #answered(message: MessageIn, part: Part): ReturnType<CallBook['call']> {
    const call = this.#book.answered(part);
    this.#open.delete(call.id);
    for (const held of this.#behind) {
      if (!held.isSaid || held.message === message) continue;
      held.isSaid = false;
      const why = 'what is said beside a result is sent behind the last result of its turn';
      this.#losses.changed(held.message.place, 'order', [], why);
    }
    return call;
  }

  #push(message: MessageIn, json: string): void {
    this.#outputs.push({ json, message: json, ...message.place });
  }

  #flush(): void {
    const held = this.#behind;
    if (held.length === 0 && this.#open.size === 0) return;
    this.#behind = [];
    // The next turn has begun: what is unanswered stays so.
    this.#open.clear();
    for (const { message, parts } of held) this.#push(message, `{"role":"user","content":${contentJson(parts)}}`);
  }

  #behindResults(message: MessageIn, json: string): void {
    const last = this.#behind.at(-1);
    if (last?.message === message) last.parts.push(json);
    else this.#behind.push({ message, parts: [json], isSaid: false });
  }

  #call(message: MessageIn, { part, node }: PartNode): string {
    const call = this.#book.call(part, 'function');
    const read = readCallNode(node);
    this.#losses.unused(message.place, node, part.path, read.used);
    siblingSignature(message, part.path, this.#losses);
    idMade(message, part, call.id, this.#losses);
    const id = JSON.stringify(call.id);
    const name = JSON.stringify(call.name ?? 'unknown');
    const given = argumentsLiteral(read.args);
    if (read.isCustom) return `{"id":${id},"type":"custom","custom":{"name":${name},"input":${given}}}`;
    return `{"id":${id},"type":"function","function":{"name":${name},"arguments":${given}}}`;
  }

  #part(message: MessageIn, read: PartNode, role: string): string | null {
    const { part, node } = read;
    const shape = shapeFor(node, CHAT_PARTS);
    const mayStand = role === 'user' || node.string('type') === 'text';
    if (shape !== null && mayStand && fits(node, shape)) {
      return trimmed(node, shape, message.place, part.path, this.#losses);
    }
    switch (part.kind) {
      case 'text': {
        const literal = plainText(message, read, this.#losses);
        return isBlank(literal) ? null : textPart(literal);
      }
      case 'thinking':
      case 'opaque':
        thinkingLost(message, read, this.#losses, TITLE);
        return null;
      case 'image':
      case 'file':
        return this.#media(message, node, part.path, role);
      default:
        return this.#other(message, read);
    }
  }

  #other(message: MessageIn, read: PartNode): string | null {
    const summary = compactionText(read);
    if (summary !== null) {
      this.#losses.changed(message.place, 'compaction', read.part.path, 'a summary by the provider: given as text');
      return textPart(summary);
    }
    if (read.node.isString) return isBlank(read.node.text) ? null : textPart(read.node.text);
    blockLost(message, read, this.#losses, TITLE);
    return null;
  }

  #media(message: MessageIn, node: JsonNode, path: readonly Step[], role: string): string | null {
    const media = readMedia(node);
    const written = media === null || role !== 'user' ? null : mediaPart(media);
    if (written !== null) return written;
    const { kind, text } = mediaLoss(media, TITLE);
    this.#losses.leftOut(message.place, kind, path, text);
    return null;
  }

  #result(message: MessageIn, { part, node }: PartNode): void {
    const call = this.#answered(message, part);
    idMade(message, part, call.id, this.#losses);
    if (part.path.length > 0) this.#losses.unused(message.place, node, part.path, RESULT_KEYS);
    if (isMarkedFailed({ part, node })) {
      this.#losses.leftOut(message.place, 'error_flag', part.path, 'the mark of a failed call: only its text says so');
    }
    const content = this.#resultContent(message, node, part.path);
    this.#push(message, `{"role":"tool","tool_call_id":${JSON.stringify(call.id)},"content":${content}}`);
  }

  #resultContent(message: MessageIn, node: JsonNode, path: readonly Step[]): string {
    const body = readResultNode(node);
    if (body.kind === 'text') return body.literal;
    if (body.kind === 'json') return jsonAsText(body.node);
    const parts = body.blocks.flatMap((inner, at) =>
      this.#innerPart(message, innerPart(inner), [...path, body.key, at]),
    );
    return contentJson(parts, '""');
  }

  #innerPart(message: MessageIn, read: PartNode, path: readonly Step[]): readonly string[] {
    const { part, node } = read;
    if (part.kind === 'text') {
      const literal = plainText(message, read, this.#losses, path);
      return isBlank(literal) ? [] : [textPart(literal)];
    }
    if (part.kind === 'image' || part.kind === 'file') {
      const written = this.#media(message, node, path, 'user');
      if (written === null) return [];
      this.#behindResults(message, written);
      this.#losses.changed(
        message.place,
        'image',
        path,
        'an image or file in a result: sent in a user message after the results',
      );
      return [];
    }
    this.#losses.changed(
      message.place,
      'block',
      path,
      `${node.string('type') ?? 'a block'}: given as the text of its JSON`,
    );
    return [textPart(JSON.stringify(node.text))];
  }
}

/** Parts that wait for the end of a run of results. */
interface Behind {
  readonly message: MessageIn;
  readonly parts: string[];
  /** A person said it, and no result has gone before it yet. */
  isSaid: boolean;
}

// One text alone is a string; no content at all is null, as the API writes it itself.
function contentJson(parts: readonly string[], none = 'null'): string {
  const [only, ...others] = parts;
  if (only === undefined) return none;
  const lone = others.length === 0 ? loneLiteral(only, TEXT_HEAD) : null;
  return lone ?? `[${parts.join(',')}]`;
}

const TEXT_HEAD = '{"type":"text","text":';

function textPart(literal: string): string {
  return `${TEXT_HEAD}${literal}}`;
}

function mediaPart(media: Media): string | null {
  if (media.kind === 'text') return textPart(media.literal);
  const name = JSON.stringify(media.name ?? 'file');
  if (media.kind === 'url') {
    return media.what === 'image' ? `{"type":"image_url","image_url":{"url":${JSON.stringify(media.url)}}}` : null;
  }
  if (media.kind !== 'base64') return null;
  const url = JSON.stringify(`data:${media.mime};base64,${media.data}`);
  if (media.what === 'image') return `{"type":"image_url","image_url":{"url":${url}}}`;
  if (media.what === 'file') return `{"type":"file","file":{"filename":${name},"file_data":${url}}}`;
  const format = media.mime.endsWith('mp3') || media.mime.endsWith('mpeg') ? 'mp3' : 'wav';
  const data = JSON.stringify(media.data);
  return `{"type":"input_audio","input_audio":{"data":${data},"format":"${format}"}}`;
}
