// browser-safe
// What a page holds of a transcript: the answers that its panes, chart and drawer ask for, as the engine gave them.
import type { ScrubReport } from '../model/scrubReport.ts';
import type {
  MessageDetail,
  PresetInfo,
  ProjectionInfo,
  Row,
  Series,
  StageInfo,
  SyntheticDetail,
  TranscriptInfo,
  UsageInfo,
  Why,
} from '../protocol/types.ts';
import type { WatchedTexts, Watchpoints } from '../protocol/watchTypes.ts';

/** What a page says of itself. */
export interface PageAbout {
  /** Version of the program that wrote it. */
  readonly parallax: string;
  /** ISO time at which it was written. */
  readonly createdAt: string;
  readonly title: string;
  readonly format: string;
  /** Messages of the transcript it was made of; the page holds the `at` before its call point. */
  readonly messages: number;
  readonly at: number;
  /** What the policy is called: the title of a preset, or its own name. */
  readonly policy: string;
  readonly prefixHash: string;
  readonly scrub: ScrubReport;
  /** What whoever reports it expected, and what happened; absent = nothing was said. */
  readonly note?: { readonly expected: string; readonly happened: string };
}

/** Which rows are listed: with runs of unchanged messages folded, and with those the model does not see. */
export interface RowsShown {
  readonly fold: boolean;
  readonly ghosts: boolean;
}

/** A line of a list: the number of a row (in the list of all rows), or a folded run. */
export type ListedRow = number | Row;

/** One of the four lists: what of all rows is listed, runs of consecutive numbers as [first, count]. */
export interface RowList extends RowsShown {
  readonly lines: readonly (readonly [number, number] | Row)[];
  /** Lines with a change: where a reader who goes from change to change comes to. */
  readonly changes: readonly number[];
}

/** What is known of all rows without reading them, by row number. */
export interface RowTable {
  /** Source index; of a row that a stage made that of the message before it, and one half. Ascending. */
  readonly index: readonly number[];
  readonly part: readonly number[];
  readonly fate: readonly Row['fate'][];
  /** Rows with a change. */
  readonly changes: readonly number[];
}

/** Rows in one piece. */
export const ROWS_A_PIECE = 400;

/** The piece that is read first. */
export interface PageHead {
  readonly about: PageAbout;
  readonly info: TranscriptInfo;
  /** Without its rows. */
  readonly projection: ProjectionInfo;
  readonly series: Series;
  readonly usage: UsageInfo;
  readonly watched: PageWatched;
  readonly described: PageDescribed;
  readonly lists: readonly RowList[];
  readonly table: RowTable;
  readonly rows: number;
  /** First message of each piece of messages, ascending. */
  readonly messagePieces: readonly number[];
}

/** What is known of the policy: by it a page says, as the app does, whether this was sent or would be, and under which. */
export interface PageDescribed {
  /** Its kinds of stages. */
  readonly stages: readonly StageInfo[];
  /** Any of which it may be, as it is or edited. */
  readonly presets: readonly PresetInfo[];
}

/** The watchpoints of the bundle and what became of their texts; null = there is none. */
export interface PageWatched extends Watchpoints {
  readonly states: WatchedTexts | null;
}

/** A message as a page holds it: what follows from its recorded text is left out. */
export interface PackedMessage extends Omit<MessageDetail, 'projectedJson' | 'parts'> {
  /** Absent = as it is recorded. */
  readonly projectedJson?: string | null;
  readonly parts: readonly PackedPart[];
  /** What each stage said of it; absent where a policy has fewer than two stages. */
  readonly why?: Why;
}

/** `text` absent = as the recorded message says it. */
export type PackedPart = Omit<MessageDetail['parts'][number], 'text'> & { readonly text?: string };

/** The messages [from, from + messages.length). */
export interface MessagePiece {
  readonly from: number;
  readonly messages: readonly PackedMessage[];
}

/** What stages wrote, by the number of its row. */
export type SyntheticPiece = Readonly<Record<string, SyntheticDetail>>;

/** A piece of a page by its name: `head`, `rows0`…, `messages0`…, `synthetic`. */
export interface PagePiece {
  readonly name: string;
  readonly json: string;
}
