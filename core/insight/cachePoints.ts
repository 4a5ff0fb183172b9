// Where requests have the breakpoints of a prompt cache. Recorded are the marks in the texts of messages, system prompt and
// tools. A message keeps the text in which it was first seen, so a mark on it was there in the request that first held
// it. What later requests had is known of their own new messages: clients move their marks on to the end. So of a
// request's marks those on new messages count; where there is none, those that stand on older ones.
import { type CacheTtl, ownCacheMark } from '../model/cacheMark.ts';
import type { TranscriptMeta } from '../model/transcript.ts';
import { type CallPointFigures, MOST_MARKS } from '../projection/callPointSums.ts';
import { isRecord } from '../util/unknown.ts';
import { type PromptCacheOptions, promptCacheOptions } from './openaiBreakpoints.ts';

/** What figures of the cache go by; `auto` = as recorded where a mark is recorded, else at each request's end. */
export type CachePointsMode = 'auto' | 'recorded' | 'end' | 'end1h' | 'none';

export const CACHE_POINTS_MODES: readonly CachePointsMode[] = ['auto', 'recorded', 'end', 'end1h', 'none'];

/** A mark apart from the messages: its share of all that is there (0..1), and its blocks. */
export interface OverheadBreakpoint {
  readonly share: number;
  readonly blocks: number;
  readonly ttl: CacheTtl;
}

/** How the breakpoints of a transcript's requests are known. */
export interface CachePoints {
  readonly mode: CachePointsMode;
  /** Whether it records any mark. */
  readonly marked: boolean;
  /** Whether messages carry some of them. */
  readonly inMessages: boolean;
  /** What is assumed to live how long, where that is not recorded. */
  readonly ttl: CacheTtl;
  readonly overheadBreakpoints: readonly OverheadBreakpoint[];
  readonly overheadBlocks: number;
  /** As OpenAI takes it; another provider has no such options. */
  readonly options?: PromptCacheOptions;
}

/** What is known of a transcript's marks. */
export interface MarkEvidence {
  readonly beside: Pick<TranscriptMeta, 'systemJson' | 'toolsJson' | 'settingsJson'>;
  /** Of the marks in messages, in order; empty = none. */
  readonly ttls: Iterable<CacheTtl>;
  /** Recorded usage says that something was written for an hour. */
  readonly hourWritten: boolean;
}

/** Nothing is recorded: a breakpoint at the end of every request. */
export const AT_THE_END: CachePoints = {
  mode: 'auto',
  marked: false,
  inMessages: false,
  ttl: '5m',
  overheadBreakpoints: [],
  overheadBlocks: 0,
};

/** Puts together what is known. Pure; reads the JSON apart from the messages. */
export function cachePointsOf(mode: CachePointsMode, { beside, ttls, hourWritten }: MarkEvidence): CachePoints {
  const blocks = [...elementsOf(beside.toolsJson), ...elementsOf(beside.systemJson)];
  const all = blocks.reduce((sum, { length }) => sum + length, 0);
  const overheadBreakpoints: OverheadBreakpoint[] = [];
  let length = 0;
  for (const [at, block] of blocks.entries()) {
    length += block.length;
    if (block.mark !== null) overheadBreakpoints.push({ share: length / all, blocks: at + 1, ttl: block.mark });
  }
  const recorded = [...overheadBreakpoints.map(({ ttl }) => ttl), ...ttls];
  const settings: unknown = beside.settingsJson === undefined ? null : JSON.parse(beside.settingsJson);
  const options = promptCacheOptions(settings);
  const asksLong = options.ttl === '1h';
  const isHour =
    mode === 'end1h' || (asksLong && mode !== 'end') || (mode !== 'end' && (hourWritten || recorded.includes('1h')));
  return {
    mode,
    marked: recorded.length > 0,
    inMessages: recorded.length > overheadBreakpoints.length,
    ttl: isHour ? '1h' : '5m',
    overheadBreakpoints,
    overheadBlocks: blocks.length,
    options,
  };
}

function elementsOf(json: string | undefined): readonly { readonly length: number; readonly mark: CacheTtl | null }[] {
  if (json === undefined) return [];
  const value: unknown = JSON.parse(json);
  const inner = isRecord(value) ? (value.parts ?? value.content ?? value) : value;
  const list: readonly unknown[] = Array.isArray(inner) ? inner : [inner];
  return list.map((element) => ({ length: JSON.stringify(element ?? null).length, mark: ownCacheMark(element) }));
}

/** A breakpoint of a request: tokens and blocks up to it, the overhead included. */
export interface Breakpoint {
  readonly tokens: number;
  readonly blocks: number;
  readonly ttl: CacheTtl;
}

/** A request's breakpoints, ascending, and how they are known: `none` = it is not cached. */
export interface RequestPoints {
  readonly known: 'recorded' | 'assumed' | 'none';
  readonly points: readonly Breakpoint[];
}

/** The breakpoints of one request. `total` = all of it, in tokens and blocks. */
export function requestPoints(
  how: CachePoints,
  marks: CallPointFigures['marks'],
  total: Omit<Breakpoint, 'ttl'>,
  overheadTokens: number,
): RequestPoints {
  const { mode, ttl, overheadBlocks } = how;
  if (mode === 'none') return { known: 'none', points: [] };
  const isRecorded = mode === 'recorded' || (mode === 'auto' && how.marked);
  const beside = how.overheadBreakpoints.map(
    (mark): Breakpoint => ({ ...mark, tokens: Math.round(mark.share * overheadTokens) }),
  );
  const fresh = marks.filter(({ isNew }) => isNew);
  const own = (fresh.length > 0 ? fresh : marks).map(
    (mark): Breakpoint => ({
      tokens: mark.tokens + overheadTokens,
      blocks: mark.blocks + overheadBlocks,
      ttl: mark.ttl,
    }),
  );
  if (isRecorded && (own.length > 0 || mode === 'recorded' || !how.inMessages)) {
    const points = [...beside, ...own].slice(-MOST_MARKS);
    return { known: points.length > 0 ? 'recorded' : 'none', points };
  }
  const first: Breakpoint[] = overheadTokens > 0 ? [{ tokens: overheadTokens, blocks: overheadBlocks, ttl }] : [];
  return { known: 'assumed', points: [...(beside.length > 0 ? beside : first), { ...total, ttl }].slice(-MOST_MARKS) };
}
