// Anthropic Messages. Results of calls go into a user message, those in a row into one; system messages before the first
// turn go beside the turns, later ones stand where the model takes them there, and else become user texts.
import type { JsonNode } from '../jsonNode.ts';
import type { LossList } from '../losses.ts';
import type { Media, PartNode } from '../neutral.ts';
import { innerPart, jsonAsText, readCallNode, readMedia, readResultNode, readThinking } from '../neutral.ts';
import { fits, shapeFor, trimmed } from '../shapes.ts';
import type { MessageIn, Output, Writer, Written } from '../writer.ts';
import {
  blockLost,
  CallBook,
  compactionText,
  idMade,
  isBlank,
  isMarkedFailed,
  objectArguments,
  orderReported,
  plainText,
  resultsFirst,
  siblingsOfContent,
  thinkingLost,
} from '../writer.ts';
import {
  ANTHROPIC_BLOCKS,
  ANTHROPIC_MESSAGE,
  ANTHROPIC_SYSTEM_MESSAGE,
  BY_ASSISTANT,
  BY_USER,
} from './anthropicShapes.ts';
import { mediaLoss, RESULT_KEYS, siblingSignature, systemTexts } from './shared.ts';

const TITLE = 'the Messages API';
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

type Step = string | number;
type Role = 'user' | 'assistant';

/** `isOwn`: it is in the form of this API. */
interface Waiting {
  readonly message: MessageIn;
  readonly isOwn: boolean;
}

/** Writes messages for Anthropic. */
export class AnthropicWriter implements Writer {
  readonly #losses: LossList;
  readonly #book = new CallBook();
  readonly #outputs: Output[] = [];
  readonly #system: string[] = [];
  /** Results of a run of result messages, not yet written. */
  #results: { readonly blocks: string[]; readonly message: MessageIn } | null = null;

  /** System messages between turns that wait to see what follows them: it decides whether they may stand. */
  #waiting: Waiting[] = [];
  #lastRole: Role | null = null;
  readonly #takesSystem: boolean;

  /** `takesSystem` = the model takes system messages between turns. */
  constructor(losses: LossList, takesSystem = false) {
    this.#losses = losses;
    this.#takesSystem = takesSystem;
  }

