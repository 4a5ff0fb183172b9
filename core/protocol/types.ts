import type { SurveySums } from '../insight/survey/types.ts';
import type { CacheMiss, RecordedOverhead, RequestFigure, UsageFit, UsageMark } from '../insight/usage/types.ts';
import type { Category } from '../model/category.ts';
import type { Provenance } from '../model/figureSign.ts';
import type { InputTransformation } from '../model/inputTransformations.ts';
import type { PartKind, Usage } from '../model/message.ts';
import type { Problem } from '../model/problem.ts';
import type { AttachedKind } from '../model/provenance.ts';
import type { MessageOrigin } from '../model/provenanceOf.ts';
import type { SummaryArtifact } from '../model/summary.ts';
import type { WhatIf } from '../model/transcript.ts';
import type { ThinkingOutcome } from '../projection/binding/types.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import type { BudgetState } from '../tokens/budget.ts';
import type { Calibration } from '../tokens/calibrated.ts';
import type { CountedOverhead } from '../tokens/overhead.ts';
import type { FateKind, RedactionPointer, StageReport } from '../view/types.ts';
import type { FilterInfo } from './filterTypes.ts';
import type { NamedAsset } from './recordTypes.ts';

export type { CachePointsMode } from '../insight/cachePoints.ts';
export type { CacheRule } from '../insight/cacheRules.ts';
export type { CorrelatedEntry, Correlation } from '../insight/correlate.ts';
export type {
  KeepFound,
  KeepPrice,
  PinChoice,
  PinWay,
  PricedChange,
  ProvedChange,
  Taker,
} from '../insight/keep/types.ts';
export type { SessionCost } from '../insight/money.ts';
export type { Price } from '../insight/prices.ts';
export type { ModelTerms } from '../insight/pricing.ts';
export type { FindingSums, SurveySums } from '../insight/survey/types.ts';
export type {
  AreaTotals,
  CacheLoss,
  CachePoint,
  PointTime,
  RecordedCache,
  SeriesPoint,
  SharedColumn,
  Trace,
  TraceLoss,
  TracePoint,
} from '../insight/types.ts';
export type { CacheMiss, RecordedOverhead, RequestFigure, UsageFit, UsageMark } from '../insight/usage/types.ts';
export type {
  MessageUses,
  SessionUses,
  TrailPlace,
  Use,
  UsedRow,
  UseKind,
  UseLoss,
  UseOutcome,
  UsesSummary,
  UseTrail,
} from '../insight/uses/types.ts';
export type { StageWord, Why } from '../insight/why.ts';
export type { Provenance } from '../model/figureSign.ts';
export type { WhatIf } from '../model/transcript.ts';
export type { CacheBreak } from '../projection/cacheBreak.ts';
export type { VerifyReport } from '../report/types.ts';
export type { Calibration } from '../tokens/calibrated.ts';
export type { ColorFilter, FilterInfo, FilterMatches, RowsFilter } from './filterTypes.ts';
export type { FindingInfo, SessionFindings } from './findingTypes.ts';
export type {
  DiscoveredPlace,
  FolderReport,
  FollowInfo,
  FoundSession,
  LiveFile,
  MissingPlace,
  Named,
} from './followTypes.ts';
export type { LintFindingInfo, LintInfo, LintRepairInfo, MessageRepairInfo, RequestLintInfo } from './lintTypes.ts';
export type {
  EventInfo,
  EventKind,
  NamedAsset,
  OpenedAssetInfo,
  PromptCheck,
  TranscriptFacts,
} from './recordTypes.ts';
export type { DifferenceLine, RequestCause, RequestChange } from './requestTypes.ts';
export type { FilterValueInfo, LibraryHit, LibrarySearch, SearchGroup } from './searchTypes.ts';
export type {
  AreaAnswer,
  CacheEvidence,
  FirstOver,
  PolicySums,
  PresetFigure,
  PriceTable,
  Series,
  TurnInfo,
} from './seriesTypes.ts';
export type {
  AnchorState,
  FrontPlace,
  PlacePresence,
  RawTextPlace,
  TextChange,
  TextLoss,
  TextState,
  TextSwitches,
  TextTrace,
  ViewPlace,
} from './textTraceTypes.ts';

import type { BundleInfo } from './bundleTypes.ts';
import type { RowWindow } from './rowTypes.ts';

