// OpenAI Responses. An answer is several items in a row: its texts are message items, everything else a separate item.
// Histories of this API come as messages whose blocks are the items; here they become the items again.
import { JsonNode } from '../jsonNode.ts';
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
  resultsFirst,
  siblingsOfContent,
  thinkingLost,
} from '../writer.ts';
import { INPUT_CONTENT, INPUT_PARTS, RESPONSE_ITEMS, RESPONSES_TOOLS, SAID_PARTS } from './responsesShapes.ts';
import { loneLiteral, mediaLoss, RESULT_KEYS, siblingSignature } from './shared.ts';

const TITLE = 'the Responses API';
/** Blocks that are in a message item; every other block of an answer is an item. */
const SAID: ReadonlySet<string> = new Set([
  'output_text',
  'refusal',
  'text',
  'input_text',
  'input_image',
  'input_file',
]);

type Step = string | number;

/** Writes messages as items. */
export class ResponsesWriter implements Writer {
  readonly #losses: LossList;
  readonly #book = new CallBook();
  readonly #outputs: Output[] = [];

  constructor(losses: LossList) {
    this.#losses = losses;
  }

  write(message: MessageIn): void {
    const before = this.#outputs.length;
    const results = message.parts.filter(({ part }) => part.kind === 'tool_result');
    orderReported(message, resultsFirst, 'results are sent before the rest of their message', this.#losses);
    for (const result of results) this.#result(message, result);
    const rest = message.parts.filter(({ part }) => part.kind !== 'tool_result');
    if (message.role === 'assistant') this.#answer(message, rest);
    else if (rest.length > 0 || message.isVerbatim) this.#input(message, rest, results.length > 0);
    siblingsOfContent(message, this.#losses);
    if (this.#outputs.length === before) {
      this.#losses.leftOut(message.place, 'message', [], 'the message: nothing of it can be sent');
    }
  }

  end(): Written {
    return { outputs: this.#outputs, system: [] };
  }

  // The lint reads an item as the message it would be by itself, and asks where an answer came from.
  #push(message: MessageIn, json: string, asMessage: string): void {
    const own = message.isVerbatim ? asMessage : asMessage.replace(/^\{"role":"assistant",/, `$&${routeOf(message)}`);
    this.#outputs.push({ json, message: own, ...message.place });
  }

  #item(message: MessageIn, json: string): void {
    this.#push(message, json, `{"role":"assistant","content":[${json}]}`);
  }

  #answer(message: MessageIn, parts: readonly PartNode[]): void {
    const content = message.node.get('content');
    if (message.isVerbatim && content !== null && !content.isArray && message.facts.parts.length <= 1) {
      const json = content.text;
      this.#push(message, `{"type":"message","role":"assistant","content":${json}}`, message.text);
      return;
    }
    let said: string[] = [];
    const flush = (): void => {
      if (said.length === 0) return;
      const json = `[${said.join(',')}]`;
      said = [];
      this.#push(
        message,
        `{"type":"message","role":"assistant","content":${json}}`,
        `{"role":"assistant","content":${json}}`,
      );
    };
    for (const read of parts) {
      const own = this.#saidBlock(message, read);
      if (own !== null) {
        said.push(own);
        continue;
      }
      flush();
      this.#answerItem(message, read);
    }
    flush();
  }

  // A block of a message item of this API, as it stands.
  #saidBlock(message: MessageIn, { part, node }: PartNode): string | null {
    const type = node.string('type') ?? '';
    if (message.isVerbatim) return SAID.has(type) || node.isString ? node.text : null;
    const shape = shapeFor(node, SAID_PARTS);
    if (shape === null || !fits(node, shape)) return null;
    return trimmed(node, shape, message.place, part.path, this.#losses);
  }

