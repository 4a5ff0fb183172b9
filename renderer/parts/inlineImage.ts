// Small images stay in their message's JSON instead of becoming assets; here they are found in it.
import { readMessage } from '../../core/model/readMessage.ts';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';

/** A message's JSON; `rawChars` = how long it is whole. */
export type MessageJson = Pick<MessageDetail, 'rawJson' | 'rawChars'>;

/** An image's own bytes. */
export interface InlineImage {
  readonly mime: string;
  readonly base64: string;
}

/** The image a part holds itself; null if it has none, only names an address, or the JSON is cut. */
export function inlineImage(detail: MessageJson, part: number): InlineImage | null {
  if (detail.rawJson.length < detail.rawChars) return null;
  const message: unknown = JSON.parse(detail.rawJson);
  const path = readMessage(message).parts[part]?.path;
  return path === undefined ? null : imageIn(path.reduce(step, message));
}

function step(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined;
  return isRecord(value) ? value[key] : undefined;
}

const DATA_URL = /^data:([\w.+/-]+);base64,(.*)$/s;

/** The first data URL, or the first `data` beside a media type, in the order of the keys. */
function imageIn(value: unknown): InlineImage | null {
  if (typeof value === 'string') {
    const [, mime, base64] = DATA_URL.exec(value) ?? [];
    return mime === undefined || base64 === undefined ? null : { mime, base64 };
  }
  if (!isRecord(value)) return null;
  const mime = stringAt(value, 'media_type') ?? stringAt(value, 'mimeType') ?? stringAt(value, 'mime_type');
  const base64 = stringAt(value, 'data');
  if (mime !== undefined && base64 !== undefined) return { mime, base64 };
  for (const inner of Object.values(value)) {
    const found = imageIn(inner);
    if (found) return found;
  }
  return null;
}
