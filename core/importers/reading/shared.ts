// Small readers several formats use. Nothing is invented: what cannot be read stays absent.

import type { SourceRecord } from '../../model/importSink.ts';
import type { AppliedEdit, BilledRequest, Usage } from '../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../model/transcript.ts';
import { isBefore } from '../../util/instant.ts';
import { isRecord, numberAt, ownAt, stringAt } from '../../util/unknown.ts';

/** Where a record stands, for messages and events made of it. */
export function originOf(record: SourceRecord): Origin {
  return { line: record.line, byteStart: record.byteStart, byteEnd: record.byteEnd };
}

/**
 * A timestamp as ISO-8601: ISO text in UTC if it has an offset, else as it is (no zone is added), epoch seconds, milliseconds, microseconds or
 * nanoseconds (number or digits) converted; undefined for anything else.
 */
export function isoTime(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/.test(value)) return inUtc(value);
    return /^\d{10,19}$/.test(value) ? isoTime(Number(value)) : undefined;
  }
  if (typeof value !== 'number' || !(value >= 1e8 && value < 1e19)) return undefined;
  let ms = value;
  if (value < 1e11) ms = value * 1000;
  else if (value >= 1e17) ms = value / 1e6;
  else if (value >= 1e14) ms = value / 1e3;
  return new Date(Math.round(ms)).toISOString();
}

/** A time with an offset, in UTC, so that lists order times of all zones as texts; one without a zone stays as it is. */
function inUtc(value: string): string {
  const offset = /\d{2}:\d{2}.*([+-]\d{2}:?\d{2})$/.exec(value)?.[1];
  if (offset === undefined) return value;
  if (/^[+-]00:?00$/.test(offset)) return `${value.slice(0, -offset.length)}Z`;
  const time = Date.parse(value);
  return Number.isNaN(time) ? value : new Date(time).toISOString();
}

/** Object without its undefined members, so that absent stays absent under exactOptionalPropertyTypes. */
export function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Partial<T> = {};
  for (const key in value) {
    if (value[key] !== undefined) kept[key] = value[key];
  }
  return kept as { [K in keyof T]: Exclude<T[K], undefined> };
}

/** Usage as Anthropic records it (`input_tokens` excludes cached tokens). */
export function anthropicUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const details = ownAt(value, 'output_tokens_details');
  return nonEmpty({
    ...anthropicTokens(value),
    reasoning: isRecord(details) ? numberAt(details, 'thinking_tokens') : undefined,
    requests: iterationsOf(value),
  });
}

function anthropicTokens(value: Readonly<Record<string, unknown>>) {
  const written = ownAt(value, 'cache_creation');
  const hour = isRecord(written) ? numberAt(written, 'ephemeral_1h_input_tokens') : undefined;
  return {
    input: numberAt(value, 'input_tokens'),
    output: numberAt(value, 'output_tokens'),
    cacheRead: numberAt(value, 'cache_read_input_tokens'),
    cacheWrite: numberAt(value, 'cache_creation_input_tokens'),
    cacheWrite1h: hour === 0 ? undefined : hour,
  };
}

const ITERATIONS: ReadonlyMap<unknown, BilledRequest['kind']> = new Map([
  ['message', 'message'],
  ['fallback_message', 'message'],
  ['compaction', 'compaction'],
]);

// A single turn of the answer says what the usage says already.
function iterationsOf(usage: Readonly<Record<string, unknown>>): readonly BilledRequest[] | undefined {
  const list = ownAt(usage, 'iterations');
  if (!Array.isArray(list)) return undefined;
  const requests = list.filter(isRecord).map((each): BilledRequest => {
    return { kind: ITERATIONS.get(ownAt(each, 'type')) ?? 'other', ...defined(anthropicTokens(each)) };
  });
  return requests.every(({ kind }) => kind === 'message') && requests.length < 2 ? undefined : requests;
}

