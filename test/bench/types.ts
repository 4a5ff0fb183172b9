/** One line of a benchmark report. */
export interface BenchRow {
  readonly group: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** value relative to a peer measured in the same run, larger is better for us. */
  readonly ratio?: number;
  /** The peer of `ratio`. */
  readonly against?: string;
  /** What is aimed at, in words. */
  readonly aim?: string;
  readonly ok?: boolean;
  readonly note?: string;
}

/** How to run. `quick` = fewer rounds, smaller inputs, short limits: to see that it works. */
export interface BenchOptions {
  readonly quick: boolean;
  /** The group `big` with 2 GB. */
  readonly big?: boolean;
}