export type * from './bundleTypes.ts';
export type * from './describeTypes.ts';
export type * from './mappingTypes.ts';
export type * from './reviewTypes.ts';
export type * from './rowTypes.ts';
export type * from './statsTypes.ts';

/** Tokens with how they were obtained. `estimated` while some parts are still uncounted, or by the tokenizer's nature. */
export interface TokenFigure {
  readonly total: number;
  readonly byCategory: Readonly<Record<Category, number>>;
  readonly provenance: Provenance;
}

/** Tokens of the overhead, with how they were obtained. */
export interface OverheadFigure extends CountedOverhead {
  /** Tokens of the tools that the history up to there loads as it is; absent = none. */
  readonly rawLoaded?: number;
  /** `overhead` as the spec gives it; null = it says nothing. */
  readonly given: number | null;
  /** What recorded usage says of it; null where counts are plain. */
  readonly unrecorded: number | null;
  readonly provenance: Provenance;
}

/** One line of the library. */
export interface TranscriptSummary {
  readonly id: string;
  /** A person's own title, else the tool's, else its first words, else what distinguishes it from others. */
  readonly title: string;
  /** The title it would have without a person's; null = no person gave one. */
  readonly toolTitle: string | null;
  /** The first words that a person wrote in it, one line. */
  readonly firstText: string | null;
  readonly format: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly messages: number;
  readonly problems: number;
  /** Results marked as errors, and a client's error texts in place of answers; null = not counted yet. */
  readonly errors: number | null;
  readonly compactions: number;
  readonly tags: readonly string[];
  /** Messages with a note, and with a bookmark. */
  readonly notes: number;
  readonly bookmarks: number;
  /** The notes one after another, at most 1,000 characters. */
  readonly noteText: string;
  /** The transcript of another file whose first `shared` messages it begins with; `messages` = all of that one. */
  readonly base: { readonly id: string; readonly shared: number; readonly messages: number } | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly importedAt: string;
  readonly bytes: number;
  /** Raw total under the default tokenizer; null until counted. */
  readonly tokens: number | null;
  readonly tokensProvenance: Provenance | null;
  readonly state: 'importing' | 'ready' | 'failed';
  /** Names of the files it came from, the first is the one first imported. */
  readonly files: readonly string[];
  /** The transcript it belongs under: what started this sub-agent, the active branch, or what a what-if was forked from. */
  readonly under: { readonly id: string; readonly as: 'agent' | 'branch' | 'what_if' } | null;
  /** Set for a what-if: made here, recorded by no tool. */
  readonly whatIf: WhatIf | null;
  /** What was found when it was looked through as it is now; null = it was not yet. */
  readonly survey: SurveySums | null;
}

/** What changed in the list of transcripts. */
export interface LibraryChange {
  /** New and changed ones; all of them if `whole`. */
  readonly transcripts: readonly TranscriptSummary[];
  /** Ids of those that are gone. */
  readonly removed: readonly string[];
  readonly whole: boolean;
  /** For the next call. */
  readonly cursor: string;
}

/** A tag. `color` = its number among the colours there are (8). */
export interface TagInfo {
  readonly name: string;
  readonly color: number;
  /** Transcripts that carry it. */
  readonly count: number;
}

/** A summary that is beside a transcript: recorded by its runtime, or written here. */
export interface SummaryInfo extends SummaryArtifact {
  /** Where its span is now; one that is `changed` or `gone` applies nowhere. Recorded ones are always `here`. */
  readonly state: MarkInfo['state'];
  /** ISO-8601; null = recorded. */
  readonly writtenAt: string | null;
  /** Of its content, with the tokenizer of the transcript's model; an estimate until that is loaded. */
  readonly tokens: number;
}

/** A note, a bookmark, or both, on a message. */
export interface MarkInfo {
  readonly transcriptId: string;
  /** Title of the transcript. */
  readonly title: string;
  /** Where the message is now; where it was if it is gone. */
  readonly index: number;
  /** `moved`: it was marked at another index; `changed`: another text is there now. */
  readonly state: 'here' | 'moved' | 'changed' | 'gone';
  readonly note: string | null;
  readonly notedAt: string | null;
  readonly bookmarkedAt: string | null;
  /** As a row's label; '' if the message is gone. */
  readonly label: string;
  /** The message's first words, one line. */
  readonly text: string;
}

