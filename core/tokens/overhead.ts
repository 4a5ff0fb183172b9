// What a request holds apart from its messages: the system prompt and the definitions of tools where a format records them
// there, and what a transcript does not record at all (a number somebody gives). A system prompt that is a message of the
// history is counted with the messages, and not here.
import type { OverheadCounts, RecordedOverhead } from '../model/overheadCounts.ts';
import { isDeferred } from '../model/toolLoading.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import { type Line, scaled, unrecordedOverhead } from './calibrated.ts';
import type { TokenCounter } from './counters.ts';
import type { ImageRule } from './images.ts';
import type { LoadedNow } from './loaded.ts';
import { blockTokens } from './partTokens.ts';

/** Tokens of the overhead, all of them. `overhead` = what the transcript does not record, as given. */
export interface CountedOverhead extends OverheadCounts {
  readonly overhead: number;
  /** Of one request: the tools that its messages load; part of `total`. Absent = none, or it is not of one request. */
  readonly loaded?: LoadedNow;
  readonly total: number;
}

/** Nothing is apart from the messages. */
export const NO_OVERHEAD: CountedOverhead = { system: 0, tools: 0, overhead: 0, total: 0 };

/** All the overhead. */
export function overheadOf({ system, tools }: OverheadCounts, overhead = 0): CountedOverhead {
  return { system, tools, overhead, total: system + tools + overhead };
}

/** What a request holds besides its messages, as far as that is known before a spec has its say. */
export interface KnownOverhead {
  readonly beside: OverheadCounts;
  /** What recorded usage says of the rest; absent = nothing. */
  readonly unrecorded?: number;
}

/** Counted tokens of what is recorded, as the provider's by a line; null = counts are plain. */
export function knownOverhead({ system, tools }: OverheadCounts, line: Line | null): KnownOverhead {
  if (line === null) return { beside: { system, tools } };
  const beside = { system: scaled(system, line.factor), tools: scaled(tools, line.factor) };
  return { beside, unrecorded: unrecordedOverhead(line, system + tools) };
}

/**
 * Counts what is recorded apart from the messages. A system prompt as parts of messages are: texts by themselves, images by
 * the rule. Each tool as its compact JSON without `cache_control`: how providers write definitions for the model is not
 * published, so this is a tokenizer's count of what is sent. Commas and brackets around are not counted. A tool that is
 * deferred is not in the prompt until a message loads it (core/projection/loadedTools.ts).
 */
export function countOverhead(
  { systemJson, toolsJson }: RecordedOverhead,
  counter: TokenCounter,
  images: ImageRule = 'anthropic',
): OverheadCounts & { readonly images: boolean } {
  let hasImages = false;
  let system = 0;
  for (const block of systemBlocks(systemJson)) {
    const counted = blockTokens(block, counter, images);
    system += counted.tokens;
    hasImages ||= counted.images;
  }
  const tools = toolTexts(toolsJson).reduce((sum, text) => sum + counter.count(text), 0);
  return { system, tools, images: hasImages };
}

/** A quarter of the characters, until there are counts. */
export const QUICK_COUNT: TokenCounter = {
  id: 'estimate',
  exact: false,
  count: (text) => Math.ceil(text.length / 4),
};

function systemBlocks(json: string | undefined): readonly unknown[] {
  if (json === undefined) return [];
  const value: unknown = JSON.parse(json);
  const content = isRecord(value) ? (ownAt(value, 'parts') ?? ownAt(value, 'content') ?? value) : value;
  if (content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function toolTexts(json: string | undefined): readonly string[] {
  if (json === undefined) return [];
  const value: unknown = JSON.parse(json);
  if (value === null) return [];
  return (Array.isArray(value) ? value : [value]).filter((tool) => !isDeferred(tool)).map(toolText);
}

/** A definition as it is counted: its compact JSON, without marks of the cache and of when it is loaded. */
export function toolText(tool: unknown): string {
  if (!isRecord(tool)) return typeof tool === 'string' ? tool : JSON.stringify(tool);
  const { cache_control: _mark, defer_loading: _when, ...seen } = tool;
  return JSON.stringify(seen);
}
