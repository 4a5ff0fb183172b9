// browser-safe
// What a bundle says of its slice: which messages it holds with their words.

/** What became of a text in the whole transcript, and in the slice alike. */
export interface SliceAnswer {
  readonly text: string;
  /** At the bundle's call point, as a trace states it: `gone`, `elsewhere` … */
  readonly state: string;
  /** Call point since which it has held; null = not yet said. */
  readonly since: number | null;
  /** The stage that took it, as it is titled, and the rule; null = none did. */
  readonly stage: string | null;
  readonly rule: string | null;
}

/** A slice: all other messages are there by role, calls and ids alone. Numbers of messages are those of the whole. */
export interface SliceStatement {
  /** Messages with their words: source indices from, to (exclusive), ascending. */
  readonly whole: readonly (readonly [number, number])[];
  /** How many are without. */
  readonly emptied: number;
  /** Projections that were made to find it. */
  readonly tried: number;
  /** True: with any one message more emptied the result would be another one. False: the search was ended before. */
  readonly minimal: boolean;
  /** What else is the same; absent = the request alone was asked for. */
  readonly answer?: SliceAnswer;
}