/** What the library takes on disk. Unit: bytes. */
export interface StorageInfo {
  readonly path: string;
  /** Database with its log. */
  readonly fileBytes: number;
  /** Free inside the file: compacting gives it back. */
  readonly freeBytes: number;
  /** Files of removed transcripts that are still to be deleted. */
  readonly removedBytes: number;
  /** What the disk has left; compacting needs as much as the file holds. */
  readonly diskBytes: number;
  readonly groups: readonly { readonly name: StorageGroupName; readonly bytes: number; readonly rows: number }[];
}

export type StorageGroupName = 'messages' | 'records' | 'assets' | 'facts' | 'tokens' | 'index' | 'other';

/** A transcript as a link shows it. */
export interface TranscriptLink {
  readonly id: string;
  readonly title: string;
}

/** The call that started a sub-agent: message and part in the transcript it is in; null where it is not recorded. */
export interface CallLink {
  readonly callIndex: number | null;
  readonly part: number | null;
}

/** A sub-agent's transcript. */
export interface ChildLink extends TranscriptLink, CallLink {
  /** Not a sub-agent's: what a compaction archived. */
  readonly archived: boolean;
  readonly callId: string | null;
  readonly messages: number;
  readonly tokens: number | null;
  readonly tokensProvenance: Provenance | null;
  readonly state: TranscriptSummary['state'];
}

/** A branch of a conversation. */
export interface BranchLink extends TranscriptLink {
  /** The one that the tool continues with. */
  readonly active: boolean;
  /** Messages it shares with the transcript that was asked about; null for that one itself. */
  readonly at: number | null;
  readonly messages: number;
  /** The last words said in it, one line. */
  readonly lastText: string;
  readonly endedAt: string | null;
}

/** What belongs to a transcript. */
export interface Relatives {
  /** The transcript whose call started this one. */
  readonly parent: (TranscriptLink & CallLink) | null;
  readonly children: readonly ChildLink[];
  /** All branches, this one among them; empty if the conversation has one only. */
  readonly branches: readonly BranchLink[];
  /** The session that this one was resumed or forked from. */
  readonly continues: TranscriptLink | null;
  readonly continuedBy: readonly TranscriptLink[];
  /** Of a what-if: what it was forked from, and how many messages both begin with; null for others, or if that one is gone. */
  readonly forkedFrom: (TranscriptLink & { readonly at: number }) | null;
  /** What-ifs forked from this one. */
  readonly forks: readonly (TranscriptLink & { readonly at: number; readonly messages: number })[];
}

/** One value of a context policy, and the scope that gave it: the spec itself, the transcript's, the workspace's policy, or the default. */
export interface PolicyValue {
  readonly name: string;
  readonly value: unknown;
  readonly source: 'request' | 'transcript' | 'workspace' | 'default';
}

/** Where the values of a context policy come from. */
export interface PolicyScopesInfo {
  readonly values: readonly PolicyValue[];
  /** The policies behind the request's; null = none is set. */
  readonly transcript: Readonly<Record<string, unknown>> | null;
  readonly workspace: Readonly<Record<string, unknown>> | null;
}

/** A recorded compaction as a mark on the scrubber; `budget` = the transcript's retention budget acted. */
export interface CompactionMark {
  readonly at: number;
  readonly label: string;
  readonly kind: 'compaction' | 'budget';
}

/** Everything about an open transcript that is not per message. */
export interface TranscriptInfo extends TranscriptSummary {
  readonly cwd: string | null;
  readonly gitBranch: string | null;
  readonly toolVersion: string | null;
  readonly sessionId: string | null;
  readonly models: readonly string[];
  readonly turns: number;
  readonly callPoints: number;
  readonly events: number;
  readonly assets: number;
  readonly compactionMarks: readonly CompactionMark[];
  /** Recorded projections. */
  readonly projections: number;
  /** Tokenizer chosen for the transcript's model, and its label. */
  readonly tokenizer: string;
  readonly tokenizerLabel: string;
  /** The window that the runtime recorded, else that of the model; null = neither is known. Unit: tokens. */
  readonly window: number | null;
  readonly isWindowRecorded: boolean;
  /** Share of parts counted so far, 0..1. */
  readonly counted: number;
  /** Tokens that its requests hold and nobody recorded, as a person said; null = nothing was said. */
  readonly overhead: number | null;
  /** Set if it was opened from a bug-report bundle. */
  readonly bundle: BundleInfo | null;
  /** What a person chose for it; null = nothing. */
  readonly choice: TranscriptChoice | null;
  /** It is what a compaction archived, as this asset of the transcript it belongs to; null = it is not. */
  readonly archivedAs: string | null;
}

