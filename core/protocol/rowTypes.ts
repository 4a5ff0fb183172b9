// The rows of both panes, as they cross to the screen.
import type { Category } from '../model/category.ts';
import type { PartKind } from '../model/message.ts';
import type { FateKind } from '../view/types.ts';
import type { Provenance, TranscriptLink } from './types.ts';

/** The cell of one pane: what a row shows. `text` is one line, cut at about 300 characters. */
export interface Cell {
  readonly text: string;
  /** Of a message with several parts that is in one row: a line of each; `text` is all of them. */
  readonly pieces?: readonly string[];
  /** Set in the monospace face: calls, results, code. */
  readonly mono: boolean;
  /** null = not counted. */
  readonly tokens: number | null;
  readonly tokensProvenance: Provenance;
}

export type BadgeKind =
  | 'signed'
  | 'error'
  | 'injected'
  | 'sidechain'
  | 'compact_summary'
  | 'api_error'
  | 'opaque'
  | 'image'
  | 'typed'
  | 'repaired';

/**
 * A row of both panes: one part of a message, or a synthetic message, or a folded run. The rows of a projection are
 * numbered from 0; the same number is the same line in both panes.
 */
export interface Row {
  /** Stable within a transcript: survives a change of policy (`m12.0`, `s0`, `x12.1` = a part without a raw row, `f34-120`). */
  readonly key: string;
  readonly row: number;
  readonly kind: 'part' | 'synthetic' | 'fold';
  /** Source index; for a fold the first of the run; for a synthetic the first index it covers. */
  readonly index: number;
  /** For folds and synthetics: end (exclusive) of the span. */
  readonly to?: number;
  readonly part: number;
  readonly firstOfMessage: boolean;
  readonly lastOfMessage: boolean;
  readonly category: Category;
  readonly partKind: PartKind;
  /** `user`, `assistant`, `thinking`, `call`, `result`, `image`, `system`, or the role where it is none of these. */
  readonly label: string;
  readonly badges: readonly BadgeKind[];
  readonly timestamp: string | null;
  /** On a message's first row: how long it took until it was there, and what that was spent with; absent = not recorded. */
  readonly took?: { readonly kind: 'answer' | 'tool' | 'person'; readonly ms: number };
  /** Left pane. null for synthetic rows. */
  readonly raw: Cell | null;
  /** Right pane: null if dropped, beyond the call point, or standing in another row. */
  readonly projected: Cell | null;
  /** The row in which this part is sent instead: it was moved, or joined with another. */
  readonly elsewhere?: number;
  /** `future` = at or beyond the call point. */
  readonly fate: FateKind | 'synthetic' | 'future';
  /** Short reason for the row (`repaired at #210`, `−4,751`). */
  readonly chip: string | null;
  /** The full sentence, for the tooltip. */
  readonly reason: string;
  /** The message was written by the client, not by a person or the model. */
  readonly injected?: true;
  /** On a message's first row: who put it there, if not simply its role; see core/model/provenanceOf. */
  readonly origin?: { readonly label: string; readonly title: string };
  /** On the row of a call: the sub-agent that it started. */
  readonly spawned?: TranscriptLink;
  /** On a fold: its messages are not sent. Absent on a fold of unchanged ones. */
  readonly gone?: GoneFold;
  /** On a fold of rows that do not fit the filter: how many. */
  readonly filtered?: number;
  /** Numbers of the named colours whose filters the row fits; absent = of none. */
  readonly colors?: readonly number[];
  /** It does not fit the filter, and is shown because it is selected or was unfolded. */
  readonly unfit?: true;
}

/** What became of the messages of a folded run that are not sent. */
export interface GoneFold {
  readonly messages: number;
  /** Title of the stage that took them out. */
  readonly stage: string;
  /** What is sent in their place, with its tokens: a message, or the synthetic one in a row of this projection; null = nothing. */
  readonly into: GoneInto | null;
}

export type GoneInto = { readonly tokens: number; readonly tokensProvenance: Provenance } & (
  | { readonly kind: 'message'; readonly index: number }
  | { readonly kind: 'synthetic'; readonly row: number }
);

export interface RowWindow {
  readonly projectionId: string;
  readonly from: number;
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Where changes and wanted messages are in the list of rows. */
export interface RowMarksAnswer {
  readonly rowCount: number;
  /** Ascending; `count` = changed rows that share its part of the list; it is the one that weighs most. */
  readonly changes: readonly {
    readonly row: number;
    readonly fate: Exclude<Row['fate'], 'kept' | 'future'>;
    readonly count: number;
  }[];
  /** Of the messages asked for, in their order; null = there is no such message. */
  readonly rows: readonly (number | null)[];
}
