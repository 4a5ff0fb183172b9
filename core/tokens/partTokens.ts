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
  let used = false;
  const tokens = facts.parts.map((part) => {
    const counted = countable(message, part);
    used ||= counted.images.length > 0;
    const ofTexts = counted.texts.reduce((sum, text) => sum + counter.count(text), 0);
    return counted.images.reduce<number>((sum, block) => sum + imageBlockTokens(block, images), ofTexts);
  });
  return { tokens, images: used };
}

/** What is counted of one part: its texts, and blocks of images beside them. */
export interface Countable {
  readonly texts: readonly string[];
  readonly images: readonly unknown[];
}

const NOTHING: Countable = { texts: [], images: [] };

/** The rule of {@link partTokens} for one part, whoever counts. */
export function countable(message: unknown, part: Part): Countable {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return { texts: [partExactText(message, part)], images: [] };
    case 'tool_call':
      return { texts: [part.name ?? '', partExactText(message, part)], images: [] };
    case 'tool_result':
      return countableResult(valueAt(message, part.path));
    case 'image':
      return { texts: [], images: [valueAt(message, part.path)] };
    case 'file':
      return { texts: [plainDocument(valueAt(message, part.path))], images: [] };
    case 'other':
      return { texts: [otherTokensText(valueAt(message, part.path))], images: [] };
    case 'opaque':
      return NOTHING;
  }
}

function countableResult(node: unknown): Countable {
  const content = isRecord(node) ? resultBody(node) : undefined;
  if (content === undefined || content === null) return NOTHING;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  const images: unknown[] = [];
  for (const block of blocks) {
    const type = isRecord(block) ? (stringAt(block, 'type') ?? '') : '';
    if (type === 'image' || type === 'image_url' || type === 'input_image') images.push(block);
    else if (isRecord(block) && stringAt(block, 'text') !== undefined) texts.push(stringAt(block, 'text') ?? '');
    else texts.push(typeof block === 'string' ? block : withoutPayloads(block));
  }
  return { texts: [texts.join('\n')], images };
}

/** Tokens of a block of an image, by the rule for its size. */
export function imageBlockTokens(block: unknown, rule: ImageRule): number {
  return imageTokens(sizeOf(block), rule).tokens;
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
  return { tokens: imageBlockTokens(block, images), images: true };
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