  write(message: MessageIn): void {
    if (message.isSystem && !message.isVerbatim) {
      this.#writeSystem(message);
      return;
    }
    this.#settle(message.role === 'assistant' ? 'assistant' : 'user');
    if (message.isVerbatim || this.#isOwn(message)) {
      for (const part of message.facts.parts) if (part.kind === 'tool_call') this.#book.call(part, 'tool_use');
      this.#push(message, message.text);
      return;
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks: string[] = [];
    const results: string[] = [];
    for (const part of message.parts) {
      const text = this.#block(message, part, role);
      if (text !== null) (part.part.kind === 'tool_result' ? results : blocks).push(text);
    }
    siblingsOfContent(message, this.#losses);
    this.#place(message, role, results, blocks);
  }

  end(): Written {
    this.#settle(null);
    this.#flush();
    return { outputs: this.#outputs, system: this.#system };
  }

  #isOwn(message: MessageIn): boolean {
    if (!ANTHROPIC_MESSAGE(message.node)) return false;
    const wrong = message.role === 'assistant' ? BY_USER : BY_ASSISTANT;
    const blocks = message.node.get('content')?.elements ?? [];
    if (blocks.some((block) => wrong.has(block.string('type') ?? ''))) return false;
    const reasons = message.facts.parts.some(({ category }) => category === 'thinking');
    return !reasons || message.vendor === 'anthropic' || message.vendor === null;
  }

  // Before the first turn it goes beside the turns; a setting alone may stand anywhere.
  #writeSystem(message: MessageIn): void {
    const isOwn = this.#takesSystem && ANTHROPIC_SYSTEM_MESSAGE(message.node);
    if (isOwn && message.facts.parts.length === 0) this.#push(message, message.text);
    else if (this.#outputs.length === 0 && this.#results === null) {
      this.#system.push(...systemTexts(message, this.#losses, TITLE));
      siblingsOfContent(message, this.#losses);
    } else if (this.#takesSystem) this.#waiting.push({ message, isOwn });
    else this.#asUser(message);
  }

  // They may be behind a user's message, if no other one follows.
  #settle(next: Role | null): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    this.#flush();
    const stands = this.#lastRole === 'user' && next !== 'user';
    for (const { message, isOwn } of waiting) {
      if (stands && isOwn) this.#push(message, message.text);
      else if (stands) this.#asSystem(message);
      else this.#asUser(message);
    }
  }

  #asSystem(message: MessageIn): void {
    const texts = systemTexts(message, this.#losses, TITLE);
    siblingsOfContent(message, this.#losses);
    if (texts.length > 0) this.#push(message, `{"role":"system","content":[${texts.map(textBlock).join(',')}]}`);
  }

  #asUser(message: MessageIn): void {
    const texts = systemTexts(message, this.#losses, TITLE);
    siblingsOfContent(message, this.#losses);
    if (texts.length === 0) return;
    const text = `a ${message.role} message between turns: given as the user's`;
    this.#losses.changed(message.place, 'role', [], text);
    this.#push(message, userJson(texts.map(textBlock)));
    this.#lastRole = 'user';
  }

  #place(message: MessageIn, role: string, results: readonly string[], blocks: readonly string[]): void {
    orderReported(message, resultsFirst, 'results are sent before the rest of their message', this.#losses);
    const isApart = results.length > 0 && (blocks.length === 0 || role === 'assistant');
    if (isApart) {
      this.#results ??= { blocks: [], message };
      this.#results.blocks.push(...results);
      if (blocks.length === 0) return;
    }
    const all = isApart ? blocks : [...results, ...blocks];
    if (all.length > 0) this.#push(message, `{"role":"${role}","content":[${all.join(',')}]}`);
    else this.#losses.leftOut(message.place, 'message', [], 'the message: nothing of it can be sent');
  }

  #push(message: MessageIn, json: string): void {
    this.#flush();
    this.#outputs.push({ json, message: json, ...message.place });
    if (!message.isSystem) this.#lastRole = message.role === 'assistant' ? 'assistant' : 'user';
  }

  #flush(): void {
    const open = this.#results;
    if (open === null) return;
    this.#results = null;
    const json = userJson(open.blocks);
    this.#outputs.push({ json, message: json, ...open.message.place });
    this.#lastRole = 'user';
  }

  #block(message: MessageIn, read: PartNode, role: string): string | null {
    const { part, node } = read;
    const own = this.#ownBlock(message, read, role);
    if (own !== null) return own;
    switch (part.kind) {
      case 'text': {
        const literal = plainText(message, read, this.#losses);
        return isBlank(literal) ? null : textBlock(literal);
      }
      case 'thinking':
      case 'opaque':
        return this.#thinking(message, read);
      case 'tool_call':
        return role === 'assistant' ? this.#call(message, read) : this.#other(message, read);
      case 'tool_result':
        return this.#result(message, read);
      case 'image':
      case 'file':
        return this.#media(message, node, part.path);
      case 'other':
        return this.#other(message, read);
    }
  }

  // A block of this API: as it stands, without keys that its types do not know.
  #ownBlock(message: MessageIn, { part, node }: PartNode, role: string): string | null {
    const shape = shapeFor(node, ANTHROPIC_BLOCKS);
    const type = node.string('type') ?? '';
    if (shape === null || !fits(node, shape)) return null;
    if ((role === 'user' ? BY_ASSISTANT : BY_USER).has(type)) return null;
    if (type === 'tool_result' && part.kind !== 'tool_result') return null;
    if (part.category === 'thinking' && message.vendor !== 'anthropic' && message.vendor !== null) return null;
    if (part.kind === 'tool_call') this.#book.call(part, type);
    if (part.kind === 'tool_result') this.#book.answered(part);
    return trimmed(node, shape, message.place, part.path, this.#losses);
  }

  #thinking(message: MessageIn, read: PartNode): string | null {
    const { signature, text } = readThinking(read.node);
    const isOwn = message.vendor === 'anthropic' && signature !== null;
    if (isOwn && read.node.get('redacted')?.value === true) {
      return `{"type":"redacted_thinking","data":${JSON.stringify(signature)}}`;
    }
    if (isOwn) {
      return `{"type":"thinking","thinking":${JSON.stringify(text)},"signature":${JSON.stringify(signature)}}`;
    }
    const summary = compactionText(read);
    if (summary !== null) return this.#compaction(message, read, summary);
    thinkingLost(message, read, this.#losses, TITLE);
    return null;
  }

  #compaction(message: MessageIn, { part }: PartNode, literal: string): string {
    this.#losses.changed(message.place, 'compaction', part.path, 'a summary by the provider: given as text');
    return textBlock(literal);
  }

  #call(message: MessageIn, { part, node }: PartNode): string {
    const call = this.#book.call(part, 'tool_use');
    const read = readCallNode(node);
    this.#losses.unused(message.place, node, part.path, read.used);
    siblingSignature(message, part.path, this.#losses);
    idMade(message, part, call.id, this.#losses);
    const input = objectArguments(message, part.path, read, this.#losses);
    const name = JSON.stringify(call.name ?? 'unknown');
    return `{"type":"tool_use","id":${JSON.stringify(call.id)},"name":${name},"input":${input}}`;
  }

  #result(message: MessageIn, { part, node }: PartNode): string {
    const call = this.#book.answered(part);
    idMade(message, part, call.id, this.#losses);
    if (part.path.length > 0) this.#losses.unused(message.place, node, part.path, RESULT_KEYS);
    const content = this.#resultContent(message, node, part.path);
    const error = isMarkedFailed({ part, node }) ? ',"is_error":true' : '';
    return `{"type":"tool_result","tool_use_id":${JSON.stringify(call.id)},"content":${content}${error}}`;
  }

  #resultContent(message: MessageIn, node: JsonNode, path: readonly Step[]): string {
    const body = readResultNode(node);
    if (body.kind === 'text') return body.literal;
    if (body.kind === 'json') return jsonAsText(body.node);
    const blocks = body.blocks.flatMap((inner, at) => {
      const place = [...path, body.key, at];
      const text = this.#innerBlock(message, innerPart(inner), place);
      return text === null ? [] : [text];
    });
    return `[${blocks.join(',')}]`;
  }

  #innerBlock(message: MessageIn, read: PartNode, path: readonly Step[]): string | null {
    const { part, node } = read;
    const shape = shapeFor(node, ANTHROPIC_BLOCKS);
    const type = node.string('type') ?? '';
    const mayStand = type === 'text' || type === 'image' || type === 'document' || type === 'search_result';
    if (shape !== null && mayStand && fits(node, shape)) return trimmed(node, shape, message.place, path, this.#losses);
    if (part.kind === 'text') {
      const literal = plainText(message, read, this.#losses, path);
      return isBlank(literal) ? null : textBlock(literal);
    }
    if (part.kind === 'image' || part.kind === 'file') return this.#media(message, node, path);
    this.#losses.changed(message.place, 'block', path, `${type}: given as the text of its JSON`);
    return textBlock(JSON.stringify(node.text));
  }

  #media(message: MessageIn, node: JsonNode, path: readonly Step[]): string | null {
    const media = readMedia(node);
    const written = media === null ? null : mediaBlock(media);
    if (written !== null) return written;
    const { kind, text } = mediaLoss(media, TITLE);
    this.#losses.leftOut(message.place, kind, path, text);
    return null;
  }

  #other(message: MessageIn, read: PartNode): string | null {
    const summary = compactionText(read);
    if (summary !== null) return this.#compaction(message, read, summary);
    if (read.node.isString) return isBlank(read.node.text) ? null : textBlock(read.node.text);
    blockLost(message, read, this.#losses, TITLE);
    return null;
  }
}

function userJson(blocks: readonly string[]): string {
  return `{"role":"user","content":[${blocks.join(',')}]}`;
}

function textBlock(literal: string): string {
  return `{"type":"text","text":${literal}}`;
}

function mediaBlock(media: Media): string | null {
  const name = media.name === null ? '' : `,"title":${JSON.stringify(media.name)}`;
  if (media.what === 'image') {
    if (media.kind === 'url') return `{"type":"image","source":{"type":"url","url":${JSON.stringify(media.url)}}}`;
    if (media.kind !== 'base64' || !IMAGES.has(media.mime)) return null;
    return `{"type":"image","source":{"type":"base64","media_type":"${media.mime}","data":${JSON.stringify(media.data)}}}`;
  }
  if (media.what !== 'file') return null;
  if (media.kind === 'text') {
    return `{"type":"document","source":{"type":"text","media_type":"text/plain","data":${media.literal}}${name}}`;
  }
  if (media.kind === 'url')
    return `{"type":"document","source":{"type":"url","url":${JSON.stringify(media.url)}}${name}}`;
  if (media.kind !== 'base64' || media.mime !== 'application/pdf') return null;
  const source = `{"type":"base64","media_type":"application/pdf","data":${JSON.stringify(media.data)}}`;
  return `{"type":"document","source":${source}${name}}`;
}
