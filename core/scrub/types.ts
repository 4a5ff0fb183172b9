/** How sure a detector is: `definite` findings are masked unless somebody says otherwise, `candidate` ones are shown for a decision. */
export type Tier = 'definite' | 'candidate';

/** A range of a text that a detector wants out. Offsets in UTF-16 units of that text, `to` exclusive. */
export interface Hit {
  /** An id of {@link kindTitle}'s table, or `own`. */
  readonly kind: string;
  readonly tier: Tier;
  readonly from: number;
  readonly to: number;
  /** The value of which this is the beginning: the text is cut off in it. */
  readonly whole?: string;
}

/** Looks for what it knows in one text. Linear in its length. */
export type Detector = (text: string) => Iterable<Hit>;

/** A hit with its text, decoded, and how it is written with something else in its place. */
export interface Found extends Hit {
  /** Its text as a person reads it: the same however it is escaped, and where it is cut off. */
  readonly value: string;
  /** The piece of text for `from` to `to` with `standIn(kind, value)` in place of the value, escaped as the value was. */
  write(standIn: StandInOf): string;
}

/** What replaces a value. */
export type StandInOf = (kind: string, value: string) => string;
