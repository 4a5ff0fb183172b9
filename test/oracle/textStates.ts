// The slow obvious way to the state of a text: project at a call point, read every message, look for the text in each of
// its strings.
import type { PartPlace } from '../../core/model/exchanges.ts';
import type { MessageFacts, Part } from '../../core/model/message.ts';
import { partExactText, valueAt } from '../../core/model/partText.ts';
import { argumentsText } from '../../core/model/readBlock.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { contentText, resultBody } from '../../core/model/readResult.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { Projection } from '../../core/projection/types.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import { originOf } from '../../core/view/origins.ts';
import { itemText } from '../../core/view/reader.ts';
import type { ViewItem } from '../../core/view/types.ts';

/** The parts of a view's item that say a text. Letter case does not matter, runs of white space are one space. */
export function partsSaying(item: ViewItem, source: TranscriptSource, text: string): readonly number[] {
  const message: unknown = JSON.parse(itemText(item, source));
  return saying(message, readMessage(message), plain(text.trim()));
}

function saying(message: unknown, { parts }: MessageFacts, needle: string): readonly number[] {
  return parts.flatMap((part, at) => {
    const strings = [...stringsOf(message, part), ...(/["{}[\]]/.test(needle) ? jsonStrings(message, part) : [])];
    return strings.some((each) => plain(each).includes(needle)) ? at : [];
  });
}

function jsonStrings(message: unknown, part: Part): readonly string[] {
  if (part.kind !== 'tool_call' && part.kind !== 'tool_result' && part.kind !== 'other') return [];
  const compact = partExactText(message, part);
  try {
    const value: unknown = JSON.parse(compact);
    return typeof value === 'object' && value !== null ? [compact, JSON.stringify(value, null, 2)] : [];
  } catch {
    return [];
  }
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').toLowerCase();
}

/** What pictures and files say is told by tables. */
function stringsOf(message: unknown, part: Part): readonly string[] {
  const value = valueAt(message, part.path);
  if (part.kind === 'tool_call') return [part.name ?? '', ...argumentStrings(value)];
  if (part.kind === 'tool_result') return resultStrings(isRecord(value) ? resultBody(value) : undefined);
  if (part.kind === 'other') return [part.name ?? '', ...blockStrings(value)];
  return part.kind === 'text' || part.kind === 'thinking' ? [partExactText(message, part)] : [];
}

function resultStrings(body: unknown): readonly string[] {
  if (isRecord(body)) return Object.keys(body).length === 1 ? deepStrings(Object.values(body)) : deepStrings(body);
  if (!Array.isArray(body)) return [contentText(body)];
  const texts = body.flatMap((block) =>
    typeof block === 'string' ? block : isRecord(block) ? (stringAt(block, 'text') ?? []) : [],
  );
  const others = body.filter(
    (block) => typeof block !== 'string' && (!isRecord(block) || stringAt(block, 'text') === undefined),
  );
  return [texts.join('\n'), ...others.flatMap(blockStrings)];
}

function blockStrings(block: unknown): readonly string[] {
  if (!isRecord(block)) return deepStrings(block);
  const { type, ...rest } = block;
  if (type !== 'image' && type !== 'document' && type !== 'file') return deepStrings(rest);
  // A document of plain text can be read.
  const { source, title } = rest;
  return isRecord(source) && source.type === 'text' ? deepStrings([title ?? '', source.data]) : [];
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
