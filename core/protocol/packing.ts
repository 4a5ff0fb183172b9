// browser-safe
// What is sent in another form than it is typed: points of a chart go as columns. Both halves of the protocol ask here by the
// name of what they send, so that nobody else knows.
import type { CachePoint, PointTime, RecordedCache, SeriesPoint, SharedColumn } from '../insight/types.ts';
import { type Column, lists, nullable, optional, plain, records } from '../util/columns.ts';

const time = records<PointTime>({
  requested: plain(),
  until: plain(),
  took: plain(),
  tools: plain(),
  waiting: plain(),
});

const recorded = records<RecordedCache>({
  input: plain(),
  read: plain(),
  written: plain(),
  diagnosis: optional(plain()),
  edits: optional(plain()),
});

const cache = records<CachePoint>({
  prefixMessages: plain(),
  prefixTokens: plain(),
  servedTokens: plain(),
  writtenTokens: plain(),
  againTokens: plain(),
  brokenBy: nullable(plain()),
  cost: plain(),
  points: plain(),
  loss: nullable(plain()),
});

const own = {
  at: plain<number>(),
  turn: plain<number>(),
  byCategory: lists(),
  loaded: optional(plain<number>()),
  model: optional(plain<number>()),
  items: optional(plain<number>()),
  blocked: optional(plain<boolean>()),
  cache: optional(nullable(cache)),
  recorded: optional(recorded),
  refused: optional(plain<boolean>()),
  time: optional(time),
};

const shares = records<SharedColumn>({
  count: plain(),
  first: plain(),
  last: plain(),
  recorded: plain(),
  refused: plain(),
  blocked: plain(),
  // The one that fared worst of several is one of them: it shares nothing.
  worst: records<SeriesPoint>({ ...own, shares: optional(plain()) }),
});

const POINTS: Column<SeriesPoint> = records<SeriesPoint>({ ...own, shares: optional(shares) });

/** Points as they are sent. */
interface SentPoints {
  readonly count: number;
  readonly columns: unknown;
}

interface HasPoints {
  readonly points: readonly SeriesPoint[];
}

/** The methods and events whose payload holds the points of a chart. */
const WITH_POINTS: ReadonlySet<string> = new Set(['series', 'series.start', 'series.range']);

/** The payload of an event, or the result of a method, as it is sent. */
export function packed(name: string, payload: unknown): unknown {
  if (!WITH_POINTS.has(name)) return payload;
  const { points, ...rest } = payload as HasPoints;
  const sent: SentPoints = { count: points.length, columns: POINTS.pack(points) };
  return { ...rest, points: sent };
}

/** What was sent by {@link packed}, as it is typed. */
export function unpacked(name: string, payload: unknown): unknown {
  if (!WITH_POINTS.has(name)) return payload;
  const { points, ...rest } = payload as { readonly points: SentPoints };
  return { ...rest, points: POINTS.unpack(points.columns, points.count) };
}
