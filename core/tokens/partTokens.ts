// What is counted of a message, part by part. The same rules count raw messages in the library and messages that
// stages have edited, so that a part nobody touched has one number everywhere.

import type { MessageFacts, Part } from '../model/message.ts';
import { partExactText, valueAt } from '../model/partText.ts';
import { summaryOfBlock } from '../model/readBlock.ts';
import { resultBody } from '../model/readResult.ts';
import { imageSize } from '../util/imageSize.ts';
import { isRecord, recordAt, stringAt } from '../util/unknown.ts';
import { base64Head } from './base64Head.ts';
import type { TokenCounter } from './counters.ts';
import { type ImageRule, imageTokens, type PixelSize } from './images.ts';

/** Tokens of a message's parts, in the order of its facts. */
export interface PartTokenCounts {
  readonly tokens: readonly number[];
  /** True if an image was estimated by its rule: then the numbers depend on the rule too. */
  readonly images: boolean;
}

/**
 * Counts a parsed message: text and thinking by their text; a call by its name and arguments; a result by the texts
 * of its blocks; images, alone or in results, by the rule for their size; opaque parts and files 0, because what they
 * cost cannot be known.
 */
export function partTokens(
  message: unknown,
  facts: MessageFacts,
  counter: TokenCounter,
  images: ImageRule = 'anthropic',
): PartTokenCounts {
  const estimate = new ImageEstimate(images);
  const tokens = facts.parts.map((part) => onePart(message, part, counter, estimate));
  return { tokens, images: estimate.used };
}

class ImageEstimate {
  readonly #rule: ImageRule;
  used = false;

  constructor(rule: ImageRule) {
    this.#rule = rule;
  }

  of(block: unknown): number {
    this.used = true;
    return imageTokens(sizeOf(block), this.#rule).tokens;
  }
}

function onePart(message: unknown, part: Part, counter: TokenCounter, images: ImageEstimate): number {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return counter.count(partExactText(message, part));
    case 'tool_call':
      return counter.count(part.name ?? '') + counter.count(partExactText(message, part));
    case 'tool_result':
      return resultTokens(valueAt(message, part.path), counter, images);
    case 'image':
      return images.of(valueAt(message, part.path));
    case 'file':
      return counter.count(plainDocument(valueAt(message, part.path)));
    case 'other':
      return counter.count(otherTokensText(valueAt(message, part.path)));
    case 'opaque':
      return 0;
  }
}

function resultTokens(node: unknown, counter: TokenCounter, images: ImageEstimate): number {
  const content = isRecord(node) ? resultBody(node) : undefined;
  if (content === undefined || content === null) return 0;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  let tokens = 0;
  for (const block of blocks) {
    const type = isRecord(block) ? (stringAt(block, 'type') ?? '') : '';
    if (type === 'image' || type === 'image_url' || type === 'input_image') tokens += images.of(block);
    else if (isRecord(block) && stringAt(block, 'text') !== undefined) texts.push(stringAt(block, 'text') ?? '');
    else texts.push(typeof block === 'string' ? block : withoutPayloads(block));
  }
  return tokens + counter.count(texts.join('\n'));
}

/** Tokens of a block of content that is not part of a message: by the rules for parts. `images` as in PartTokenCounts. */
export function blockTokens(
  block: unknown,
  counter: TokenCounter,
  images: ImageRule,
): { readonly tokens: number; readonly images: boolean } {
  const text = typeof block === 'string' ? block : isRecord(block) ? stringAt(block, 'text') : undefined;
  if (text !== undefined) return { tokens: counter.count(text), images: false };
  if (!isImage(block)) return { tokens: counter.count(withoutPayloads(block)), images: false };
  const estimate = new ImageEstimate(images);
  return { tokens: estimate.of(block), images: true };
}

function isImage(block: unknown): boolean {
  if (!isRecord(block)) return false;
  const type = stringAt(block, 'type');
  if (type === 'image' || type === 'image_url' || type === 'input_image') return true;
  const inline = recordAt(block, 'inlineData') ?? recordAt(block, 'inline_data');
  const mime = inline && (stringAt(inline, 'mimeType') ?? stringAt(inline, 'mime_type'));
  return mime?.startsWith('image/') === true;
}

/** Anthropic's plain text document; any other file holds no text that can be read here. */
function plainDocument(block: unknown): string {
  const source = isRecord(block) ? recordAt(block, 'source') : undefined;
  if (source === undefined || stringAt(source, 'type') !== 'text') return '';
  return stringAt(source, 'data') ?? '';
}

const PAYLOAD = /^(?:data:[^,]{0,100},)?[A-Za-z0-9+/_-]{1000,}={0,2}$/;

/** Compact JSON of a value of unknown shape (a string as it is); long base64 is not text and is left out. */
// Of a provider's summary its words alone are read by the model.
function otherTokensText(value: unknown): string {
  return summaryOfBlock(value) ?? withoutPayloads(value);
}

function withoutPayloads(value: unknown): string {
  if (typeof value === 'string') return PAYLOAD.test(value) ? '' : value;
  return (
    JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' && PAYLOAD.test(inner) ? '' : inner)) ??
    ''
  );
}

/** The pixel size of an image block whose bytes are in it; null for links and unknown types. */
function sizeOf(block: unknown): PixelSize | null {
  const data = imageData(block);
  return data === null ? null : imageSize(base64Head(data));
}

/** The base64 text of an image block whose bytes are in it, in the blocks of all providers; null for links. */
export function imageData(block: unknown): string | null {
  if (!isRecord(block)) return null;
  const source = recordAt(block, 'source');
  const inline = recordAt(block, 'inlineData') ?? recordAt(block, 'inline_data') ?? block;
  const held = stringAt(inline, 'data') ?? (source === undefined ? undefined : stringAt(source, 'data'));
  if (held !== undefined) return held;
  const inUrl = recordAt(block, 'image_url');
  const url =
    stringAt(block, 'image_url') ??
    stringAt(block, 'image') ??
    (inUrl === undefined ? undefined : stringAt(inUrl, 'url'));
  return url?.startsWith('data:') ? url.slice(url.indexOf(',') + 1) : null;
}
