// Figures over call points, and of this turn under each preset, over the protocol.
import type { CacheRule } from '../insight/cache.ts';
import type { Price } from '../insight/prices.ts';
import type { SeriesPoint } from '../insight/types.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import type { Provenance, TokenFigure } from './types.ts';

/** What this turn would cost under one preset. */
export interface PresetFigure {
  readonly name: string;
  readonly title: string;
  readonly spec: ProjectionSpec;
  readonly tokens: TokenFigure;
  readonly blocked: boolean;
  readonly problem: string | null;
  /** What a request may hold under it; null = the window is not known. */
  readonly total: number | null;
  /** Whether it fits at this turn; null = the window is not known. */
  readonly fits: boolean | null;
  /** The first call point that does not fit; null = all fit, absent = not asked for, or the window is not known. */
  readonly firstOver?: FirstOver | null;
}

/** A call point whose request would be too large. `sampled`: an earlier one may be too, not all were looked at. */
export interface FirstOver {
  readonly at: number;
  readonly turn: number;
  readonly tokens: number;
  readonly sampled: boolean;
}

/** The price table in use. */
export interface PriceTable {
  readonly rows: readonly Price[];
  /** True if it is the user's. */
  readonly edited: boolean;
  /** The day the program's own prices were looked up. */
  readonly date: string;
  /** The transcript's model, its row, and how its provider caches; null = none asked for, or not known. */
  readonly model: string | null;
  readonly price: Price | null;
  readonly cacheRule: CacheRule | null;
}

/** Figures at call points. */
export interface Series {
  readonly seriesId: string;
  /** The answer of series.start: all points, as the raw history. An event: those from `from` on that are computed. */
  readonly points: readonly SeriesPoint[];
  /** Position of the first of `points` among all. */
  readonly from: number;
  /** Kinds of stages that are run anew at every call point, so that only samples are looked at; empty = all are. */
  readonly naive: readonly string[];
  /** What the costs go by. */
  readonly price: Price | null;
  readonly cacheRule: CacheRule | null;
  /** True if the transcript has more call points than points: these are evenly spaced samples. */
  readonly sampled: boolean;
  readonly callPoints: number;
  readonly provenance: Provenance;
  /** False while it is still being computed: points so far show the raw history. */
  readonly complete: boolean;
  /** Set if it could not be completed: some points still show the raw history. */
  readonly problem?: string;
}
