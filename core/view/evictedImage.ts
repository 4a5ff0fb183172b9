// What is in place of an image that had to go: a line of text that says what it was.
import { base64Head } from '../tokens/base64Head.ts';
import { imageData } from '../tokens/partTokens.ts';
import { sniffBytes } from '../util/imageSize.ts';
import { jsonString, valueTextAt } from '../util/json/index.ts';
import { isRecord, recordAt, stringAt } from '../util/unknown.ts';

/** The label of an image block: `[image evicted: image/png, 640×480, over the cap on images]`. */
export function evictedImageLabel(block: unknown): string {
  const data = imageData(block);
  const sniffed = data === null ? null : sniffBytes(base64Head(data));
  const mime = sniffed?.mime ?? declaredType(block) ?? 'image';
  const size =
    data === null
      ? 'linked'
      : sniffed?.width != null && sniffed.height !== null
        ? `${sniffed.width}×${sniffed.height}`
        : `${Math.floor((data.length * 3) / 4)} bytes`;
  return `[image evicted: ${mime}, ${size}, over the cap on images]`;
}

/**
 * The JSON text of the block that holds the label in place of an image block (its JSON text and value), in the words of the
 * same provider. A mark for the provider's cache stays: it is of the place, not of the image.
 */
export function evictedImageBlock(json: string, block: unknown, label: string): string {
  const type = isRecord(block) ? stringAt(block, 'type') : undefined;
  const text = `"text":${jsonString(label)}`;
  if (type === undefined) return `{${text}}`;
  const mark = valueTextAt(json, ['cache_control']);
  const kept = mark === null ? '' : `,"cache_control":${mark}`;
  return `{"type":"${type === 'input_image' ? 'input_text' : 'text'}",${text}${kept}}`;
}

const DATA_URL = /^data:([^;,]+)[;,]/;

function declaredType(block: unknown): string | null {
  if (!isRecord(block)) return null;
  const holders = ['inlineData', 'inline_data', 'fileData', 'file_data', 'source'].flatMap((key) => {
    const held = recordAt(block, key);
    return held === undefined ? [] : [held];
  });
  for (const holder of [...holders, block]) {
    for (const key of ['mimeType', 'mime_type', 'media_type', 'mediaType']) {
      const type = stringAt(holder, key);
      if (type !== undefined && /^[\w.+-]+\/[\w.+-]+$/.test(type)) return type;
    }
  }
  const url = stringAt(block, 'image_url') ?? stringAt(recordAt(block, 'image_url') ?? {}, 'url') ?? '';
  return DATA_URL.exec(url)?.[1] ?? null;
}
