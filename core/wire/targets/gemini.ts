// Gemini generateContent. Results of calls are parts of a user content, those of a run in one; system messages before the
// first turn go beside the turns, later ones become user texts.
import type { JsonNode } from '../jsonNode.ts';
import type { LossList } from '../losses.ts';
import type { Media, PartNode } from '../neutral.ts';
import { innerPart, jsonAsText, readCallNode, readMedia, readResultNode, readThinking } from '../neutral.ts';
import { fits, trimmed } from '../shapes.ts';
import type { MessageIn, Output, Writer, Written } from '../writer.ts';
import {
  blockLost,
  CallBook,
  compactionText,
  isBlank,
  isMarkedFailed,
  objectArguments,
  orderReported,
  plainText,
  resultsFirst,
  siblingsOfContent,
  thinkingLost,
} from '../writer.ts';
import { GEMINI_CONTENT, GEMINI_PART } from './geminiShapes.ts';
import { mediaLoss, RESULT_KEYS, systemTexts } from './shared.ts';

const TITLE = 'the Gemini API';

type Step = string | number;

/** A run of messages that answer calls. */
interface Run {
  readonly parts: string[];
  /** What the run says besides its responses, by message; `passed` of them are reported as moved behind responses. */
  readonly said: { readonly message: MessageIn; readonly parts: readonly string[] }[];
  passed: number;
  /** The first of the run. */
  readonly message: MessageIn;
}

/** Writes messages as contents. */
export class GeminiWriter implements Writer {
  readonly #losses: LossList;
  readonly #book = new CallBook();
  readonly #outputs: Output[] = [];
  readonly #system: string[] = [];
  /** Responses of a run of result messages, not yet written. */
  #responses: Run | null = null;
  /** A message was left out since the last one that was written. */
  #hasGap = false;

  constructor(losses: LossList) {
    this.#losses = losses;
  }

  write(message: MessageIn): void {
    if (message.isSystem && !message.isVerbatim) {
      this.#writeSystem(message);
      return;
    }
    if (message.isVerbatim || GEMINI_CONTENT(message.node)) {
      for (const part of message.facts.parts) if (part.kind === 'tool_call') this.#book.call(part, '');
      this.#push(message, message.text);
      return;
    }
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts: string[] = [];
    const responses: string[] = [];
    for (const read of message.parts) {
      const written = this.#part(message, read);
      if (written !== null) (read.part.kind === 'tool_result' ? responses : parts).push(...written);
    }
    siblingsOfContent(message, this.#losses);
    orderReported(message, resultsFirst, 'responses are sent before the rest of their message', this.#losses);
    this.#place(message, role, responses, parts);
  }

  end(): Written {
    this.#flush();
    return { outputs: this.#outputs, system: this.#system };
  }

  #writeSystem(message: MessageIn): void {
    const texts = systemTexts(message, this.#losses, TITLE);
    siblingsOfContent(message, this.#losses);
    if (this.#outputs.length === 0 && this.#responses === null) {
      this.#system.push(...texts);
      return;
    }
    if (texts.length === 0) return;
    this.#losses.changed(message.place, 'role', [], `a ${message.role} message between turns: given as the user's`);
    this.#push(message, contentJson('user', texts.map(textPart)));
  }

  #place(message: MessageIn, role: string, responses: readonly string[], parts: readonly string[]): void {
    if (responses.length > 0) {
      this.#respond(message, responses);
      if (role === 'model') {
        if (parts.length > 0) this.#turn(message, role, parts);
      } else if (parts.length > 0) this.#responses?.said.push({ message, parts });
    } else if (parts.length > 0) this.#turn(message, role, parts);
    else {
      this.#hasGap = true;
      this.#losses.leftOut(message.place, 'message', [], 'the message: nothing of it can be sent');
    }
  }

  // All responses of a turn are one content: what is said beside the first of them is behind the last.
  #respond(message: MessageIn, responses: readonly string[]): void {
    this.#responses ??= { parts: [], said: [], message, passed: 0 };
    const run = this.#responses;
    for (const before of run.said.slice(run.passed)) {
      const why = 'what is said beside a response is sent behind the last response of its turn';
      this.#losses.changed(before.message.place, 'order', [], why);
    }
    run.passed = run.said.length;
    run.parts.push(...responses);
  }

  // Where a message between them was left out, two answers follow each other: they are one content, as the API asks for.
  #turn(message: MessageIn, role: string, parts: readonly string[]): void {
    const last = this.#responses === null && role === 'model' && this.#hasGap ? this.#outputs.at(-1) : undefined;
    if (last?.json.startsWith(MODEL_HEAD) !== true) {
      this.#push(message, contentJson(role, parts));
      return;
    }
    const json = `${last.json.slice(0, -2)},${parts.join(',')}]}`;
    this.#outputs.splice(-1, 1, { ...last, json, message: json });
  }

  #push(message: MessageIn, json: string): void {
    this.#hasGap = false;
    this.#flush();
    this.#outputs.push({ json, message: json, ...message.place });
  }

