import type { CountedValue } from '../filter/complete.ts';
import type { ValueField } from '../filter/types.ts';
import type { FileLook, MappingPreview } from '../model/mapping/preview.ts';
import type { MappingFault } from '../model/mapping/read.ts';
import type { Problem } from '../model/problem.ts';
import type { PreservedThinking } from '../projection/binding/setting.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import type { FilterName } from '../search/filters.ts';
import type { CheckNews } from './checkTypes.ts';
import type { InsightMethods } from './insightMethods.ts';
import type { ReproduceParams, ReproduceResult } from './reproduceTypes.ts';
import type { ReviewMethods } from './reviewMethods.ts';
import type { SeriesMethods } from './seriesMethods.ts';
import type * as S from './tuneTypes.ts';
import type * as T from './types.ts';
import type { WireInfo, WireParams } from './wireTypes.ts';

/**
 * The one map of the protocol: method → params and result. Client, server and every transport are derived from it.
 * All values are plain JSON. `spec` in params is untrusted: an object, a policy name, or JSON of either. `path` and
 * `paths` are paths on the engine's machine; from a page they are handles (files.ts).
 */
export interface Methods extends InsightMethods, ReviewMethods, SeriesMethods {
  'engine.info': { params: Record<string, never>; result: T.EngineInfo };
  /** All transcripts; with the `cursor` of an earlier answer, what changed since (all, if that is not known any more). */
  'library.list': { params: { readonly since?: string | null }; result: T.LibraryChange };
  /** Takes transcripts out of the library. For a minute they can be brought back, unless `forGood`; then they are deleted. */
  'library.remove': {
    params: { readonly ids: readonly string[]; readonly forGood?: boolean };
    result: { readonly removed: readonly string[] };
  };
  /** Brings removed transcripts back, with tags and notes; those that are deleted or imported again are left out. */
  'library.restore': { params: { readonly ids: readonly string[] }; result: { readonly restored: readonly string[] } };
  /** Gives a transcript a custom title; null = the tool's again. */
  'library.rename': { params: { readonly id: string; readonly title: string | null }; result: Record<string, never> };
  'tags.list': { params: Record<string, never>; result: { readonly tags: readonly T.TagInfo[] } };
  /** Gives these transcripts some tags and takes others from them. */
  'tags.apply': {
    params: { readonly ids: readonly string[]; readonly add: readonly string[]; readonly remove: readonly string[] };
    result: { readonly tags: readonly T.TagInfo[] };
  };
  'tags.color': {
    params: { readonly name: string; readonly color: number };
    result: { readonly tags: readonly T.TagInfo[] };
  };
  /** Notes and bookmarks of a transcript in order, or (null) of the library, the latest first. */
  'marks.list': { params: { readonly id: string | null }; result: { readonly marks: readonly T.MarkInfo[] } };
  /** Notes or bookmarks a message; what is left out stays. A mark on a message that is gone can only be taken away. */
  'marks.set': {
    params: {
      readonly id: string;
      readonly index: number;
      readonly note?: string | null;
      readonly bookmarked?: boolean;
    };
    result: { readonly marks: readonly T.MarkInfo[] };
  };
  /** Summaries of spans of a transcript, recorded and written, by where they end, then by version. */
  'summaries.list': { params: { readonly id: string }; result: { readonly summaries: readonly T.SummaryInfo[] } };
  /** Writes the next version of the summary of the messages [from, to). Nothing in the transcript changes. */
  'summaries.set': {
    params: { readonly id: string; readonly from: number; readonly to: number; readonly content: string };
    result: { readonly summaries: readonly T.SummaryInfo[]; readonly version: number };
  };
  /** Deletes a written summary: all versions of a span, or one. Recorded ones stay. */
  'summaries.remove': {
    params: { readonly id: string; readonly from: number; readonly to: number; readonly version?: number };
    result: { readonly summaries: readonly T.SummaryInfo[] };
  };
  'storage.get': { params: Record<string, never>; result: T.StorageInfo };
  /** Writes the library's file again without its free pages, as a job. Nothing can be changed meanwhile. */
  'storage.compact': { params: Record<string, never>; result: { readonly jobId: string } };
  /**
   * Files by path on the engine's machine; of folders the transcripts in them. Answers at once; progress comes as `job`
   * events.
   */
  'import.start': {
    params: {
      readonly paths: readonly string[];
      /** Untrusted: JSON of a mapping to read the files by; of folders those that no format knows. */
      readonly mapping?: unknown;
    };
    result: { readonly jobId: string };
  };
  /** The saved mappings of files that no format knows, by name. */
  'mapping.list': { params: Record<string, never>; result: { readonly mappings: readonly T.MappingInfo[] } };
  /** Saves a mapping under a name, in the place of another of that name. */
  'mapping.save': { params: { readonly name: string; readonly mapping: unknown }; result: { readonly hash: string } };
  'mapping.remove': { params: { readonly name: string }; result: { readonly removed: boolean } };
  /** Looks at the beginning of a file: a sample, where lists are in it, and a mapping that may fit. */
  'mapping.guess': { params: { readonly path: string }; result: FileLook };
  /** What the beginning of a file gives under a mapping; `preview` is null if that is none, `faults` say why. */
  'mapping.preview': {
    params: { readonly path: string; readonly mapping: unknown; readonly limit?: number };
    result: {
      readonly preview: MappingPreview | null;
      readonly faults: readonly MappingFault[];
      readonly fields: T.MappingFields;
    };
  };
  /** Waits for the job and gives the outcome per file. */
  'import.result': {
    params: { readonly jobId: string };
    result: { readonly outcomes: readonly T.Named<T.ImportOutcome>[]; readonly folders: readonly T.FolderReport[] };
  };
  /**
   * Imports a file or folder, and follows it from then on: also after the next start of the program, unless `keep` is
   * false (default true).
   */
  'follow.start': {
    params: { readonly path: string; readonly keep?: boolean };
    result: { readonly jobId: string };
  };
  /** What was imported stays. */
  'follow.stop': { params: { readonly path: string }; result: { readonly stopped: boolean } };
  'follow.list': { params: Record<string, never>; result: { readonly follows: readonly T.Named<T.FollowInfo>[] } };
  /** Where the tools of this machine keep sessions, if there are any. */
  'discover.list': {
    params: Record<string, never>;
    result: { readonly places: readonly T.Named<T.DiscoveredPlace>[]; readonly missing: readonly T.MissingPlace[] };
  };
  /** The sessions in a discovered place, newest first, at most 60; `more` = how many are not listed. */
  'discover.look': {
    params: { readonly path: string };
    result: { readonly sessions: readonly T.Named<T.FoundSession>[]; readonly more: number };
  };
  /** Imports the sample session. */
  'sample.import': { params: Record<string, never>; result: { readonly jobId: string } };
  'job.cancel': { params: { readonly jobId: string }; result: { readonly cancelled: boolean } };
  'job.list': { params: Record<string, never>; result: { readonly jobs: readonly T.JobInfo[] } };
  'transcript.open': { params: { readonly id: string }; result: T.TranscriptInfo };
  'transcript.close': { params: { readonly id: string }; result: Record<string, never> };
  /** A person scrolls through it: what nobody waits for rests for a quarter of a second. */
  'transcript.moving': { params: { readonly id: string }; result: Record<string, never> };
  /** Keeps what a transcript's requests hold that nobody recorded, in tokens. Specs say themselves what they count. */
  'transcript.setOverhead': {
    params: { readonly id: string; readonly tokens: number };
    result: Record<string, never>;
  };
  /** Keeps what a person chose to look at a transcript with; null = nothing any more. */
  'transcript.setChoice': {
    params: {
      readonly id: string;
      readonly choice: {
        readonly spec: unknown;
        readonly window: number | null;
        readonly tokenizer: string | null;
      } | null;
    };
    result: Record<string, never>;
  };
  /** Branches, sub-agents, the transcript that started it, and sessions it continues with or that continue with it. */
  'transcript.relatives': { params: { readonly id: string }; result: T.Relatives };
  /**
   * Makes a what-if: the messages before `at`, and then typed ones: `messages` (JSON texts of objects), then `text` as a
   * user's message in the transcript's shape. The parent stays as it is.
   */
  'transcript.fork': {
    params: {
      readonly id: string;
      readonly at: number;
      readonly text?: string;
      readonly messages?: readonly string[];
    };
    result: { readonly id: string };
  };
  /** Writes a transcript as a Jido thread; `path` null = into the library's export folder. `losses` = what a thread cannot carry. */
  'export.thread': {
    params: { readonly id: string; readonly path: string | null };
    result: {
      readonly path: string;
      readonly bytes: number;
      readonly entries: number;
      readonly losses: readonly { readonly index: number | null; readonly what: string }[];
    };
  };
  /** The projection as a host is sent it: a `session/update` of ACP, as JSON text. Waits for the prefix hash. */
  'export.acp': {
    params: { readonly id: string; readonly spec: unknown; readonly at: number | null };
    result: { readonly text: string };
  };
  /** All messages of a request (an ask, or what the tool calls one) that the transcript records. */
  'correlate.request': { params: { readonly id: string; readonly requestId: string }; result: T.Correlation };
  /** All messages of one call of the model, by the id of the call, of its answer, or of a tool call in it. */
  'correlate.call': { params: { readonly id: string; readonly callId: string }; result: T.Correlation };
  /** Where the values of a context policy come from: these options, the transcript's policy (id), the workspace's, defaults. */
  'policy.resolve': {
    params: { readonly id: string | null; readonly options?: Readonly<Record<string, unknown>> };
    result: T.PolicyScopesInfo;
  };
  /** Sets the policy that is behind all specs (workspace), or those for one transcript; null takes it away. */
  'policy.setDefault': {
    params: {
      readonly scope: 'workspace' | 'transcript';
      readonly id?: string | null;
      readonly options: Readonly<Record<string, unknown>> | null;
    };
    result: T.PolicyScopesInfo;
  };
  'transcript.problems': { params: { readonly id: string }; result: { readonly problems: readonly Problem[] } };
  'transcript.events': {
    /** `kind` = only events of it; from and to count those. */
    params: { readonly id: string; readonly from: number; readonly to: number; readonly kind?: string };
    result: { readonly events: readonly T.EventInfo[]; readonly total: number; readonly kinds: readonly T.EventKind[] };
  };
  'transcript.facts': { params: { readonly id: string }; result: T.TranscriptFacts };
  /** The bytes of an asset of a transcript, from the file or from one beside it. Error: `asset.unreadable` says why. */
  'asset.open': { params: { readonly id: string; readonly asset: string }; result: T.OpenedAssetInfo };
  /**
   * Opens an archived transcript, which an asset keeps: the id of the one in the library, or the job that imports it from
   * its file. Error: `asset.unreadable`.
   */
  'asset.openTranscript': {
    params: { readonly id: string; readonly asset: string };
    result: { readonly id: string } | { readonly jobId: string };
  };
  /**
   * What recorded usage says when held against the history, and the requests [from, to) of it; `figure` = that of the
   * request answered by message `at`. `counting` until the transcript's tokens are counted: ask again then.
   */
  'transcript.usage': {
    params: { readonly id: string; readonly from: number; readonly to: number; readonly at?: number };
    result: T.UsageInfo;
  };
  /** The tools that a transcript calls, the most called first. */
  'transcript.tools': {
    params: { readonly id: string };
    result: { readonly tools: readonly { readonly name: string; readonly calls: number }[] };
  };
  'transcript.callPoints': { params: { readonly id: string }; result: { readonly at: readonly number[] } };
  /** Steps from a call point: `delta` call points (or turns) on; clamps at the ends. */
  'transcript.step': {
    params: { readonly id: string; readonly at: number; readonly delta: number; readonly by: 'call' | 'turn' };
    result: { readonly at: number };
  };
  /**
   * Projects, and returns the rows [rows.from, rows.to) with it. `at` null = the next request (all messages).
   * `fold` collapses runs of more than eight unchanged messages; two stay open beside each change and at the end, and
   * so does whatever lies in one of the `unfold` spans (give a fold row's index and to). `foldGone` collapses runs of more
   * than eight messages that one compaction, summary or window took out; a run that an `unfold` span touches stays open.
   */
  'projection.set': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly at: number | null;
      readonly window?: number | null;
      readonly tokenizer?: string | null;
      readonly fold?: boolean;
      readonly foldGone?: boolean;
      readonly unfold?: readonly { readonly from: number; readonly to: number }[];
      /** A message that is to have its own row: the run that it is in does not fold. */
      readonly visible?: number;
      /** False leaves out the rows the model does not see (dropped, summarised, future): the Model view. Default true. */
      readonly ghosts?: boolean;
      /**
       * `later`: the answer does not wait long for the prefix hash; ask projection.hash if it is null. `none`: it is not
       * wanted. Default `now`.
       */
      readonly hash?: 'now' | 'later' | 'none';
      readonly rows?: { readonly from: number; readonly to: number };
      /** Which rows are shown, and which are coloured (docs/filter.md). Nothing else folds while rows are filtered. */
      readonly filter?: T.RowsFilter;
      /** In place of `rows`: so many rows before and behind the first row of a message, or of the fold it is in. */
      readonly around?: { readonly index: number; readonly before: number; readonly after: number };
    };
    result: T.ProjectionInfo;
  };
  /**
   * Looks for what filters ask for and projections do not show: words in rows, uses under the policy. A newer one of the
   * same client about something else ends it: `request.superseded`.
   */
  'filter.prepare': {
    params: { readonly id: string; readonly spec: unknown; readonly filters: readonly string[] };
    result: Record<string, never>;
  };
  /** The values of a field in the rows of messages, the most frequent first, at most 50. Of uses only where they are known. */
  'filter.values': {
    params: { readonly projectionId: string; readonly field: ValueField };
    result: { readonly values: readonly CountedValue[] };
  };
  'projection.rows': {
    params: { readonly projectionId: string; readonly from: number; readonly to: number };
    result: T.RowWindow;
  };
  /**
   * Where changes are in the list of rows, at most one for each of `slots` equal parts of it, and the first rows of the
   * messages `at` (source indices).
   */
  'projection.marks': {
    params: { readonly projectionId: string; readonly slots: number; readonly at: readonly number[] };
    result: T.RowMarksAnswer;
  };
  /** Row number of a message's part (its first part by default), or of the fold it is in. */
  'projection.rowOf': {
    params: { readonly projectionId: string; readonly index: number; readonly part?: number };
    result: { readonly row: number };
  };
  /** The next row with a fate other than kept (or with that `fate`), from `row` in a direction; null if there is none. */
  'projection.nextChange': {
    params: {
      readonly projectionId: string;
      readonly row: number;
      readonly direction: 1 | -1;
      readonly fate?: Exclude<T.Row['fate'], 'kept' | 'future'>;
    };
    result: { readonly row: number | null };
  };
  'projection.detail': {
    params: { readonly projectionId: string; readonly index: number; readonly limit?: number };
    result: T.MessageDetail;
  };
  /** What each stage said of a message, besides what they come to; projects once more. */
  'projection.why': {
    params: { readonly projectionId: string; readonly index: number };
    result: T.Why;
  };
  /** The same of the messages [from, to), at most 5,000, by one projection. */
  'projection.whys': {
    params: { readonly projectionId: string; readonly from: number; readonly to: number };
    result: { readonly whys: readonly T.Why[] };
  };
  /** Why the request differs from the one before it under the same policy; projects that one too. */
  'projection.change': { params: { readonly projectionId: string }; result: T.RequestChange };
  /** Messages [from, to) of one of its causes (position in `causes`), at most 500. Error: `request.no_such_cause`. */
  'projection.changeLines': {
    params: { readonly projectionId: string; readonly cause: number; readonly from: number; readonly to: number };
    result: { readonly from: number; readonly total: number; readonly lines: readonly T.DifferenceLine[] };
  };
  'projection.synthetic': {
    params: { readonly projectionId: string; readonly row: number };
    result: T.SyntheticDetail;
  };
  /** The prefix hash, once it is there; `request.superseded` if the client projects again meanwhile. */
  'projection.hash': { params: { readonly projectionId: string }; result: { readonly prefixHash: string } };
  /** The exact text of the projected prefix or of the Harn result, for copy. */
  'projection.text': {
    params: { readonly projectionId: string; readonly what: 'messages' | 'result' };
    result: { readonly text: string };
  };
  /**
   * `firstOver`: also looks at all call points for the first that does not fit; `sums`: at all of them to the end, for the
   * largest request, the cache and what the session costs. Both take longer. Lines are sent as `preset`
   * events while the rest is made. A question about something else ends it: `request.superseded`.
   */
  'budget.presets': {
    params: {
      readonly id: string;
      readonly at: number | null;
      readonly tokenizer?: string | null;
      /** In place of the window of the transcript's model, and of the presets'. */
      readonly window?: number | null;
      /** Tokens of what the transcript does not record (budget.overhead of the policy in use). */
      readonly overhead?: number | null;
      /** How requests ask to treat thinking of other conversations (preserved_thinking of the policy in use). */
      readonly thinking?: PreservedThinking | null;
      /** The presets on what recorded compactions kept, under names that say so. Default: on the raw history. */
      readonly afterRecorded?: boolean;
      readonly firstOver?: boolean;
      readonly sums?: boolean;
      /** Other policies for the table, before the presets; `name` is given back with the figure. */
      readonly policies?: readonly { readonly name: string; readonly title: string; readonly spec: unknown }[];
    };
    result: { readonly figures: readonly T.PresetFigure[] };
  };
  /** The price table, and what of it holds for a transcript's model. */
  'prices.get': { params: { readonly id?: string | null }; result: T.PriceTable };
  /** Puts another table in place of it; null = the program's own. Error: `prices.invalid`. */
  'prices.set': { params: { readonly rows: readonly T.Price[] | null }; result: Record<string, never> };
  /** Where figures of the cache take requests to have their breakpoints. */
  'cachePoints.set': { params: { readonly mode: T.CachePointsMode }; result: Record<string, never> };
  /** A newer trace of the same client ends an older one, which fails with `request.superseded`. */
  'trace.message': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly index: number;
      readonly part: number | null;
      readonly at: number | null;
      readonly samples?: number;
    };
    result: T.Trace;
  };
  /**
   * Whether a text is in the request, at every call point; `at` = "now", null = the next request. As with
   * trace.message, a newer one of the same client ends an older one. `samples` = at how many call points a spec may be run
   * again that cannot be followed.
   */
  'trace.text': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly text: string;
      readonly at: number | null;
      readonly matchCase?: boolean;
      readonly wholeWord?: boolean;
      readonly samples?: number;
    };
    result: T.TextTrace;
  };
  /**
   * Of up to 200 places, in their order, whether their words are in the request at `at`: the text, where one is given,
   * else all that the part (null = the message) says; then `elsewhere` covers summaries and what stages wrote.
   */
  'trace.present': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly at: number | null;
      readonly places: readonly { readonly index: number; readonly part: number | null }[];
      readonly text?: string;
      readonly matchCase?: boolean;
      readonly wholeWord?: boolean;
    };
    result: { readonly presence: readonly T.PlacePresence[] };
  };
  /**
   * What the provider would refuse of the projection at a call point, with the repair of each finding. What is left out
   * of provider, api and model is found out from the messages. At most `limit` findings (default 500).
   */
  'lint.run': {
    params: {
      readonly id: string;
      readonly at: number | null;
      /** Default: the history as it is. */
      readonly spec?: unknown;
      /** A hygiene profile by name, in place of provider, api and model. */
      readonly profile?: string | null;
      readonly provider?: string | null;
      readonly api?: string | null;
      readonly model?: string | null;
      readonly limit?: number;
    };
    result: T.LintInfo;
  };
  /**
   * What a provider would refuse of the request as it is written for a target, in the background: what `lint.run` lists is
   * not listed again. Error: `request.superseded` if the client asks about another request meanwhile.
   */
  'lint.request': {
    params: Pick<WireParams, 'id' | 'at' | 'spec' | 'target' | 'model'>;
    result: T.RequestLintInfo;
  };
  /** What a rule, or (null) the whole profile, would do to the projection. At most `limit` messages (default 200). */
  'lint.repair': {
    params: {
      readonly id: string;
      readonly at: number | null;
      readonly spec?: unknown;
      readonly rule: string | null;
      readonly profile?: string | null;
      readonly provider?: string | null;
      readonly api?: string | null;
      readonly model?: string | null;
      readonly limit?: number;
    };
    result: T.LintRepairInfo;
  };
  /** As with traces, a newer search of the same client ends an older one. */
  'search.text': {
    params: { readonly projectionId: string; readonly text: string; readonly limit: number };
    result: { readonly hits: readonly T.TextHit[]; readonly total: number };
  };
  /**
   * Searches all text of the library; the query's language is in docs/search.md. `cursor` = that of the page before,
   * with the same query and sort. As with traces, a newer search of the same client ends an older one.
   */
  'library.search': {
    params: {
      readonly query: string;
      readonly sort: 'relevance' | 'time';
      readonly cursor?: string | null;
      readonly limit: number;
    };
    result: T.LibrarySearch;
  };
  /** Values for a filter of the query language that this library has; those that hold `text`. */
  'search.values': {
    params: { readonly filter: FilterName; readonly text: string };
    result: { readonly values: readonly T.FilterValueInfo[] };
  };
  'record.get': {
    params: { readonly id: string; readonly index: number };
    result: { readonly records: readonly { readonly line: number; readonly json: string }[] };
  };
  /** The record that begins at a byte, as a problem names it; `base64` only where the text is not its exact bytes. */
  'record.at': {
    params: { readonly id: string; readonly byteStart: number; readonly limit?: number };
    result: {
      readonly line: number;
      readonly text: string;
      readonly truncated: boolean;
      readonly base64: string | null;
    };
  };
  'asset.get': {
    params: { readonly assetId: string };
    result: { readonly mime: string; readonly base64: string; readonly bytes: number };
  };
  'spec.describe': {
    params: Record<string, never>;
    result: {
      readonly stages: readonly T.StageInfo[];
      readonly presets: readonly T.PresetInfo[];
      readonly models: readonly T.ModelInfo[];
    };
  };
  'spec.parse': {
    params: { readonly spec: unknown };
    result: { readonly spec: ProjectionSpec | null; readonly problems: readonly Problem[] };
  };
  /** The projection as the exact body of a provider's request, with what it cannot carry: its beginning, to look at. */
  'wire.export': { params: WireParams; result: WireInfo };
  /**
   * A projection as a call, a test or vendors' settings, scrubbed. Errors: those of `projection.set`, `export.left`,
   * `reproduce.no_call`, `request.superseded`.
   */
  'reproduce.text': { params: ReproduceParams; result: ReproduceResult };
  /** The whole of it. Error: `wire.too_large`. */
  'wire.text': { params: WireParams; result: { readonly text: string } };
  /** Writes the whole of it; `path` null = into the library's export folder (the host then serves it). */
  'wire.write': {
    params: WireParams & { readonly path: string | null };
    result: { readonly path: string; readonly bytes: number };
  };
  /** Whether an opened bundle is what it states, as it is shown here. Errors: `bundle.none`, `spec.invalid`. */
  'bundle.check': { params: { readonly id: string }; result: T.VerifyReport };
  'verify.file': { params: { readonly path: string }; result: T.VerifyReport };
  /** Workspace state: small JSON values that survive a restart (open transcript, spec, theme, panel sizes). */
  'settings.get': { params: Record<string, never>; result: { readonly values: Readonly<Record<string, unknown>> } };
  'settings.set': { params: { readonly key: string; readonly value: unknown }; result: Record<string, never> };
}

