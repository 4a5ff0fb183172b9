// What clients see of a transcript that is looked through before it leaves.
import type { JsonPath } from '../model/message.ts';

/** What is done with a value: a stand-in takes its place, it stays, or the whole text around it is taken out. */
export type ReviewDecision = 'mask' | 'keep' | 'take_out';

export const REVIEW_DECISIONS: readonly ReviewDecision[] = ['mask', 'keep', 'take_out'];

/** Findings of one kind and tier. */
export interface ReviewKind {
  readonly kind: string;
  readonly title: string;
  readonly group: 'secret' | 'personal' | 'own' | 'unreadable';
  /** `definite` is masked unless somebody says otherwise; of `candidate` a person decides. */
  readonly tier: 'definite' | 'candidate';
  /** Places, and how many of them are masked or taken out. */
  readonly count: number;
  readonly masked: number;
  /** Different values, and messages that hold them. */
  readonly values: number;
  readonly messages: number;
  /** null = nobody decided of any. */
  readonly decision: ReviewDecision | 'mixed' | null;
  /** Values nobody decided about. */
  readonly undecided: number;
}

/** Words and regular expressions of a library that are masked besides what is found. */
export interface ScrubRules {
  /** Whole words, in upper and lower case. */
  readonly words: readonly string[];
  /** Regular expressions of JavaScript, without flags. */
  readonly patterns: readonly string[];
}

/** What was found in all that would leave. */
export interface ReviewInfo {
  /** Names this review, for as long as this client reviews nothing else. */
  readonly reviewId: string;
  /** Changes with each decision. */
  readonly version: number;
  /** Source index of the call point. */
  readonly at: number;
  readonly kinds: readonly ReviewKind[];
  readonly found: number;
  readonly masked: number;
  /** Messages in which something is found. */
  readonly messages: number;
  /** Values nobody decided about: nothing is written before. */
  readonly undecided: number;
  readonly rules: ScrubRules;
}

/** A place where something was found. */
export interface ReviewPlace {
  /** Names the value in decisions, within this review. */
  readonly value: number;
  /** Source index; null = apart from the messages. */
  readonly index: number | null;
  readonly part: number | null;
  /** Role and part in words: `tool result`, `system prompt`. */
  readonly where: string;
  readonly path: JsonPath;
  readonly decision: ReviewDecision | null;
  /** Places that this value has: a decision is about all of them. */
  readonly count: number;
  /** Texts around it as they are, and as they go out; null = taken out whole. */
  readonly before: ReviewTexts;
  readonly out: ReviewTexts | null;
  /** Of a picture: its size. It is shown by `review.image`. */
  readonly image: { readonly bytes: number; readonly width: number | null; readonly height: number | null } | null;
}

/** A value with what is around it. */
export interface ReviewTexts {
  readonly lead: string;
  readonly value: string;
  readonly tail: string;
}

/** Places of one kind, a page of them. */
export interface ReviewPlaces {
  readonly from: number;
  readonly total: number;
  readonly places: readonly ReviewPlace[];
}

/** The finished file, searched again. */
export interface ReviewFinished {
  /** What the file is called: by the title as it goes out. */
  readonly name: string;
  /** The same of its page. */
  readonly pageName: string;
  /** Size of the file in bytes of UTF-8. */
  readonly bytes: number;
  /** Lines of the file, and rows that they are shown in: a long line takes several. */
  readonly lines: number;
  readonly rows: number;
  /** What is left in it that must not leave; where, without values. Not empty: nothing can be written. */
  readonly left: readonly { readonly title: string; readonly place: string; readonly index: number | null }[];
  readonly leftCount: number;
  /** Whether the policy decides of it as it did of the original. */
  readonly sameOutcome: boolean;
  /** Messages whose outcome was compared. */
  readonly compared: number;
  /** Tokens of the request, of the original and as it goes out; by the same way of counting. */
  readonly tokens: { readonly original: number; readonly written: number; readonly sign: '' | '≈' | '~' };
  /** Of the request as it goes out. */
  readonly prefixHash: string;
  /** Signatures of edited thinking that were taken out. */
  readonly signatures: number;
  /** Messages that go out without their words, because the result needs none of them; null = all go out with theirs. */
  readonly slice: { readonly emptied: number; readonly minimal: boolean } | null;
}

/** Rows of the finished file. */
export interface ReviewRows {
  readonly from: number;
  readonly total: number;
  readonly rows: readonly ReviewRow[];
}

/** A row of the finished file: at most {@link ROW_CHARS} characters of one line. */
export interface ReviewRow {
  /** 1-based number of the line that begins here; null = the line of the row before continues. */
  readonly line: number | null;
  readonly text: string;
  /** Stand-ins in it: offsets, end exclusive. */
  readonly marks: readonly (readonly [number, number])[];
}

export const ROW_CHARS = 160;

/** Where a text is in the finished file. */
export interface ReviewHits {
  /** All, as far as they were counted: {@link MOST_HITS}. */
  readonly total: number;
  /** Row and offset in it of each of the first ones, in order. */
  readonly hits: readonly { readonly row: number; readonly from: number }[];
}

export const MOST_HITS = 10_000;
