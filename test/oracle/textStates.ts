// The slow obvious way to the state of a text: project at a call point, read every message, look for the text in each of
// its strings.
import type { PartPlace } from '../../core/model/exchanges.ts';
import type { MessageFacts, Part } from '../../core/model/message.ts';
import { partExactText, partText, valueAt } from '../../core/model/partText.ts';
import { argumentsText } from '../../core/model/readBlock.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { Projection } from '../../core/projection/types.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { originOf } from '../../core/view/origins.ts';
import { itemText } from '../../core/view/reader.ts';
import type { ViewItem } from '../../core/view/types.ts';

/** The parts of a view's item that say a text. Letter case does not matter, runs of white space are one space. */
export function partsSaying(item: ViewItem, source: TranscriptSource, text: string): readonly number[] {
  const message: unknown = JSON.parse(itemText(item, source));
  return saying(message, readMessage(message), plain(text.trim()));
}

function saying(message: unknown, { parts }: MessageFacts, needle: string): readonly number[] {
  return parts.flatMap((part, at) => (stringsOf(message, part).some((each) => plain(each).includes(needle)) ? at : []));
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').toLowerCase();
}

/** Plain parts only: what pictures, files and provider's blocks say is told by tables. */
function stringsOf(message: unknown, part: Part): readonly string[] {
  if (part.kind === 'tool_call') return [part.name ?? '', ...argumentStrings(valueAt(message, part.path))];
  if (part.kind === 'tool_result') return [partText(message, part)];
  return part.kind === 'text' || part.kind === 'thinking' ? [partExactText(message, part)] : [];
}

function argumentStrings(call: unknown): readonly string[] {
  const given = isRecord(call) ? argumentsText(call) : '';
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === 'object' && value !== null ? deepStrings(value) : [given];
  } catch {
    return [given];
  }
}

function deepStrings(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(deepStrings);
  if (isRecord(value)) return Object.entries(value).flatMap(([key, each]) => [key, ...deepStrings(each)]);
  return value === null ? [] : [String(value)];
}

/** The message and part that first says a text; null if none does. */
export function firstSaying(source: TranscriptSource, text: string): PartPlace | null {
  for (let index = 0; index < source.length; index++) {
    const [part] = partsSaying({ kind: 'source', index }, source, text);
    if (part !== undefined) return { message: index, part };
  }
  return null;
}

/** The state of a text without anchors in a projection; `first` = the part that first says it. */
export function plainState(
  projection: Projection,
  source: TranscriptSource,
  text: string,
  first: PartPlace | null,
): 'not_yet' | 'original' | 'elsewhere' | 'gone' {
  let isSaid = false;
  for (const item of projection.view.items) {
    for (const part of partsSaying(item, source, text)) {
      isSaid = true;
      const isOwn = item.kind === 'source' && item.index === first?.message;
      const origins = originOf(item, part);
      const isWhole = item.kind === 'synthetic' && item.origins?.flat().every((raw) => raw.message === first?.message);
      const isFirst = origins.some((raw) => raw.message === first?.message && raw.part === first.part);
      if (isFirst && (isOwn || isWhole === true)) return 'original';
    }
  }
  if (isSaid) return 'elsewhere';
  return first === null || projection.at <= first.message ? 'not_yet' : 'gone';
}
