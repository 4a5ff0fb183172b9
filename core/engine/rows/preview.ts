// The one line by which a part is recognised in a list of thousands. Computed from the message's parsed JSON, looking
// at no more of a long text than the line can show.
import { assetIdOf } from '../../model/asset.ts';
import type { Part } from '../../model/message.ts';
import { encryptedChars, partText, valueAt } from '../../model/partText.ts';
import { argumentsText } from '../../model/readBlock.ts';
import { callPoint, providerPoint, resultPoint } from '../../reading/line.ts';
import { base64Head } from '../../tokens/base64Head.ts';
import { imageSize } from '../../util/imageSize.ts';
import { compactJson, JsonSyntaxError } from '../../util/json/index.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { grouped } from '../../view/words.ts';
import { formatBytes, oneLine } from './format.ts';

const LINE = 300;
/** Characters that one of several parts in a line has at least. */
const PIECE = 40;

/** An image or file payload that is in the part, as the store knows it. */
export interface PayloadInfo {
  readonly mime: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
}

/** A part's line; `mono` = set in the monospace face. */
export interface Preview {
  readonly text: string;
  readonly mono: boolean;
  /** Of several parts that are in one row: a line of each. */
  readonly pieces?: readonly string[];
}

/** The line of a part of a parsed message. `payload` = the first binary payload inside the part, if any. */
export function previewPart(message: unknown, part: Part, payload: PayloadInfo | null): Preview {
  switch (part.kind) {
    case 'text':
    case 'thinking':
      return { text: oneLine(partText(message, part), LINE) || `(empty ${part.kind})`, mono: false };
    case 'tool_call':
      return { text: callLine(valueAt(message, part.path), part.name ?? null), mono: true };
    case 'tool_result':
      return { text: pictureLine(partText(message, part), payload) || '(empty result)', mono: true };
    case 'image':
    case 'file':
      return {
        text: payloadLine(payload ?? inlinePayload(valueAt(message, part.path))) || linkOf(message, part),
        mono: false,
      };
    case 'opaque':
      return { text: opaqueLine(encryptedChars(message, part)), mono: false };
    case 'other':
      return { text: otherLine(partText(message, part), part.name ?? null) || '(empty)', mono: true };
  }
}

/** The line of a message that is in one row: a share of each part that is recorded, so that none is overlooked. */
export function previewWhole(all: readonly Preview[]): Preview {
  const recorded = all.filter(({ text }) => text !== NOT_RECORDED);
  const previews = recorded.length === 0 ? all : recorded;
  const [first = EMPTY_PREVIEW] = previews;
  if (previews.length < 2) return first;
  const share = Math.max(PIECE, Math.floor(LINE / previews.length));
  const pieces = previews.slice(0, Math.floor(LINE / PIECE)).map((each) => oneLine(each.text, share));
  if (pieces.length < previews.length) pieces.push(`${previews.length - pieces.length} more`);
  return { text: oneLine(pieces.join(' · '), LINE), mono: first.mono, pieces };
}

/** The line of a message that has no parts. */
export const EMPTY_PREVIEW: Preview = { text: '(empty message)', mono: false };

function otherLine(text: string, name: string | null): string {
  return oneLine(providerPoint(name, text) ?? text, LINE);
}

/** A result that is nothing but a picture says which. */
function pictureLine(text: string, payload: PayloadInfo | null): string {
  return (text.trim() === '[image]' && payloadLine(payload)) || resultLine(text) || payloadLine(payload);
}

function resultLine(text: string): string {
  // A tool's own head may be all there is.
  return oneLine(resultPoint(text), LINE) || (oneLine(text, LINE) && '(no output)');
}

function payloadLine(payload: PayloadInfo | null): string {
  if (!payload) return '';
  const size = payload.width && payload.height ? ` ${grouped(payload.width)}×${grouped(payload.height)}` : '';
  return `${payload.mime}${size} · ${formatBytes(payload.bytes)}`;
}

/** A payload too small to be an asset, read from the block itself. */
function inlinePayload(block: unknown): PayloadInfo | null {
  const source = isRecord(block) ? recordAt(block, 'source') : undefined;
  const data = source && stringAt(source, 'type') === 'base64' ? stringAt(source, 'data') : undefined;
  if (!source || data === undefined) return null;
  const size = imageSize(base64Head(data));
  const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4);
  return {
    mime: stringAt(source, 'media_type') ?? 'image',
    bytes,
    width: size?.width ?? null,
    height: size?.height ?? null,
  };
}

function linkOf(message: unknown, part: Part): string {
  return linkLine(valueAt(message, part.path)) || `(${part.kind})`;
}

function linkLine(block: unknown): string {
  if (!isRecord(block)) return '';
  const link = ownAt(block, 'image_url');
  const source = recordAt(block, 'source');
  const url = isRecord(link) ? stringAt(link, 'url') : (stringAt(block, 'image_url') ?? undefined);
  const asset = assetIdOf(block);
  const found =
    url ??
    (source ? stringAt(source, 'url') : undefined) ??
    stringAt(block, 'filename') ??
    (asset === null ? undefined : `asset ${asset}`);
  if (found === undefined) return '';
  return oneLine(found.startsWith('data:') ? found.slice(0, found.indexOf(',')) : found, LINE);
}

const NOT_RECORDED = '(not recorded)';

function opaqueLine(chars: number): string {
  return chars === 0 ? NOT_RECORDED : `encrypted, ${formatBytes(chars)}`;
}

/** Arguments that say what a call is about where its tool is not in the table, the first present one speaks for it. */
const MAIN_KEYS = [
  'command',
  'cmd',
  'file_path',
  'path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'description',
  'question',
  'prompt',
  'code',
];

function callLine(call: unknown, name: string | null): string {
  if (!isRecord(call)) return name ?? '';
  const text = argumentsText(call);
  const argument = callPoint(name, text) || mainArgument(text);
  const args = argument ?? (text === '{}' ? '' : compactOrAsIs(text));
  return oneLine(`${name ?? '(unnamed)'} ${args}`, LINE);
}

function mainArgument(text: string): string | null {
  // Long arguments (a file being written) are parsed too: the path, which says most, is often after the content.
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return isRecord(value) ? mainOf(value) : null;
}

function mainOf(value: Readonly<Record<string, unknown>>): string | null {
  for (const key of MAIN_KEYS) {
    const found = ownAt(value, key);
    if (typeof found === 'string' && found !== '') return found;
  }
  // The only argument says it, whatever its name; of several of a kind the first does.
  const [only, ...others] = Object.values(value);
  if (others.length > 0) return null;
  if (typeof only === 'string' && only !== '') return only;
  const first: unknown = Array.isArray(only) ? only[0] : null;
  return isRecord(first) ? mainOf(first) : null;
}

function compactOrAsIs(text: string): string {
  if (text.length > LINE * 4) return text;
  try {
    return compactJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}