/** What a person chose to look at a transcript with. */
export interface TranscriptChoice {
  /** null = none was chosen: it goes by the transcript. */
  readonly spec: ProjectionSpec | null;
  /** In place of the window of its model, in tokens. */
  readonly window: number | null;
  /** In place of the tokenizer of its model. */
  readonly tokenizer: string | null;
}

/** Everything that changes with spec and call point, except the rows. */
export interface ProjectionInfo {
  readonly projectionId: string;
  readonly transcriptId: string;
  readonly at: number;
  /** Position among the call points (0-based) and the turn (1-based) this call point is in; null if `at` is none. */
  readonly callPoint: number | null;
  readonly turn: number | null;
  readonly spec: ProjectionSpec;
  /** null = still on its way (never if it was asked for `now`): see projection.hash. */
  readonly prefixHash: string | null;
  readonly rowCount: number;
  readonly keptCount: number;
  readonly counts: Readonly<Record<FateKind, number>> & { readonly synthetic: number };
  readonly raw: TokenFigure;
  readonly projected: TokenFigure;
  readonly window: number | null;
  /** The overhead; `raw` and `projected` are of messages alone. */
  readonly beside: OverheadFigure;
  /** Tiers, reserves and overflow; null = no window is known. Tokens have the provenance of `projected`. */
  readonly budget: BudgetState | null;
  /** The line that made the counts the provider's; null = they are plain. */
  readonly calibration: Calibration | null;
  /** False while figures are still being counted: better ones come by themselves. */
  readonly final: boolean;
  /** Tokens that each stage saved, by position; negative = it added some; null = it is off. */
  readonly savedTokens: readonly (number | null)[];
  readonly reports: readonly StageReport[];
  readonly problems: readonly Problem[];
  /** What the provider makes of the signed thinking in it; null = it is not checked, or there is none. */
  readonly thinking: ThinkingOutcome | null;
  readonly providerSafetyBlocked: boolean;
  /** Source indices (first 20) and number of signed messages that stages would have changed. */
  readonly protectedSigned: { readonly indices: readonly number[]; readonly count: number };
  /** Milliseconds the engine took, measured by its clock. */
  readonly ms: number;
  /** Rows asked for together with the projection, so that panes and numbers change in one frame. */
  readonly rows: RowWindow | null;
  /** Row number of the message in `around`; null = none was given, or it is not there. */
  readonly aroundRow: number | null;
  /** Present if `filter` was given. */
  readonly filter?: FilterInfo;
}

/** A place where searched text is in the raw transcript. */
export interface TextHit {
  readonly index: number;
  readonly part: number;
  readonly row: number;
  /** About 120 characters around the hit; `start`, `length` mark it within. */
  readonly context: string;
  readonly start: number;
  readonly length: number;
}

/** Place of a message in its file. */
export interface OriginInfo {
  readonly file: string;
  readonly line: number;
  readonly byteStart: number;
  readonly byteEnd: number;
}

/** The selected message in full. Texts longer than `limit` are cut; `truncated` says so, `chars` is the whole length. */
export interface MessageDetail {
  readonly index: number;
  readonly role: string;
  readonly rawJson: string;
  readonly rawChars: number;
  /** The message as it is sent; of one that was joined with another, that one (`sentIn`). null = nothing of it is sent. */
  readonly projectedJson: string | null;
  /** Where it is sent, if not in its own place: in the message with this source index, or (null) in one that a stage made. */
  readonly sentIn?: { readonly index: number | null };
  readonly projectedChars: number;
  readonly truncated: boolean;
  readonly parts: readonly DetailPart[];
  readonly fate: DetailFate;
  readonly meta: {
    readonly id: string | null;
    readonly timestamp: string | null;
    readonly model: string | null;
    readonly stopReason: string | null;
    readonly usage: Usage | null;
    readonly injected: boolean;
    readonly apiError: boolean;
    /** What the provider did to the thinking of the request; absent = the answer does not say. */
    readonly inputTransformations?: readonly InputTransformation[];
    /** Who put it there, if not simply its role. */
    readonly origin: MessageOrigin | null;
  };
  /** What the transcript ties it to by ids; null where it names none. See correlate.request and correlate.call. */
  readonly refs: {
    readonly requestId: string | null;
    readonly callId: string | null;
    readonly iteration: number | null;
  };
  readonly contentHash: string;
  readonly origins: readonly OriginInfo[];
  /** Source index of the message holding the other half of a call/result pair, per part. */
  readonly pairs: readonly { readonly part: number; readonly index: number; readonly otherPart: number }[];
}

