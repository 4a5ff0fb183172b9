// Two policies on one transcript, as the mode Compare shows them.
import type { AlignedMark } from '../insight/compare/align.ts';
import type { MessageDifference, SideFate } from '../insight/compare/types.ts';
import type { RequestSums } from '../insight/requestSums.ts';
import type { Category } from '../model/category.ts';
import type { FateKind } from '../view/types.ts';
import type { Provenance } from './types.ts';

export type { AlignedMark } from '../insight/compare/align.ts';
export type { MessageDifference, SideFate } from '../insight/compare/types.ts';

/** What a pane shows of one message of its request. */
export interface ComparedCell {
  /** Source index; null = a stage made it. */
  readonly index: number | null;
  /** Of a made one the source span [from, to) that it stands for; empty = put in before `from`. */
  readonly covers: readonly [number, number] | null;
  readonly label: string;
  readonly category: Category;
  readonly text: string;
  readonly mono: boolean;
  /** Of several parts: a line of each. */
  readonly pieces?: readonly string[];
  readonly fate: FateKind | 'synthetic';
  readonly chip: string | null;
  readonly reason: string;
  readonly tokens: number;
  readonly tokensProvenance: Provenance;
}

/** A message that has others within it, merged. */
export interface WithinMessage {
  /** Source index; null = a stage made it. */
  readonly index: number | null;
}

/** A row: one message of either request, or a run of messages that are equal in both. `line` and spans count lines. */
export type ComparedRow =
  | {
      readonly kind: 'line';
      readonly row: number;
      readonly line: number;
      readonly mark: AlignedMark;
      readonly index: number | null;
      readonly a: ComparedCell | null;
      readonly b: ComparedCell | null;
      /** Of a side without a cell: the message of its request that has this one within it; null = none. */
      readonly within: WithinMessage | null;
    }
  | {
      readonly kind: 'fold';
      readonly row: number;
      readonly from: number;
      readonly to: number;
      /** Source indices of the first and last message in it; null = stages made all of them. */
      readonly first: number | null;
      readonly last: number | null;
    };

export interface ComparedRowWindow {
  readonly comparisonId: string;
  readonly from: number;
  readonly rows: readonly ComparedRow[];
  readonly total: number;
}

/** One of the two requests. */
export interface ComparedSide {
  readonly items: number;
  /** Of its messages. */
  readonly tokens: number;
  readonly provenance: Provenance;
  /** Messages by fate; `synthetic` = made ones. */
  readonly counts: Readonly<Partial<Record<FateKind | 'synthetic', number>>>;
  /** A stage was not applied because the provider's thinking rules forbid it. */
  readonly blocked: boolean;
  /** The provider would refuse it for thinking bound to another conversation. */
  readonly refused: boolean;
  /** What went wrong in its stages. */
  readonly problems: readonly string[];
}

/** Two requests at one call point, next to each other. */
export interface ComparedInfo {
  readonly comparisonId: string;
  readonly at: number;
  /** They hold the same messages in the same order, word for word. */
  readonly equal: boolean;
  /** Lines by mark. */
  readonly counts: Readonly<Record<AlignedMark, number>>;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** Tokens of the messages with which both begin. */
  readonly equalFromStart: number;
  /** False = an edit is not counted yet, or the counts themselves are not final. */
  readonly final: boolean;
  readonly rows: ComparedRowWindow;
  readonly ms: number;
}

/** Kinds of differences that a list can be narrowed to. */
export const COMPARED_KINDS = ['all', 'only_a', 'only_b', 'text', 'fate'] as const;

export type ComparedKind = (typeof COMPARED_KINDS)[number];

/** A message that differs between two requests. */
export interface ComparedMessage {
  /** Source index; null = a stage made it. */
  readonly index: number | null;
  readonly covers: readonly [number, number] | null;
  readonly differs: MessageDifference;
  /** Its line, and the row that is in; null = neither request holds it. */
  readonly line: number | null;
  readonly row: number | null;
  readonly label: string;
  readonly text: string;
  readonly mono: boolean;
  /** null = not in that request. */
  readonly tokensA: number | null;
  readonly tokensB: number | null;
  readonly provenance: Provenance;
  readonly a: SideFate;
  readonly b: SideFate;
  /** Assistant messages that relied on it, ascending, at most 20; of a made one none is known. */
  readonly usedLater: readonly number[];
  /** How many there are. */
  readonly users: number;
}

/** A page of them: those that were used later first, the most used before all, then by index. */
export interface ComparedMessages {
  readonly from: number;
  readonly total: number;
  /** Of all kinds, whatever the page is narrowed to. */
  readonly counts: Readonly<Record<ComparedKind, number>>;
  /** Of the kind asked for: those that were used later. */
  readonly used: number;
  readonly messages: readonly ComparedMessage[];
}

/** Sums over all requests of a policy, as `parallax compare` prints them. */
export interface ComparedSums extends RequestSums {
  readonly uses: number;
  readonly usesGone: number;
  /** Call points whose request did not continue the one before, ascending; at most 2,000. */
  readonly breaksAt: readonly number[];
}

/** Both policies along the session. */
export interface ComparedAlong {
  /** Requests in their order, at most 2,000: of several that share one the largest of each side stands for them. Tokens of messages. */
  readonly points: readonly { readonly at: number; readonly a: number; readonly b: number }[];
  readonly a: ComparedSums;
  readonly b: ComparedSums;
  readonly provenance: Provenance;
  readonly firstDifferenceAt: number | null;
  /** Requests that differ. */
  readonly differing: number;
  /** Runs of call points [first, last] whose requests differ, ascending; at most 2,000. */
  readonly runs: readonly (readonly [number, number])[];
  /** Messages that differ somewhere. */
  readonly messages: number;
  /** A window is known: `over` says something. */
  readonly hasWindow: boolean;
}

/** Both texts of one line, for reading and for a diff. */
export interface ComparedTexts {
  readonly line: number;
  readonly mark: AlignedMark;
  readonly a: ComparedText | null;
  readonly b: ComparedText | null;
}

export interface ComparedText {
  readonly cell: ComparedCell;
  /** The exact JSON that is sent, at most the limit. */
  readonly json: string;
  readonly chars: number;
  /** What it says, part by part. */
  readonly parts: readonly { readonly label: string; readonly text: string; readonly mono: boolean }[];
}
