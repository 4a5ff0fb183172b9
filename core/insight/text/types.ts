// The answer to "is this text still in the request?" (asked of a text, not of a message). Offsets are UTF-16 units of the
// decoded text of a part (core/model/decode.ts); `at` is a call point: the request made before that message.
import type { TraceLoss } from '../types.ts';

export type { TextSwitches } from '../../util/textPattern.ts';

/**
 * `not_yet` = neither a message before the call point nor the request says it; `original` = the message that first said
 * it is in the request, and that part still says it; `elsewhere` = only other places say it, word for word; `partly` =
 * no place says it whole, but it has at least three anchors and some of them are there; `gone` = none of these.
 */
export type TextState = 'not_yet' | 'original' | 'elsewhere' | 'partly' | 'gone';

export const TEXT_STATES: readonly TextState[] = ['not_yet', 'original', 'elsewhere', 'partly', 'gone'];

/** True if the request says the text word for word. */
export function isSaid(state: TextState): boolean {
  return state === 'original' || state === 'elsewhere';
}

/** What is in front of the messages, where the transcript records it. */
export type FrontPlace = 'system' | 'tools';

/** A place in a request. Exactly one of `index`, `synthetic` and `front` is not null. */
export interface ViewPlace {
  /** Source index of the message that says it; null for one that no one wrote, and for what is in front. */
  readonly index: number | null;
  /** Which of the request's synthetic messages it is, from 0. */
  readonly synthetic: number | null;
  readonly front: FrontPlace | null;
  readonly part: number;
  readonly from: number;
  readonly to: number;
  /** For people: `#124`, `summary #271`, `summary of #0–#270`, `system prompt`. */
  readonly label: string;
}

/** A place in the transcript. */
export interface RawTextPlace {
  readonly where: 'message' | 'event' | FrontPlace;
  /** Source index; of an event the message it stands before; null for what is in front. */
  readonly index: number | null;
  /** null where there are no parts: events. */
  readonly part: number | null;
  readonly from: number;
  readonly to: number;
  /** About 120 characters around it, on one line; `start` and `length` mark it within. */
  readonly context: string;
  readonly start: number;
  readonly length: number;
  /** For people: `user #124`, `Bash call #12`, `event queue-operation before #5`. */
  readonly label: string;
  /** It is in the request at `now.at`: in this very part, or where that part was merged or moved to. */
  readonly present: boolean;
  /** Said behind the call point. */
  readonly after: boolean;
}

/** Where, by which stage, under which rule and why a text ceased to stand where it stood. */
export interface TextLoss extends TraceLoss {
  /** What said it until then. */
  readonly place: string;
}

/** A call point at which the state is another than before, or the first at which the text is said. */
export interface TextChange {
  readonly at: number;
  readonly turn: number;
  readonly state: TextState;
  /** In the order of the request, the first 100; `total` = how many there are. */
  readonly places: readonly ViewPlace[];
  readonly total: number;
  /** Why the place that said it does not any more; null where nothing was lost. */
  readonly loss: TextLoss | null;
}

/** An anchor of the text, and whether the request holds it. */
export interface AnchorState {
  readonly text: string;
  readonly present: boolean;
}

/** The answer for one text over a session under a spec. */
export interface TextTrace {
  /** As it was looked for: without white space around it. */
  readonly text: string;
  /** One sentence that says it all. */
  readonly sentence: string;
  /** All call points in order (samples, for a spec that cannot be followed along them). */
  readonly points: readonly { readonly at: number; readonly turn: number; readonly state: TextState }[];
  readonly sampled: boolean;
  readonly changes: readonly TextChange[];
  /** The message and part that first said it; null = no message does. */
  readonly first: { readonly index: number; readonly part: number } | null;
  /** All places in the transcript, the first 500 in order; events only if nothing else says it. */
  readonly places: readonly RawTextPlace[];
  readonly totalPlaces: number;
  /** The first call point at which a request does not say the text any more, word for word; null if all do. */
  readonly firstLoss: TextLoss | null;
  readonly now: {
    readonly at: number;
    readonly turn: number;
    readonly state: TextState;
    readonly places: readonly ViewPlace[];
    readonly total: number;
    /** Call point since which this state has held; null = not yet said. */
    readonly since: number | null;
    /** Why it does not stand where it was first said, or not at all; null if nothing was lost. */
    readonly loss: TextLoss | null;
    readonly replacedBy: string | null;
    /** Its anchors in this request, where the text is not said whole; null if it is, or has fewer than three. */
    readonly anchors: readonly AnchorState[] | null;
  };
  /** Call points of `points` by state. */
  readonly counts: Readonly<Record<TextState, number>>;
  /** `empty`: there was nothing to look for. */
  readonly problem?: 'empty';
}

/** Whether the words of a place are in a request: where they were said, only elsewhere, not at all, or not said yet. */
export type PlacePresence = 'here' | 'elsewhere' | 'gone' | 'after';
