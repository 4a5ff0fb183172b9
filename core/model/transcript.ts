import type { Calibration } from './calibration.ts';
import type { JsonPath, MessageFacts, MessageMeta } from './message.ts';
import type { ScrubReport } from './scrubReport.ts';
import type { SliceStatement } from './sliceStatement.ts';
import type { StatedFinding } from './statedFinding.ts';
import type { StatedWatchpoint } from './statedWatchpoint.ts';
import type { SummaryArtifact } from './summary.ts';

/**
 * Read access to an immutable transcript, synchronous: in memory for tests and the CLI's NDJSON mode, over SQLite
 * in the engine. All indices are source indices: positions of messages in the raw transcript, from 0.
 */
export interface TranscriptSource {
  /** Number of messages. */
  readonly length: number;
  /** The transcript's own summary (Harn `summary`), null if it has none. */
  readonly summary: string | null;
  facts(index: number): MessageFacts;
  /** Indices of the messages with the role `system`, ascending; absent = only their facts say. */
  systemMessages?(): readonly number[];
  /** The message's JSON text exactly as imported, base64 payloads included. Throws on an index out of range. */
  text(index: number): string;
  /** Ids of the calls answered in this message that failed by a record beside it; absent = nothing is recorded beside messages. */
  failedCallIds?(index: number): readonly string[];
  /** Recorded compactions in order. The same list as long as nothing changed. */
  compactions(): readonly PlacedCompaction[];
  /** Summaries that people wrote beside it, by where they end, then by version. The same list as long as nothing changed. */
  summaries(): readonly SummaryArtifact[];
  /** Recorded projections in order; absent = the source keeps none. The same list as long as nothing changed. */
  projections?(): readonly ProjectionEvent[];
}

/** A recorded projection, as the transcript holds its event. */
export interface ProjectionEvent {
  /** The event's JSON text: core/view/recordedProjection.ts reads it. */
  readonly json: string;
  /** Messages before the event, as far as its place shows. */
  readonly at: number;
  /** The history was rewritten after it (a compaction, a trim): what it covered need not stand here any more. */
  readonly superseded: boolean;
}

