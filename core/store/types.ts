import type { MessageFacts, MessageMeta } from '../model/message.ts';
import type { OverheadCounts } from '../model/overheadCounts.ts';
import type { Problem } from '../model/problem.ts';
import type {
  CompactionKind,
  Origin,
  ProjectionEvent,
  TranscriptMeta,
  TranscriptSource,
  Visibility,
} from '../model/transcript.ts';
import type { FactsDigest } from './transcript/factsCodec.ts';

/** `importing` = rows so far can be read, more may come; `failed` = what is there is all there will be. */
export type TranscriptState = 'importing' | 'ready' | 'failed';

/** One transcript of the library, without anything that is per message. */
export interface TranscriptRow {
  /** Public id: derived from the file's bytes and the key in it, so the same content has the same id everywhere. */
  readonly id: string;
  /** Identifies a transcript within its file. */
  readonly key: string;
  readonly format: string;
  readonly state: TranscriptState;
  /** Another one when messages that were there have changed or are gone (the tool went back, a message was amended). */
  readonly revision: number;
  readonly meta: TranscriptMeta;
  readonly counts: TranscriptCounts;
  /** Results marked as errors, and a client's error texts in place of an answer; null = not counted yet. */
  readonly errors: number | null;
  /** What people added to it. */
  readonly kept: KeptFacts;
  /** First words that a person wrote, one line; null = none, or not looked for yet. */
  readonly firstText: string | null;
  /** The transcript whose first `shared` messages it begins with; `messages` = all of that one. */
  readonly base: { readonly id: string; readonly shared: number; readonly messages: number } | null;
  /** Size of the file it came from. */
  readonly bytes: number;
  /** ISO-8601. */
  readonly importedAt: string;
  /** Paths of the files it came from; the first is the one first imported. */
  readonly files: readonly string[];
  /** Why the state is `failed`. */
  readonly failure: Problem | null;
  /** Distinct models recorded with the messages, in order of first use. */
  readonly models: readonly string[];
  /** First and last timestamp recorded with messages or events; null if none was. */
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Title, tags and marks that people gave a transcript. */
export interface KeptFacts {
  /** null = the tool's. */
  readonly title: string | null;
  /** By name. */
  readonly tags: readonly string[];
  /** Numbers of messages with a note, and with a bookmark. */
  readonly notes: number;
  readonly bookmarks: number;
  /** The notes one after another, at most 1,000 characters: what the list is filtered by. */
  readonly noteText: string;
}

/** Numbers kept with the transcript's row; they grow while it is imported. */
export interface TranscriptCounts {
  readonly messages: number;
  readonly parts: number;
  readonly turns: number;
  /** Assistant messages: places where a request was made. */
  readonly callPoints: number;
  readonly events: number;
  readonly compactions: number;
  readonly problems: number;
  readonly assets: number;
}

/** Raw totals of one transcript under one tokenizer. Unit: tokens. */
export interface TokenTotals {
  readonly tokenizer: string;
  /** In the order of CATEGORIES. */
  readonly byCategory: readonly number[];
  /** Messages counted so far. Complete when it equals the transcript's number of messages. */
  readonly messages: number;
}

/** Such totals as they are kept. */
export interface StoredTotals extends TokenTotals {
  /** All of them as the provider counts, as an open session added them up; null = not known. */
  readonly calibrated: number | null;
}

/** One record of the file; also a stretch that is not JSON. */
export interface StoredRecord {
  readonly origin: Origin;
  /** Its exact text. */
  readonly json: string;
  /** Its exact bytes, where the text is not them: invalid UTF-8 reads as U+FFFD. */
  readonly bytes?: Uint8Array;
}

/** An event as stored; `seq` is its position among the transcript's events. */
export interface StoredEvent {
  readonly seq: number;
  readonly kind: string;
  readonly at: number;
  readonly visibility: Visibility;
  readonly text: string;
  readonly timestamp: string | null;
  readonly json: string;
  readonly origin: Origin;
}

/** A recorded compaction as lists show it. `label` is the event's line for people; kind null: `summary`. */
export interface StoredCompaction {
  readonly at: number;
  readonly label: string;
  readonly kind: CompactionKind | null;
  readonly trigger: string | null;
  readonly preTokens: number | null;
  readonly postTokens: number | null;
}

/** A binary payload. `id` is the SHA-256 of its bytes in hexadecimal. */
export interface AssetInfo {
  readonly id: string;
  readonly mime: string;
  readonly bytes: number;
  /** Pixels; null if it is not an image of a known type. */
  readonly width: number | null;
  readonly height: number | null;
}

/** A place in a message's exact text where a payload stands. Offsets in UTF-16 units of that text. */
export interface AssetPlace {
  readonly asset: AssetInfo;
  readonly start: number;
  readonly end: number;
}

/** Token counts of a message's parts, in the order of MessageFacts.parts. */
export type PartTokens = Uint32Array;

/** One transcript over SQLite. Rows that are not there yet (still importing) appear after `refresh`. */
export interface StoredSource extends TranscriptSource {
  readonly id: string;
  /**
   * Takes in what was imported since; true if the transcript grew, its state changed, or its row's `revision` did:
   * then what was read before need not be what is there.
   */
  refresh(): boolean;
  /** Raised by a refresh that found the row's revision to be another one. */
  readonly revision: number;
  row(): TranscriptRow;
  projections(): readonly ProjectionEvent[];
  /** Events that the lineage is read from: recorded projections, compactions, what a retention budget did. */
  lineage(): readonly StoredEvent[];
  /** Written summaries have changed: they are read again when next asked for. */
  forgetSummaries(): void;
  /** Forgets the texts that were read ahead: they are read again when next asked for. */
  dropTexts(): void;
  /** Exact texts of the messages [from, to). */
  texts(from: number, to: number): readonly string[];
  meta(index: number): MessageMeta;
  /** False where no message says what its request took: then no meta need be read for it. */
  mayRecordUsage(): boolean;
  /** Number of parts of every message: what row numbers are made of. Loads no facts. */
  partCounts(): Uint32Array;
  /** partPrefix()[i] = parts before message i; one entry more than there are messages. */
  partPrefix(): Uint32Array;
  /** Who speaks and how long each part is, of all messages. Holds no facts. */
  digest(): FactsDigest;
  /** SHA-256 of the message's exact text, hexadecimal. */
  contentHash(index: number): string;
  origins(index: number): readonly Origin[];
  /** The records the message was made of, exact texts. */
  records(index: number): readonly StoredRecord[];
  assets(index: number): readonly AssetPlace[];
  /** Counts per part under a tokenizer; null = not counted yet. Call `refreshTokens` to see newer counts. */
  tokenCounts(index: number, tokenizer: string): PartTokens | null;
  /** Tokens of the overhead under a tokenizer and image rule, as they are counted by now; null = not yet. */
  overheadCounts(tokenizer: string, images: string): OverheadCounts | null;
  refreshTokens(tokenizer: string): void;
  facts(index: number): MessageFacts;
}

/** An import that began and did not end: the process died, or it is still running elsewhere. */
export interface UnfinishedImport {
  readonly importId: number;
  readonly path: string;
  readonly startedAt: string;
  readonly bytesDone: number;
  readonly transcriptIds: readonly string[];
}

/** Settings of {@link Library.open}. */
export interface OpenOptions {
  /** Opens without the right to write; the library must exist. */
  readonly readonly?: boolean;
}
