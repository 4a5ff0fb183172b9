import type * as R from './reviewTypes.ts';
import type * as T from './types.ts';

/** The part of {@link Methods} that looks at what leaves before it does, and decides about it. */
export interface ReviewMethods {
  /**
   * Looks through all that a bundle of this call point would hold. In the background; a client reviews one thing at a time,
   * the next one ends it with `request.superseded`. The same asked again is not looked through again.
   */
  'review.open': { params: ReviewSubject; result: R.ReviewInfo };
  /** The places of a kind, at most 60 at once. Error: `review.unknown` (of all that name a review): open it again. */
  'review.places': {
    params: {
      readonly reviewId: string;
      readonly kind: string;
      readonly tier: 'definite' | 'candidate';
      readonly from: number;
      readonly to: number;
    };
    result: R.ReviewPlaces;
  };
  /** A picture that was found, as base64. Error: `review.no_image`. */
  'review.image': {
    params: { readonly reviewId: string; readonly value: number };
    result: { readonly mime: string; readonly base64: string };
  };
  /** Decides about a value, all values of a kind, or (no kind) of a tier; null = as without anybody's decision. Remembered in the library. */
  'review.decide': {
    params: {
      readonly reviewId: string;
      readonly decision: R.ReviewDecision | null;
      readonly value?: number;
      readonly kind?: string;
      readonly tier?: 'definite' | 'candidate';
    };
    result: R.ReviewInfo;
  };
  /**
   * Makes the file that would be written, in the background, and searches it again. `slice`: with the words of those messages
   * alone that the result needs, proved by projecting. Superseded by the next.
   */
  'review.finish': { params: { readonly reviewId: string; readonly slice?: boolean }; result: R.ReviewFinished };
  /** Rows of that file, at most 400 at once. Error: `review.unfinished`. */
  'review.rows': {
    params: { readonly reviewId: string; readonly from: number; readonly to: number };
    result: R.ReviewRows;
  };
  /** Where a text is in that file, in upper or lower case. */
  'review.search': { params: { readonly reviewId: string; readonly text: string }; result: R.ReviewHits };
  /** Nobody looks at it any more: what was found and made is dropped. */
  'review.close': { params: { readonly reviewId: string }; result: Record<string, never> };
  /** Writes a bug-report bundle; `path` null = into the library's export folder (the host then serves it). */
  'export.write': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly at: number | null;
      readonly path: string | null;
      /** Findings that go into it; those about later messages are left out. At most {@link STATED_FINDINGS_MOST}. */
      readonly findings?: readonly T.StatedFinding[];
      /** Ids of the transcript's watchpoints that go into it. */
      readonly watchpoints?: readonly string[];
      /** What was reviewed: its decisions hold. Absent: remembered ones do, and candidates nobody decided about are masked. */
      readonly reviewId?: string;
      /** With the words of those messages alone that the result needs; as `review.finish` was asked. */
      readonly slice?: boolean;
      /** What whoever reports it says in the issue; scrubbed as the rest is. */
      readonly note?: { readonly expected: string; readonly happened: string };
    };
    result: {
      readonly path: string;
      readonly bytes: number;
      readonly prefixHash: string;
      /** Text for an issue tracker, about this file by its name; a copy is next to it as `path` + `.md`. */
      readonly markdown: string;
      /** Why that copy could not be written; null = it is there. */
      readonly besideProblem: string | null;
    };
  };
  /**
   * Writes the page of the file that `review.finish` made last: one HTML file that shows it without this program. `path` null =
   * into the library's export folder. Errors: `review.unfinished`, `export.undecided`, `export.left`, `export.no_page` (this
   * host has not built the page's program), `export.not_written`.
   */
  'export.page': {
    params: {
      readonly reviewId: string;
      readonly path: string | null;
      readonly note?: { readonly expected: string; readonly happened: string };
    };
    result: { readonly path: string; readonly bytes: number };
  };
  /** Words and expressions that are masked in whatever leaves this library. */
  'scrub.rules': { params: Record<string, never>; result: R.ScrubRules };
  /** Puts others in their place. Error: `scrub.bad_rule`, in words. */
  'scrub.setRules': { params: R.ScrubRules; result: R.ScrubRules };
}

/** What would leave. */
export interface ReviewSubject {
  readonly id: string;
  readonly spec: unknown;
  readonly at: number | null;
  /** Findings that go into it; those about later messages are left out. */
  readonly findings?: readonly T.StatedFinding[];
  /** Ids of the transcript's watchpoints that go into it. */
  readonly watchpoints?: readonly string[];
}