/** Where a message (or event) came from. A joined message has several; bytes are offsets in the file, end exclusive. */
export interface Origin {
  /** 1-based line of the record; 1 for a document on one line. */
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** A message as an importer hands it over. `text` still holds base64; the store moves payloads to assets. */
export interface ImportedMessage {
  readonly text: string;
  /** What `text` parses to, where the importer has it at hand; spares the reader of facts a second parse. */
  readonly value?: unknown;
  readonly meta: MessageMeta;
  /** The records it was made of, in order. One for formats that hold messages. */
  readonly origins: readonly Origin[];
}

/** The visibility of an event: `internal` by default, as Harn's. */
export type Visibility = 'public' | 'internal' | 'private';

/**
 * Audit: everything that happened and is not a message. Compactions and recorded projections are events with a
 * known kind; unknown records are kept as kind `unknown:<type>`.
 */
export interface ImportedEvent {
  /** `compaction`, `transcript.projection`, `system_prompt`, `title`, `unknown:<type>`, or the runtime's own kind. */
  readonly kind: string;
  /** The event stands before the message with this source index (= number of messages seen so far). */
  readonly at: number;
  readonly visibility: Visibility;
  /** One line for people. */
  readonly text: string;
  readonly timestamp?: string;
  /** The record's JSON text exactly as it was. */
  readonly json: string;
  readonly origin: Origin;
}

/**
 * What a recorded compaction did to the model's context: put a summary in place of what came before (`summary`), put
 * another history in its place (`replacement`), emptied some tool results (`cleared`), or something that is recorded
 * but cannot be read (`opaque`: encrypted).
 */
export type CompactionKind = 'summary' | 'replacement' | 'cleared' | 'opaque';

/** A recorded compaction, as an event of kind `compaction` carries it in `data`. */
export interface RecordedCompaction {
  /** Absent: `summary`. */
  readonly kind?: CompactionKind;
  /** `replacement`: JSON texts of the messages of the new history, in order. */
  readonly replacement?: readonly string[];
  /**
   * `replacement`: neither a summary nor an encrypted item is among them, only messages of people and clients. What the model
   * was given may hold more: what seems lost may be in it.
   */
  readonly incomplete?: true;
  /** `cleared`: ids of the calls whose results were emptied. */
  readonly clearedCallIds?: readonly string[];
  /** `opaque`: size of what cannot be read. Unit: characters of its text. */
  readonly opaqueChars?: number;
  /** Source index of the first message after the compaction (its summary message, if it has one). */
  readonly at: number;
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  /** Source index of the summary message, if the transcript holds it. */
  readonly summaryIndex?: number;
  /** Source indices of earlier messages the tool recorded as kept beside the summary, ascending; absent if not recorded. */
  readonly preserved?: readonly number[];
  /** How many of the preserved messages the tool put before the summary; absent: none, the summary comes first. */
  readonly summaryAfter?: number;
}

/** A recorded compaction with the time of its event, where one was recorded (ISO-8601). */
export interface PlacedCompaction extends RecordedCompaction {
  readonly timestamp?: string;
}

/** The first call point whose request was made after a compaction: its summary was the answer to the one before. */
export function effectiveFrom({ at, summaryIndex }: RecordedCompaction): number {
  return Math.max(at, summaryIndex === undefined ? at : summaryIndex + 1);
}

/**
 * A tool call that started another transcript. The child is named by `agentId` (then it belongs to the same session, in
 * this file or in a separate one) or by `sessionId` (a separate session).
 */
export interface Spawn {
  readonly callId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
}

/** What is known of a transcript as a whole; every field as recorded, absent if not. */
export interface TranscriptMeta {
  /** Registered format id, e.g. `claude-code`. */
  readonly format: string;
  /** Version of the format's reader that read it; absent = the first. */
  readonly readerVersion?: number;
  /** The tool's own id of the session. */
  readonly sessionId?: string;
  readonly title?: string;
  readonly project?: string;
  readonly cwd?: string;
  readonly gitBranch?: string;
  readonly toolVersion?: string;
  readonly models?: readonly string[];
  /** Context window that the runtime kept its requests to, as it said last. Unit: tokens. */
  readonly contextWindow?: number;
  /** Harn: what the runtime says of it (`active`, `archived`, …). */
  readonly state?: string;
  /** What a transcript says of itself apart from its messages, as recorded: JSON text of an object, without the system prompt. */
  readonly metadataJson?: string;
  /** It is what a compaction archived, kept as an asset of the transcript it belongs to (`parentKey`). */
  readonly archivedAs?: string;
  /** Harn: the transcript's summary. */
  readonly summary?: string;
  /** System prompt where the format keeps it apart from the messages: its JSON text (a string or blocks). */
  readonly systemJson?: string;
  /** Tool definitions sent with the request: their JSON text. */
  readonly toolsJson?: string;
  /** Where the format is a request: what else it asks for (length of the answer, choice of tools …), JSON text of an object. */
  readonly settingsJson?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  /** A sub-agent's transcript: its agent id, and the key of the transcript in the same file that started it. */
  readonly agentId?: string;
  readonly parentKey?: string;
  /** Id of the tool call that started it, where recorded. */
  readonly parentCallId?: string;
  /** Session that started it, where that is another one than `sessionId` (a sub-agent with its own session). */
  readonly parentSessionId?: string;
  /** Session that it was resumed or forked from: it may begin with a copy of that one's messages. */
  readonly continuesSessionId?: string;
  /** Recorded as a fork of that session: messages that it begins with as that one does. */
  readonly forkedAt?: number;
  /** Not the active branch: key of the transcript of the same file it branches off from, and the messages they share. */
  readonly branchOf?: string;
  readonly branchAt?: number;
  /** Made here, recorded by no tool: a what-if. */
  readonly whatIf?: WhatIf;
  /** Read from a bug-report bundle: what that says of itself. */
  readonly bundle?: BundleOrigin;
}

/** The format that a transcript's messages were recorded in; of one from a bundle that of the transcript it was made of. */
export function recordedFormat({ format, bundle }: Pick<TranscriptMeta, 'format' | 'bundle'>): string {
  return bundle?.transcript.format ?? format;
}

/** The context window that a transcript's runtime recorded; of one from a bundle that of the transcript it was made of. Unit: tokens. */
export function recordedWindow({
  contextWindow,
  bundle,
}: Pick<TranscriptMeta, 'contextWindow' | 'bundle'>): number | null {
  return (bundle === undefined ? contextWindow : bundle.transcript.contextWindow) ?? null;
}

/** What a bundle says of the transcript it was made of, and of what it projected. Its messages are those before `at`. */
export interface BundleOrigin {
  readonly transcript: {
    readonly id: string;
    readonly format: string;
    readonly title: string;
    /** Messages that the transcript had. */
    readonly messages: number;
    /** The model it was counted for; absent = none was recorded, or an older version wrote the bundle. */
    readonly model?: string;
    /** The window that its runtime recorded. Unit: tokens. */
    readonly contextWindow?: number;
    /** The line that made its counts the provider's; null = they are plain; absent = an older version wrote the bundle. */
    readonly calibration?: Calibration | null;
    readonly whatIf?: Pick<WhatIf, 'parentId' | 'at'>;
  };
  /** Source index of the call point. */
  readonly at: number;
  /** The spec as it is in the bundle: it may be of a version that does not run here. */
  readonly spec: unknown;
  /** `sha256:` + hex, as stated: of the projected messages, of the raw ones, of what is recorded beside those. */
  readonly prefixHash: string;
  readonly rawSha256: string;
  /** Absent: nothing is, or an older version wrote the bundle. */
  readonly recordedSha256?: string;
  readonly engineVersion: string;
  /** ISO-8601. */
  readonly createdAt?: string;
  /** Findings that were chosen for it; absent = none. */
  readonly findings?: readonly StatedFinding[];
  /** Texts that whoever wrote it watched and chose for it; absent = none. */
  readonly watchpoints?: readonly StatedWatchpoint[];
  /** What it says of its slice; absent = all messages are in it as they were. */
  readonly slice?: SliceStatement;
  /** What it says of its scrubbing; absent = an older version wrote it, and did not scrub. */
  readonly scrub?: ScrubReport;
  /** Summaries that were apart from the messages. */
  readonly summaries?: readonly SummaryArtifact[];
}

/** Where a what-if was forked: its messages before `at` are the parent's, those from there on were typed. */
export interface WhatIf {
  /** Public id of the transcript it was forked from; that one may be gone by now. */
  readonly parentId: string;
  /** The parent's title as it was then; absent if it had none. */
  readonly parentTitle?: string;
  /** Source index: the first message that is not the parent's. */
  readonly at: number;
  /** ISO-8601. */
  readonly madeAt: string;
}

/** Points at one part of one message. `part` null = the whole message. */
export interface PartRef {
  readonly index: number;
  readonly part: number | null;
}

/** A JSON path as people and redaction pointers write it: `transcript.messages[3].content[0].content`. */
export function formatPath(index: number, path: JsonPath): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return `transcript.messages[${index}]${steps}`;
}
