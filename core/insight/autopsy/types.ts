// What a compaction lost, and what it cost (insight.md §8). Everything is read from the transcript and its projection; what
// is judged by the form of a sentence (imperative, decision, open task) is marked by its class.
import type { Category } from '../../model/category.ts';

/** Classes of what a covered span says, in the order in which they are shown. */
export const SURVIVAL_CLASSES = [
  'user_sentences',
  'imperatives',
  'decisions',
  'open_tasks',
  'files_edited',
  'paths',
  'commands',
  'errors',
  'identifiers',
  'numbers',
] as const;

export type SurvivalClass = (typeof SURVIVAL_CLASSES)[number];

/** Something the covered span says, once. */
export interface CoveredItem {
  readonly class: SurvivalClass;
  readonly text: string;
  /** The part that says it first, and where in its decoded text. */
  readonly index: number;
  readonly part: number;
  readonly from: number;
  readonly to: number;
  /** An error: the message with the call of the same tool that succeeded after it; null = none did. */
  readonly resolvedAt?: number | null;
}

/** An item that stands neither in the summary nor in what was carried over. */
export interface LostItem extends Omit<CoveredItem, 'class'> {
  /** Assistant messages that relied on it before the next recorded compaction, ascending. */
  readonly usedLater: readonly number[];
}

/** What of one class survived. `words` = of `survived` those that stand word for word; the others by their anchors. */
export interface Survival {
  readonly total: number;
  readonly survived: number;
  readonly words: number;
  /** Those used later first. */
  readonly lost: readonly LostItem[];
}

/** A call made again behind a compaction. */
export interface RepeatedCall {
  /** The assistant message that makes it. */
  readonly at: number;
  readonly evidence: string;
  /** Messages that gave the result before. */
  readonly sources: readonly number[];
  /** Of the new result. */
  readonly tokens: number;
  /** US dollars that reading it again cost in the requests behind it; null = no price is known. */
  readonly cost: number | null;
  /** The result before was in the request all the same: it was ignored, not forgotten. */
  readonly ignored: boolean;
}

/** What came behind a compaction, up to the next recorded one or the end; calls and refill up to the next of any kind. */
export interface Aftermath {
  /** Requests that were answered. */
  readonly calls: number;
  /** The same call with the same result as one in the covered span. Changed results are not counted. */
  readonly rereads: readonly RepeatedCall[];
  readonly changedRereads: number;
  readonly repeatedFailures: readonly RepeatedCall[];
  /** Paths read in the covered span, and read again; whatever the call. */
  readonly filesReadAgain: readonly { readonly path: string; readonly at: number }[];
  /** Calls of the model until one edits a file, that one included; null = none does. */
  readonly callsToFirstEdit: number | null;
  readonly firstEditAt: number | null;
  /** What the window filled with, by category, largest first. Unit: tokens of the messages behind it. */
  readonly refill: readonly { readonly kind: Category; readonly tokens: number }[];
  readonly refillTokens: number;
}

/** When a compaction came. Tokens as recorded; null = not recorded. */
export interface CompactionTrigger {
  /** As the runtime recorded it (`auto`, `manual`); null = not recorded, or a stage does it. */
  readonly trigger: string | null;
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  /** Of the model; null = not known. */
  readonly window: number | null;
}

/** One compaction. */
export interface Autopsy extends CompactionTrigger {
  /** Its number, from 0. */
  readonly index: number;
  /** The first call point behind it. */
  readonly at: number;
  /** Of a recorded one its place in the transcript; null = a stage put a summary in place. */
  readonly recordedAt: number | null;
  /** Source index of the recorded summary; null = it is none of the messages, or a stage made it. */
  readonly summaryIndex: number | null;
  /** Position of the stage that put a summary in place; null = recorded. */
  readonly stage: number | null;
  /** Its summary is not written yet: what survives was carried over. */
  readonly placeholder: boolean;
  /** What it put there cannot be read: nothing is said of what survived. */
  readonly opaque: boolean;
  /** Its record may not be all that the model was given: what seems lost may have been in the rest. */
  readonly incomplete: boolean;
  /** Source messages that the request before held, or would have held, and this one does not hold as they were; ascending. */
  readonly covered: readonly number[];
  /** Null = opaque. */
  readonly survival: Readonly<Record<SurvivalClass, Survival>> | null;
  readonly after: Aftermath;
}
