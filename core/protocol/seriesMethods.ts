import type * as T from './types.ts';

/** The part of {@link Methods} that gives figures at call points. */
export interface SeriesMethods {
  /**
   * Figures at all call points. The first answer is immediate (raw history; without points if `raw` is false: 2 MB, of a
   * long session); the others come as `series` events with the same seriesId, each a piece from `from` on. `samples` = at
   * how many a spec may be run again that cannot be followed.
   */
  'series.start': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly samples: number;
      readonly tokenizer?: string | null;
      readonly raw?: boolean;
    };
    result: T.Series;
  };
  /**
   * The figures of the call points at the positions [from, to) (20,000 at most) of the client's newest series, in at most
   * `most` points (columns.ts); `first` = position of the first. No points = they are not computed yet. Error:
   * `series.unknown`.
   */
  'series.range': {
    params: { readonly seriesId: string; readonly from: number; readonly to: number; readonly most: number };
    result: { readonly first: number; readonly points: readonly T.SeriesPoint[] };
  };
  /** Sums over the call points at the positions [from, to) of the client's newest series. Error: `series.unknown`. */
  'series.area': {
    params: { readonly seriesId: string; readonly from: number; readonly to: number };
    result: T.AreaAnswer;
  };
  /** The turn a message lies in; null before the first. Its sums: `series.area` over its calls. */
  'transcript.turn': { params: { readonly id: string; readonly index: number }; result: T.TurnInfo | null };
  'series.stop': { params: { readonly seriesId: string }; result: Record<string, never> };
}