  #flush(): void {
    const open = this.#responses;
    if (open === null) return;
    this.#responses = null;
    const json = contentJson('user', [...open.parts, ...open.said.flatMap(({ parts }) => parts)]);
    this.#outputs.push({ json, message: json, ...open.message.place });
  }

  #part(message: MessageIn, read: PartNode): readonly string[] | null {
    const { part, node } = read;
    const own = this.#ownPart(message, read);
    if (own !== null) return [own];
    switch (part.kind) {
      case 'text': {
        const literal = plainText(message, read, this.#losses);
        return isBlank(literal) ? null : [textPart(literal)];
      }
      case 'thinking':
        return this.#thought(message, read);
      case 'opaque':
        thinkingLost(message, read, this.#losses, TITLE);
        return null;
      case 'tool_call':
        return message.role === 'assistant' ? [this.#call(message, read)] : this.#other(message, read);
      case 'tool_result':
        return this.#result(message, read);
      case 'image':
      case 'file':
        return this.#media(message, node, part.path);
      case 'other':
        return this.#other(message, read);
    }
  }

  // A part of this API: as it stands, without keys that its types do not know.
  #ownPart(message: MessageIn, { part }: PartNode): string | null {
    const [list, at] = part.path;
    if (list !== 'parts' || at === undefined) return null;
    const outer = message.node.at([list, at]);
    if (outer === null || outer.string('type') !== undefined || !fits(outer, GEMINI_PART)) return null;
    if (![...outer.members.keys()].some((key) => Object.hasOwn(GEMINI_PART.keys, key))) return null;
    if (part.kind === 'tool_call') this.#book.call(part, '');
    if (part.kind === 'tool_result') this.#book.answered(part);
    return trimmed(outer, GEMINI_PART, message.place, [list, at], this.#losses);
  }

  #thought(message: MessageIn, read: PartNode): readonly string[] {
    const { text, signature } = readThinking(read.node);
    const isOwn = message.vendor === 'google' && signature !== null;
    if (isOwn)
      return [`{"text":${JSON.stringify(text)},"thought":true,"thoughtSignature":${JSON.stringify(signature)}}`];
    const what =
      signature === null
        ? 'reasoning: given as a thought without a signature'
        : 'reasoning: given as a thought; its signature is for another provider';
    this.#losses.changed(message.place, signature === null ? 'thinking' : 'signature', read.part.path, what);
    return [`{"text":${JSON.stringify(text)},"thought":true}`];
  }

  #call(message: MessageIn, { part, node }: PartNode): string {
    const call = this.#book.call(part, '');
    const read = readCallNode(node);
    this.#losses.unused(message.place, node, part.path, read.used);
    const args = objectArguments(message, part.path, read, this.#losses);
    const id = typeof part.callId === 'string' ? `"id":${JSON.stringify(part.callId)},` : '';
    const given = `{${id}"name":${JSON.stringify(call.name ?? 'unknown')},"args":${args}}`;
    const beside = part.path[0] === 'parts' ? message.node.at(part.path.slice(0, 2)) : null;
    const signature = beside?.string('thoughtSignature') ?? beside?.string('thought_signature');
    const signed = signature === undefined ? '' : `,"thoughtSignature":${JSON.stringify(signature)}`;
    return `{"functionCall":${given}${signed}}`;
  }

  #result(message: MessageIn, { part, node }: PartNode): readonly string[] {
    const call = this.#book.answered(part);
    if (part.path.length > 0) this.#losses.unused(message.place, node, part.path, RESULT_KEYS);
    const beside: string[] = [];
    const response = this.#response(message, { part, node }, beside);
    const id = typeof part.callId === 'string' ? `"id":${JSON.stringify(part.callId)},` : '';
    const name = JSON.stringify(part.name ?? call.name ?? 'unknown');
    return [`{"functionResponse":{${id}"name":${name},"response":${response}}}`, ...beside];
  }

  // {"output": …} for a success, {"error": …} for a failure: the API's convention. Images are beside the response.
  #response(message: MessageIn, { part, node }: PartNode, beside: string[]): string {
    const key = isMarkedFailed({ part, node }) ? 'error' : 'output';
    const body = readResultNode(node);
    if (body.kind === 'text') return `{"${key}":${body.literal}}`;
    if (body.kind === 'json') return body.node.isRecord ? body.node.text : `{"${key}":${body.node.text}}`;
    const literals = body.blocks.flatMap((inner, at) => {
      const path: Step[] = [...part.path, body.key, at];
      const { part: innerKind, node: innerNode } = innerPart(inner);
      if (innerKind.kind === 'text') {
        return [plainText(message, { part: innerKind, node: innerNode }, this.#losses, path)];
      }
      if (innerKind.kind !== 'image' && innerKind.kind !== 'file') {
        const type = innerNode.string('type') ?? 'a block';
        this.#losses.changed(message.place, 'block', path, `${type}: given as the text of its JSON`);
        return [jsonAsText(innerNode)];
      }
      const written = this.#media(message, innerNode, path);
      if (written === null) return [];
      beside.push(...written);
      this.#losses.changed(message.place, 'image', path, 'an image or file in a result: sent next to the response');
      return [];
    });
    const [only, ...others] = literals;
    if (others.length > 0) return `{"${key}":[${literals.join(',')}]}`;
    return `{"${key}":${only ?? '""'}}`;
  }

  #media(message: MessageIn, node: JsonNode, path: readonly Step[]): readonly string[] | null {
    const media = readMedia(node);
    const written = media === null ? null : mediaPart(media);
    if (written !== null) return [written];
    const { kind, text } = mediaLoss(media, TITLE);
    this.#losses.leftOut(message.place, kind, path, text);
    return null;
  }

  #other(message: MessageIn, read: PartNode): readonly string[] | null {
    const summary = compactionText(read);
    if (summary !== null) {
      this.#losses.changed(message.place, 'compaction', read.part.path, 'a summary by the provider: given as text');
      return [textPart(summary)];
    }
    if (read.node.isString) return isBlank(read.node.text) ? null : [textPart(read.node.text)];
    blockLost(message, read, this.#losses, TITLE);
    return null;
  }
}

const MODEL_HEAD = '{"role":"model","parts":[';

function contentJson(role: string, parts: readonly string[]): string {
  return `{"role":"${role}","parts":[${parts.join(',')}]}`;
}

function textPart(literal: string): string {
  return `{"text":${literal}}`;
}

function mediaPart(media: Media): string | null {
  if (media.kind === 'text') return textPart(media.literal);
  if (media.kind === 'base64') {
    return `{"inlineData":{"mimeType":${JSON.stringify(media.mime)},"data":${JSON.stringify(media.data)}}}`;
  }
  // Files that were uploaded to Google, or lie in its storage.
  if (media.kind !== 'url' || !/^gs:|generativelanguage\.googleapis\.com/.test(media.url)) return null;
  const mime = media.mime === '' ? '' : `"mimeType":${JSON.stringify(media.mime)},`;
  return `{"fileData":{${mime}"fileUri":${JSON.stringify(media.url)}}}`;
}