/** What the engine says without being asked. */
export interface Events {
  job: T.JobInfo;
  /** The library list changed. */
  library: Record<string, never>;
  /** Notes or bookmarks of a transcript changed. */
  marks: { readonly id: string };
  /** The texts watched in a transcript changed. */
  watchpoints: { readonly id: string };
  /** Written summaries of a transcript changed: project again. */
  summaries: { readonly id: string };
  /**
   * An open transcript grew, more of it was counted, messages that were there changed or are gone, or other transcripts
   * turned out to belong to it: project again to see it. `grew` = `info` has more messages than it had before; every
   * growth is reported as such.
   */
  transcript: {
    readonly id: string;
    readonly reason: 'grew' | 'counted' | 'changed' | 'linked' | 'removed';
    readonly info: T.TranscriptInfo | null;
    /** Removed because it is now a part of this transcript: the tool took the branch up again. */
    readonly instead?: string;
  };
  series: T.Series;
  /** A line of a table of presets that is being made, and the question it belongs to. */
  preset: { readonly question: Methods['budget.presets']['params']; readonly figure: T.PresetFigure };
  /** How far a `compare.along` of the client is, in requests. */
  compare: { readonly id: string; readonly done: number; readonly total: number };
  /** How far a run of the client is, `run` as it was asked; see {@link CheckNews}. */
  check: CheckNews;
  /** How far a sweep is; `size` null = its values are still being looked for. */
  tune: {
    readonly sweepId: string;
    readonly state: S.SweepState;
    readonly points: number;
    readonly size: number | null;
  };
  /** Something about a followed path changed: all of them as they are. */
  follow: { readonly follows: readonly T.Named<T.FollowInfo>[] };
}

export type MethodName = keyof Methods;
export type Params<M extends MethodName> = Methods[M]['params'];
export type ResultOf<M extends MethodName> = Methods[M]['result'];
export type EventName = keyof Events;

/** A failure as data. `expected` = the user or the input caused it; otherwise it is a bug of ours. */
export interface ProtocolError {
  readonly code: string;
  readonly message: string;
  readonly expected: boolean;
  readonly cause?: string;
}
