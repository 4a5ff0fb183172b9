// Uses: what an assistant message relied on that was said before it, and whether the request behind it held that. Offsets
// are UTF-16 units of the decoded text of a part (core/insight/text/decode.ts). Rules: insight.md §3.
import type { PartPlace } from '../../model/exchanges.ts';
import type { FateKind } from '../../view/types.ts';

/**
 * `quote` = a run of its words is in an earlier part; `anchor` = it names what three earlier messages at most name;
 * `reread` = the same call again, with the same result; `repeated_failure` = the same call fails again; `dangling` =
 * something in the request points to what is not in it; `rule` = a call touches what an earlier sentence forbids.
 */
export type UseKind = 'quote' | 'anchor' | 'reread' | 'repeated_failure' | 'dangling' | 'rule';

export const USE_KINDS: readonly UseKind[] = ['quote', 'anchor', 'reread', 'repeated_failure', 'dangling', 'rule'];

/** Where the request behind a use holds its evidence: §1's states, `partly` and `not_yet` being `gone`. */
export type UseOutcome = 'original' | 'elsewhere' | 'gone';

/** `certain` = the words themselves show it; `probable` = they are rare, no more; `suspect` = a person has to look. */
export type Confidence = 'certain' | 'probable' | 'suspect';

/** A place in the transcript that said it. */
export interface UseSource {
  readonly index: number;
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** A use as the transcript alone shows it, whatever the policy. */
export interface FoundUse {
  readonly kind: UseKind;
  /** Source index of the assistant message; the request behind it is the call point of this number. */
  readonly at: number;
  /** The part of it that shows the use, and where. */
  readonly part: number;
  readonly from: number;
  readonly to: number;
  /** The words there, of a string within a string as it reads; of a call its name and arguments. */
  readonly evidence: string;
  /** What said it, in order: three places at most. */
  readonly sources: readonly UseSource[];
  /** reread: the result is another than before, which is not proof of forgetting. */
  readonly changed: boolean;
  /** The result that was fetched again; null where nothing was. */
  readonly again: PartPlace | null;
  readonly confidence: Confidence;
  /** Position in EvidenceTexts of what has to be in the request. */
  readonly evidenceId: number;
}

/** By what, and since which call point, the evidence of a use is not in the request. */
export interface UseLoss {
  /** The first call point of those, up to the use, whose requests did not hold it. */
  readonly since: number;
  readonly fate: FateKind;
  /** Position in the spec; null = no stage says so. */
  readonly stage: number | null;
  readonly stageTitle: string | null;
  readonly rule: string | null;
  readonly reason: string;
}

/** A use under a policy. */
export interface Use extends Omit<FoundUse, 'evidenceId'> {
  readonly outcome: UseOutcome;
  /** reread: the earlier result was in the request. It was ignored, not forgotten. */
  readonly ignored: boolean;
  /** Null unless it is gone. */
  readonly loss: UseLoss | null;
  /** Tokens of the result that was fetched again; 0 where nothing was. */
  readonly tokens: number;
  /** What they cost as fresh input, in US dollars; null = no price is known. */
  readonly cost: number | null;
}

/** Measures of a policy over a session. */
export interface UsesSummary {
  readonly uses: number;
  readonly original: number;
  readonly elsewhere: number;
  readonly gone: number;
  /** Of rereads and repeated failures whose earlier result was gone; changed results are not counted. */
  readonly tokensFetchedAgain: number;
  /** US dollars, as fresh input; null = no price is known. */
  readonly costFetchedAgain: number | null;
  /** The first call point at which something gone was used, suspects and changed results left out; null = none. */
  readonly firstGone: number | null;
}

/** The uses that a message has to do with. Evidence is cut at 200 characters. */
export interface MessageUses {
  /** Of it, by later messages: the first 50. */
  readonly later: readonly Use[];
  readonly laterTotal: number;
  /** Of the later ones: those whose request did not hold it, suspects and changed results left out. */
  readonly laterGone: number;
  /** What it relied on itself: the first 50. */
  readonly earlier: readonly Use[];
  readonly earlierTotal: number;
}

/** A message on the trail of another one. */
export interface TrailPlace {
  readonly index: number;
  /** The first part of it that has to do with the other one. */
  readonly part: number;
  /** Of its uses, suspects left out where there are others: the worst. */
  readonly outcome: UseOutcome;
  readonly kinds: readonly UseKind[];
  /** The best of these. */
  readonly confidence: Confidence;
  /** All of these read something again that had changed, which is not proof of forgetting. */
  readonly changed: boolean;
}

/** What a message relied on, and what relied on it later; each message once, ascending. */
export interface UseTrail {
  readonly sources: readonly TrailPlace[];
  readonly users: readonly TrailPlace[];
}

/** The uses of a session in figures. */
export interface SessionUses {
  readonly summary: UsesSummary;
  /** Call points at which something gone was used, ascending, with how many such uses; neither suspects nor changed results. */
  readonly gone: readonly { readonly at: number; readonly uses: number }[];
}

/** What uses say of a row: that later messages relied on it, or that it relied on something its request did not hold. */
export interface UsedRow {
  readonly index: number;
  readonly part: number;
  /** How many later messages relied on it, and the first of them. */
  readonly later: number;
  readonly users: readonly number[];
  /** Of these: those whose request did not hold it; suspects and changed results left out. */
  readonly gone: number;
  /** Since which call point it was gone when it was first missing; null = it never was. */
  readonly goneSince: number | null;
  /** It relied on something that was not in its request. */
  readonly lacked: boolean;
}

/** What an item says: numbers of evidence, and which of them it is the original of. */
export interface ItemSays {
  readonly ids: Iterable<number>;
  readonly originals: Iterable<number>;
}
