// The slow obvious way to uses: who said it before is asked of every message, whether it stands in the request of every
// message of a projection.
import { anchorKey, anchorsOf } from '../../core/insight/anchors/anchors.ts';
import { isOriginal } from '../../core/insight/text/origin.ts';
import type { UseOutcome } from '../../core/insight/uses/index.ts';
import { decodedFields } from '../../core/model/decode.ts';
import type { PartPlace } from '../../core/model/exchanges.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { itemText } from '../../core/view/reader.ts';
import { isUnrendered } from '../../core/view/tokens.ts';
import type { View, ViewItem } from '../../core/view/types.ts';

/** The strings of each part of a message. */
export function plainParts(json: string): readonly (readonly string[])[] {
  const message: unknown = JSON.parse(json);
  return readMessage(message).parts.map((part) => decodedFields(message, part));
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\/]+/g, '/');
const isWord = (text: string, at: number): boolean => /[\p{L}\p{M}\p{N}_]/u.test(text.charAt(at));

/** True if a string says a text; `isWhole` = not within a longer word. */
export function plainSays(field: string, text: string, isWhole: boolean): boolean {
  const [within, wanted] = [plain(field), plain(text.trim())];
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const opens = isWord(within, at) && at > 0 && isWord(within, at - 1);
    const closes = isWord(within, end - 1) && isWord(within, end);
    if (!isWhole || (!opens && !closes)) return true;
  }
  return false;
}

/** The part of the transcript that first says a text. */
export function plainFirst(source: TranscriptSource, text: string, isWhole: boolean): PartPlace | null {
  for (let message = 0; message < source.length; message++) {
    const parts = plainParts(source.text(message));
    const part = parts.findIndex((fields) => fields.some((field) => plainSays(field, text, isWhole)));
    if (part >= 0) return { message, part };
  }
  return null;
}

/** Where a request holds a text. */
export function plainOutcome(source: TranscriptSource, { items }: View, text: string, isWhole: boolean): UseOutcome {
  const first = plainFirst(source, text, isWhole);
  let outcome: UseOutcome = 'gone';
  for (const item of items) {
    for (const part of partsSaying(item, source, text, isWhole)) {
      if (first !== null && isOriginal(item, part, first)) return 'original';
      outcome = 'elsewhere';
    }
  }
  return outcome;
}

function partsSaying(item: ViewItem, source: TranscriptSource, text: string, isWhole: boolean): readonly number[] {
  if (isUnrendered(item)) return [];
  return plainParts(itemText(item, source)).flatMap((fields, part) =>
    fields.some((field) => plainSays(field, text, isWhole)) ? [part] : [],
  );
}

/** The messages before one that name an anchor. */
export function plainSources(source: TranscriptSource, before: number, key: string): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < before; index++) {
    const fields = plainParts(source.text(index)).flat();
    if (fields.some((field) => anchorsOf(field).some((anchor) => anchorKey(anchor) === key))) found.push(index);
  }
  return found;
}

/** The longest run of a string that stands in a message before; '' if none has this length. */
export function plainQuotes(source: TranscriptSource, before: number, field: string, least: number): readonly string[] {
  const said: string[] = [];
  for (let index = 0; index < before; index++) {
    said.push(...plainParts(source.text(index)).flatMap((fields) => fields.map((each) => each.replace(/\s+/g, ' '))));
  }
  const text = field.replace(/\s+/g, ' ');
  const found: string[] = [];
  for (let at = 0; at + least <= text.length; at++) {
    const run = text.slice(at, at + least);
    if (said.some((each) => each.includes(run))) found.push(run);
  }
  return found;
}