  #answerItem(message: MessageIn, read: PartNode): void {
    const { part, node } = read;
    const own = this.#ownItem(message, read);
    if (own !== null) {
      if (part.kind === 'tool_call') this.#book.call(part, node.string('type') ?? '');
      this.#item(message, own);
      return;
    }
    switch (part.kind) {
      case 'text': {
        const literal = plainText(message, read, this.#losses);
        if (!isBlank(literal)) this.#said(message, literal);
        return;
      }
      case 'tool_call':
        this.#item(message, this.#call(message, read));
        return;
      case 'thinking':
      case 'opaque':
        this.#thinking(message, read);
        return;
      case 'image':
      case 'file':
        this.#losses.leftOut(
          message.place,
          'image',
          part.path,
          'an image or file by the model: inputs cannot hold one',
        );
        return;
      default:
        this.#other(message, read);
    }
  }

  #ownItem(message: MessageIn, { part, node }: PartNode): string | null {
    if (message.isVerbatim) return node.isRecord ? node.text : null;
    const shape = shapeFor(node, RESPONSE_ITEMS);
    if (shape === null || !fits(node, shape)) return null;
    if (part.category === 'thinking' && !this.#isOwnReasoning(message, node)) return null;
    return trimmed(node, shape, message.place, part.path, this.#losses);
  }

  // Reasoning is found again by its id, or by what is encrypted in it; without both it says nothing to the model.
  #isOwnReasoning(message: MessageIn, node: JsonNode): boolean {
    const isOpenai = message.vendor === 'openai' || message.vendor === null;
    return isOpenai && ((node.string('encrypted_content') ?? '') !== '' || (node.string('id') ?? '') !== '');
  }

  #said(message: MessageIn, literal: string): void {
    const json = `{"role":"assistant","content":${literal}}`;
    this.#push(message, json, json);
  }

  #thinking(message: MessageIn, read: PartNode): void {
    // pi keeps the reasoning item itself where others have a signature.
    const kept = read.node.string('thinkingSignature') ?? '';
    if (message.vendor === 'openai' && kept.startsWith('{')) {
      const node = parsed(kept);
      if (node?.string('type') === 'reasoning') {
        this.#item(message, node.text);
        return;
      }
    }
    thinkingLost(message, read, this.#losses, TITLE);
  }

  #other(message: MessageIn, read: PartNode): void {
    const summary = compactionText(read);
    if (summary !== null) {
      this.#losses.changed(message.place, 'compaction', read.part.path, 'a summary by the provider: given as text');
      this.#said(message, summary);
    } else if (read.node.isString) {
      if (!isBlank(read.node.text)) this.#said(message, read.node.text);
    } else blockLost(message, read, this.#losses, TITLE);
  }

  #call(message: MessageIn, { part, node }: PartNode): string {
    const read = readCallNode(node);
    const call = this.#book.call(part, read.isCustom ? 'custom_tool_call' : 'function_call');
    this.#losses.unused(message.place, node, part.path, read.used);
    siblingSignature(message, part.path, this.#losses);
    idMade(message, part, call.id, this.#losses);
    const head = `"call_id":${JSON.stringify(call.id)},"name":${JSON.stringify(call.name ?? 'unknown')}`;
    const given = argumentsLiteral(read.args);
    if (read.isCustom) return `{"type":"custom_tool_call",${head},"input":${given}}`;
    return `{"type":"function_call",${head},"arguments":${given}}`;
  }

  #input(message: MessageIn, parts: readonly PartNode[], hasResults: boolean): void {
    const content = message.node.get('content');
    const role = message.isSystem ? message.role : 'user';
    if (!hasResults && content !== null && (message.isVerbatim || INPUT_CONTENT(content))) {
      const own = message.isVerbatim ? message.role : role;
      const json = `{"type":"message","role":${JSON.stringify(own)},"content":${content.text}}`;
      this.#push(message, json, `{"role":${JSON.stringify(own)},"content":${content.text}}`);
      return;
    }
    const written = parts.flatMap((part) => {
      const text = this.#inputPart(message, part, part.part.path);
      return text === null ? [] : [text];
    });
    if (written.length === 0) return;
    const json = `{"role":"${role}","content":${contentJson(written)}}`;
    this.#push(message, json, json);
  }

  #inputPart(message: MessageIn, read: PartNode, path: readonly Step[]): string | null {
    const { part, node } = read;
    const shape = shapeFor(node, INPUT_PARTS);
    if (shape !== null && fits(node, shape)) return trimmed(node, shape, message.place, path, this.#losses);
    if (part.kind === 'text') {
      const literal = plainText(message, read, this.#losses, path);
      return isBlank(literal) ? null : textPart(literal);
    }
    if (part.kind === 'image' || part.kind === 'file') {
      const media = readMedia(node);
      const written = media === null ? null : mediaPart(media);
      if (written !== null) return written;
      const { kind, text } = mediaLoss(media, TITLE);
      this.#losses.leftOut(message.place, kind, path, text);
      return null;
    }
    if (node.isString) return isBlank(node.text) ? null : textPart(node.text);
    blockLost(message, { part: { ...part, path }, node }, this.#losses, TITLE);
    return null;
  }

  #result(message: MessageIn, read: PartNode): void {
    const { part, node } = read;
    const call = this.#book.answered(part);
    idMade(message, part, call.id, this.#losses);
    if (part.path.length > 0) this.#losses.unused(message.place, node, part.path, RESULT_KEYS);
    if (isMarkedFailed(read) && !message.isVerbatim) {
      this.#losses.leftOut(message.place, 'error_flag', part.path, 'the mark of a failed call: only its text says so');
    }
    const id = JSON.stringify(call.id);
    const own = message.isVerbatim ? node.get('content') : null;
    const isOwn = message.isVerbatim && (call.type !== 'tool_search_call' || own?.isArray === true);
    const content = isOwn ? (own?.text ?? '""') : this.#output(message, read, call.type);
    const json = outputItem(call.type, id, content, isMarkedFailed(read));
    this.#push(message, json, `{"role":"tool","tool_call_id":${id},"content":${content}}`);
  }

  #output(message: MessageIn, { part: { path }, node }: PartNode, callType: string): string {
    const body = readResultNode(node);
    if (callType === 'tool_search_call') return this.#foundTools(message, node, path);
    if (body.kind === 'text') return body.literal;
    if (body.kind === 'json') return jsonAsText(body.node);
    const parts = body.blocks.flatMap((inner, at) => {
      const text = this.#innerPart(message, innerPart(inner), [...path, body.key, at]);
      return text === null ? [] : [text];
    });
    return contentJson(parts);
  }

  // What a tool search found are definitions, nothing else.
  #foundTools(message: MessageIn, node: JsonNode, path: readonly Step[]): string {
    const content = node.get('content');
    const isTools =
      content?.isArray === true && content.elements.every((tool) => RESPONSES_TOOLS.has(tool.string('type') ?? ''));
    if (content !== null && isTools) return content.text;
    this.#losses.leftOut(message.place, 'tool', path, 'what a tool search found: not recorded as definitions');
    return '[]';
  }

  #innerPart(message: MessageIn, read: PartNode, path: readonly Step[]): string | null {
    const { kind } = read.part;
    if (kind === 'text' || kind === 'image' || kind === 'file') return this.#inputPart(message, read, path);
    const type = read.node.string('type') ?? 'a block';
    this.#losses.changed(message.place, 'block', path, `${type}: given as the text of its JSON`);
    return textPart(JSON.stringify(read.node.text));
  }
}