/** What Anthropic's `context_management` of an answer says; empty if it did nothing to the context, undefined if it does not say. */
export function appliedEdits(value: unknown): readonly AppliedEdit[] | undefined {
  const list = isRecord(value) ? ownAt(value, 'applied_edits') : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.filter(isRecord).map((edit) => ({
    type: stringAt(edit, 'type') ?? '',
    ...defined({
      toolUses: numberAt(edit, 'cleared_tool_uses'),
      thinkingTurns: numberAt(edit, 'cleared_thinking_turns'),
      tokens: numberAt(edit, 'cleared_input_tokens'),
    }),
  }));
}

/** The speed a request was answered at, as Anthropic's usage has it; undefined for the usual one. */
export function anthropicSpeed(usage: unknown): string | undefined {
  const speed = isRecord(usage) ? stringAt(usage, 'speed') : undefined;
  return speed === 'standard' ? undefined : speed;
}

/** Usage as Chat Completions record it (`prompt_tokens` includes cached tokens; `input` is given as recorded). */
export function openaiUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const prompt = ownAt(value, 'prompt_tokens_details');
  const completion = ownAt(value, 'completion_tokens_details');
  return nonEmpty({
    input: numberAt(value, 'prompt_tokens'),
    output: numberAt(value, 'completion_tokens'),
    cacheRead: isRecord(prompt) ? numberAt(prompt, 'cached_tokens') : undefined,
    reasoning: isRecord(completion) ? numberAt(completion, 'reasoning_tokens') : undefined,
    total: numberAt(value, 'total_tokens'),
  });
}

/** Usage without what was not recorded; undefined if nothing was. */
export function nonEmpty(usage: { [K in keyof Usage]: Usage[K] | undefined }): Usage | undefined {
  const kept = defined(usage);
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** A text as a title: one line, at most 80 characters. */
export function titleOf(text: string): string | undefined {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim();
  if (line === '') return undefined;
  const chars = [...line];
  return chars.length <= 80 ? line : `${chars.slice(0, 79).join('').trimEnd()}…`;
}

const WRAPPER = /^\s*(<[a-z][a-z-]*>|Caveat: |\[Request interrupted)/;

/** What a person wrote in a message's content, for a title; undefined if it is tool results, wrappers or nothing. */
export function humanText(content: unknown): string | undefined {
  if (typeof content === 'string') return WRAPPER.test(content) ? undefined : titleOf(content);
  if (!Array.isArray(content)) return undefined;
  for (const block of content) {
    const text = isRecord(block) && ownAt(block, 'type') === 'text' ? ownAt(block, 'text') : undefined;
    const title = typeof text === 'string' && !WRAPPER.test(text) ? titleOf(text) : undefined;
    if (title !== undefined) return title;
  }
  return undefined;
}

/** A number as a context window; undefined if it is none. Unit: tokens. */
export function windowFrom(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** Collects model names, the context window, and the earliest and latest time; `meta()` is what is to be said of them. */
export class Extent {
  readonly #models = new Set<string>();
  #window: number | undefined;
  #first: string | undefined;
  #last: string | undefined;

  time(value: string | undefined): void {
    if (value === undefined) return;
    if (this.#first === undefined || isBefore(value, this.#first)) this.#first = value;
    if (this.#last === undefined || isBefore(this.#last, value)) this.#last = value;
  }

  /** A context window that the runtime says it keeps to, in tokens; what is none is passed over. */
  window(tokens: number | undefined): void {
    this.#window = windowFrom(tokens) ?? this.#window;
  }

  model(name: string | undefined): void {
    if (name !== undefined && name !== '<synthetic>') this.#models.add(name);
  }

  meta(): Pick<TranscriptMeta, 'models' | 'contextWindow' | 'startedAt' | 'endedAt'> {
    const models = this.#models.size > 0 ? [...this.#models] : undefined;
    return defined({ models, contextWindow: this.#window, startedAt: this.#first, endedAt: this.#last });
  }
}

/** How sure a format is of a file: the best score among its first values, 0 if there are none. */
export function bestScore(values: readonly unknown[], scoreOf: (value: unknown) => number): number {
  return values.reduce<number>((best, value) => Math.max(best, scoreOf(value)), 0);
}