export interface DetailPart {
  readonly part: number;
  readonly kind: PartKind;
  readonly category: Category;
  readonly label: string;
  readonly name: string | null;
  readonly callId: string | null;
  readonly isError: boolean;
  readonly signed: boolean;
  /** Of a result the call that it answers, its arguments cut as all texts are; absent = none is known. */
  readonly call?: { readonly name: string | null; readonly text: string };
  /** Of a text that the client attached, what it may hold of a file; absent = it attached nothing of a file. */
  readonly attached?: AttachedKind;
  readonly text: string;
  readonly truncated: boolean;
  /** Of the whole text; of what is encrypted, how many characters of that are recorded. */
  readonly chars: number;
  /** As it is in the request, wherever that is; null = it is not; absent = the words are the same. */
  readonly sent?: { readonly text: string; readonly truncated: boolean; readonly chars: number } | null;
  readonly tokens: number | null;
  readonly assetIds: readonly string[];
  /** Who may see the part, as Harn records it; absent = not recorded. */
  readonly visibility?: string;
  /** The asset that the part names in place of its payload; absent = it names none. */
  readonly asset?: NamedAsset;
}

/** The fate of a message with its pointer checked against the raw bytes. */
export interface DetailFate {
  readonly kind: FateKind | 'future';
  readonly stage: number | null;
  readonly stageTitle: string | null;
  readonly rule: string | null;
  readonly reason: string;
  readonly because: number | null;
  readonly evidence: string | null;
  readonly parts: readonly { readonly part: number; readonly kind: FateKind; readonly reason: string }[];
  readonly pointers: readonly (RedactionPointer & { readonly verified: boolean })[];
}

export interface SyntheticDetail {
  readonly json: string;
  readonly text: string;
  readonly covers: { readonly from: number; readonly to: number };
  readonly stage: number;
  readonly stageTitle: string;
  /** Assets that messages in its span name: their descriptors stay, whatever the summary says. */
  readonly assets: readonly NamedAsset[];
}

/** Sums over all requests that record usage. Unit: tokens; `input` holds what was read from and written to the cache. */
export interface UsageTotals {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Recorded usage held against the history. */
export interface UsageInfo {
  readonly state: 'counting' | 'ready';
  /** Requests that record usage; 0 = none does. */
  readonly total: number;
  readonly requests: readonly RequestFigure[];
  readonly figure: RequestFigure | null;
  readonly fits: readonly UsageFit[];
  /** What requests held that the transcript does not record; null = not known. */
  readonly overhead: RecordedOverhead | null;
  readonly marks: readonly UsageMark[];
  /** Requests that lost over half of what was cached, each explained. */
  readonly misses: readonly CacheMiss[];
  readonly problems: readonly Problem[];
  readonly totals: UsageTotals;
}

export interface JobInfo {
  readonly jobId: string;
  readonly kind: 'import' | 'tokens' | 'upkeep' | 'compact' | 'index' | 'survey' | 'series' | 'trace';
  readonly title: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** 0..1, or null where the end is unknown. */
  readonly progress: number | null;
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
  readonly message: string;
  /** import: transcripts made or found so far; the first appears as soon as it has rows. */
  readonly transcriptIds: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

export interface ImportOutcome {
  readonly file: string;
  readonly transcripts: readonly { readonly id: string; readonly messages: number; readonly existed: boolean }[];
  readonly problems: readonly Problem[];
  readonly records: number;
  readonly ignored: number;
  readonly seconds: number;
  /** Set if the file could not be read as a transcript at all. */
  readonly error: Problem | null;
}

export interface EngineInfo {
  readonly version: string;
  readonly schemaVersion: number;
  readonly library: string;
  /** Why nothing can be written to the library; null = it can be. */
  readonly unwritable: string | null;
  readonly rssBytes: number;
  readonly heapBytes: number;
  /** The formats it reads, in the order they are tried. */
  readonly formats: readonly { readonly id: string; readonly title: string; readonly looksFor: string }[];
}