// An output is named after the call it answers.
function outputItem(callType: string, id: string, content: string, isError: boolean): string {
  switch (callType) {
    case 'tool_search_call':
      return `{"type":"tool_search_output","call_id":${id},"tools":${content}}`;
    case 'local_shell_call':
      return `{"type":"local_shell_call_output","id":${id},"output":${content}}`;
    case 'apply_patch_call':
      return `{"type":"apply_patch_call_output","call_id":${id},"status":"${isError ? 'failed' : 'completed'}","output":${content}}`;
    case 'custom_tool_call':
    case 'shell_call':
    case 'computer_call':
      return `{"type":"${callType}_output","call_id":${id},"output":${content}}`;
    default:
      return `{"type":"function_call_output","call_id":${id},"output":${content}}`;
  }
}

function parsed(text: string): JsonNode | null {
  try {
    return JsonNode.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const TEXT_HEAD = '{"type":"input_text","text":';

function textPart(literal: string): string {
  return `${TEXT_HEAD}${literal}}`;
}

// One text alone is a string.
function contentJson(parts: readonly string[]): string {
  const [only, ...others] = parts;
  if (only === undefined) return '""';
  const lone = others.length === 0 ? loneLiteral(only, TEXT_HEAD) : null;
  return lone ?? `[${parts.join(',')}]`;
}

function mediaPart(media: Media): string | null {
  if (media.kind === 'text') return textPart(media.literal);
  if (media.kind === 'url') {
    const url = JSON.stringify(media.url);
    return media.what === 'image'
      ? `{"type":"input_image","detail":"auto","image_url":${url}}`
      : `{"type":"input_file","file_url":${url}}`;
  }
  if (media.kind !== 'base64' || media.what === 'audio') return null;
  const data = JSON.stringify(`data:${media.mime};base64,${media.data}`);
  if (media.what === 'image') return `{"type":"input_image","detail":"auto","image_url":${data}}`;
  return `{"type":"input_file","filename":${JSON.stringify(media.name ?? 'file')},"file_data":${data}}`;
}

// What an answer says of the provider, API and model it came from.
function routeOf({ node, role }: MessageIn): string {
  if (role !== 'assistant') return '';
  return ['provider', 'api', 'model'].map((key) => stringMember(node, key)).join('');
}

function stringMember(node: JsonNode, key: string): string {
  const said = node.string(key);
  return said === undefined ? '' : `${JSON.stringify(key)}:${JSON.stringify(said)},`;
}
