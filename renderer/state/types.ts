import type { LibraryFacets, LibraryView } from '../../core/library/query.ts';
import type { Problem } from '../../core/model/problem.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { CheckedInfo, ReadRule } from '../../core/protocol/checkTypes.ts';
import type { GivenFile } from '../../core/protocol/files.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type * as P from '../../core/protocol/types.ts';
import type { Watchpoint } from '../../core/protocol/watchTypes.ts';
import type { Term } from '../../core/search/types.ts';
import type { Theme } from '../theme/resolveTheme.ts';
import type { Axis, Range } from '../ui/look.ts';
import type { Density } from '../ui/rowLayout.ts';
import type { Dialog } from './dialog.ts';
import type { MappingDraft } from './mappingDraft.ts';
import type { Mode } from './modes.ts';
import type { RowPages } from './rowPages.ts';
import type { SavedPolicy } from './savedPolicies.ts';
import type { DrawerTab } from './tabs.ts';
import type { Work } from './workActions.ts';

/** raw = left pane only, side = both, model = right pane only, without ghosts. */
export type Layout = 'raw' | 'side' | 'model';
export interface PanelSizes {
  readonly library: number;
  readonly policy: number;
  /** Its height at the bottom. */
  readonly drawer: number;
  /** Its width on the right. */
  readonly drawerRight: number;
}

/**
 * What is selected: a whole message with the part that was pointed at, a synthetic message by its row's key, or a folded
 * run of messages (`to` exclusive).
 */
export type Selection =
  | { readonly kind: 'message'; readonly index: number; readonly part: number }
  | { readonly kind: 'synthetic'; readonly key: string; readonly row: number }
  | { readonly kind: 'fold'; readonly index: number; readonly to: number };

export interface UiState {
  readonly theme: Theme;
  readonly mode: Mode;
  readonly layout: Layout;
  readonly fold: boolean;
  /** What the client wrote (reminders, command output) steps back behind what people and the model said. */
  readonly dimInjected: boolean;
  /** Side by side, a row that is sent as it is recorded is shown once, across both panes. */
  readonly shownOnce: boolean;
  /** How much of a message its row shows. */
  readonly density: Density;
  /** Texts are shown as they are recorded, not as people read them. */
  readonly rawTexts: boolean;
  /** What the chart is drawn along. */
  readonly axis: Axis;
  readonly libraryOpen: boolean;
  /** The library as a table in place of everything else. */
  readonly libraryWide: boolean;
  readonly policyOpen: boolean;
  readonly drawerOpen: boolean;
  readonly drawerTab: DrawerTab;
  readonly drawerSide: 'bottom' | 'right';
  /** The drawer lies over the panes. */
  readonly drawerMax: boolean;
  readonly sizes: PanelSizes;
  readonly dialog: Dialog | null;
  /** Window at most 1100 px wide: the policy panel lies over the panes. */
  readonly narrow: boolean;
  /** Window too small for panels beside the panes: each of them lies over the panes when it is called for. */
  readonly small: boolean;
  /** Window small, or lower than 620 px: lanes of the chart are left out, and of a small window's chart all but its bars. */
  readonly low: boolean;
  /** All of the chart all the same. */
  readonly chartFull: boolean;
  /** Whether it does so now; not kept over a restart. */
  readonly policyOver: boolean;
  readonly libraryOver: boolean;
  readonly drawerOver: boolean;
  /** Presets are offered on what recorded compactions kept, under names that say so, where a transcript records any. */
  readonly afterRecorded: boolean;
}

export interface LibraryState {
  /** null = not loaded yet. */
  readonly transcripts: readonly P.TranscriptSummary[] | null;
  readonly error: ProtocolError | null;
  readonly filter: string;
  /** How far the list is known: what changed since is asked for. */
  readonly cursor: string | null;
  readonly view: LibraryView;
  readonly facets: LibraryFacets;
  /** The line that the keys act on; null = that of the open transcript. */
  readonly focused: string | null;
  /** Ids chosen for something to be done with all of them. */
  readonly selected: ReadonlySet<string>;
  readonly tags: readonly P.TagInfo[];
  /** What was removed last and can be brought back, with the one that was open. */
  readonly removed: { readonly ids: readonly string[]; readonly openId: string | null } | null;
}

/** Notes and bookmarks of the open transcript; null = not known yet. */
export interface MarksState {
  readonly id: string | null;
  readonly list: readonly P.MarkInfo[] | null;
  readonly error: ProtocolError | null;
}

/** Texts watched in the open transcript; null = not known yet. */
export interface WatchState {
  readonly id: string | null;
  readonly list: readonly Watchpoint[] | null;
  readonly error: ProtocolError | null;
}

export interface SessionState {
  /** The open transcript; null = none. */
  readonly id: string | null;
  readonly info: P.TranscriptInfo | null;
  readonly opening: boolean;
  readonly error: ProtocolError | null;
  /** Tokens of every request that the transcript does not record, as the person said; 0 = they said nothing. */
  readonly overhead: number;
  /** Messages that came while the end of the list was not in sight. */
  readonly fresh: number;
  /** What belongs to it; null = not known yet. */
  readonly relatives: P.Relatives | null;
  readonly relativesError: ProtocolError | null;
}

/** What is chosen for another transcript. */
export interface Elsewhere {
  readonly id: string;
  readonly title: string;
  readonly choice: P.TranscriptChoice;
}

/** A policy to go back to; `overhead` null = the step did not change it. */
export interface PolicyStep {
  readonly spec: ProjectionSpec;
  readonly overhead: number | null;
}

export interface ProjectionState {
  /** Without the overhead, which is the session's. */
  readonly spec: ProjectionSpec;
  /** False: nobody chose the spec; it goes by the transcript (what the runtime kept, if that is recorded, else raw). */
  readonly chosen: boolean;
  /** null = the next request: all messages. */
  readonly at: number | null;
  readonly window: number | null;
  readonly tokenizer: string | null;
  /** What was chosen for the transcript shown before; null = nothing. It comes along only when that is asked for. */
  readonly elsewhere: Elsewhere | null;
  /** Of the newest answer; stays on screen while the next is computed. */
  readonly info: P.ProjectionInfo | null;
  readonly pages: RowPages;
  readonly pending: boolean;
  readonly error: ProtocolError | null;
  readonly past: readonly PolicyStep[];
  readonly future: readonly PolicyStep[];
  /** A change of the policy that is tried; it counts while the stages are `after`. */
  readonly tried: TriedChange | null;
  /** Where the list must stand after the newest answer; `seq` grows with each order. */
  readonly scroll: ScrollOrder;
  /** Rows opened in place, ascending by row. */
  readonly open: readonly OpenRow[];
  /** Folded runs that were opened, as source spans. */
  readonly unfold: readonly { readonly from: number; readonly to: number }[];
  /** Row number of the selection in the shown projection; null = nothing selected or not in sight of the policy. */
  readonly selectionRow: number | null;
}

/** A change of the policy that is tried and not kept yet. */
export interface TriedChange {
  readonly words: string;
  /** The policy without it. */
  readonly base: ProjectionSpec;
  /** The stages with it, as JSON: with any other ones it is no longer tried. */
  readonly after: string;
  /** Positions of the stages that it changes or adds. */
  readonly stages: readonly number[];
  /** What it keeps, to be followed through the requests; null = that has no text. */
  readonly subject: { readonly label: string; readonly text: string } | null;
}

/** A row opened to its full content, which is `below` px high: that is measured. */
export interface OpenRow {
  readonly key: string;
  readonly kind: 'part' | 'synthetic';
  readonly index: number;
  readonly part: number;
  readonly row: number;
  readonly below: number;
}

/** Puts row `row` at `offset` px below the top of the viewport. */
export interface ScrollOrder {
  readonly seq: number;
  readonly row: number;
  readonly offset: number;
  /** The distance holds, whatever came above the list or went meanwhile. */
  readonly isFixed?: boolean;
}

export interface SeriesState {
  readonly series: P.Series | null;
  /** True while a newer series than the one shown is computed. */
  readonly computing: boolean;
  readonly error: ProtocolError | null;
}

/** What the chart shows of the session, and what is selected in it. */
export interface TimelineState {
  /** In units of the axis; null = the whole session. */
  readonly look: Range | null;
  /** Positions [from, to) of the call points selected; null = none. */
  readonly area: Range | null;
  /** Position where an area was begun that reaches to the call point; null = none is being made. */
  readonly anchor: number | null;
}

/** What recorded usage says of a transcript; `info` null = not known yet. */
export interface UsageState {
  readonly id: string | null;
  readonly info: P.UsageInfo | null;
  readonly error: string | null;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'info' | 'ok' | 'error';
  readonly text: string;
  readonly detail?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Another thing that can be done. */
  readonly more?: { readonly label: string; readonly run: () => void };
}

/** The files of an import that left something to say. */
export interface ImportReport {
  readonly file: string;
  readonly handle: string;
  readonly problems: readonly Problem[];
  readonly error: Problem | null;
}

/** The search over the library: what is asked, what was found so far, and which hit one is at. */
export interface SearchState {
  readonly query: string;
  /** What is marked in texts. */
  readonly terms: readonly Term[];
  readonly sort: P.LibrarySearch['sort'];
  readonly hits: readonly P.LibraryHit[];
  readonly groups: Readonly<Record<string, P.SearchGroup>>;
  /** The newest answer to this query, its hits the last of `hits`; null = not answered yet. */
  readonly result: P.LibrarySearch | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
  /** Number of a hit. */
  readonly selected: number;
  /** A hit was opened: marks are shown, and next and previous lead to the others. */
  readonly isStepping: boolean;
}

/** Provider, API and model that a request is linted for; all blank = the transcript's own. */
export interface LintTarget {
  readonly provider: string;
  readonly api: string;
  readonly model: string;
}

/** The text one looks for in the requests, and the answer. It outlives the bar: opened again, the text is still there. */
export interface FindState {
  readonly isOpen: boolean;
  /** What had the focus when the bar was called for; it gets it back. */
  readonly calledFrom: Element | null;
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** To this text, with these switches; of the projection shown, or (while `isLoading`) of the one before. */
  readonly trace: P.TextTrace | null;
  readonly isLoading: boolean;
  readonly error: ProtocolError | null;
  /** Number of the place one is at; null = at none yet. */
  readonly chosen: number | null;
}

/** What the selected message relied on, and what relied on it. */
export interface TrailState {
  /** The message whose trail it is; a step along the trail leaves it. null = no message is selected. */
  readonly of: number | null;
  /** The message that the last step led to, as long as it is selected. */
  readonly step: number | null;
  /** While `state` is `pending`: under the policy before, whose outcomes are not those of the policy on screen. */
  readonly found: P.UseTrail | null;
  /** `absent` = a page has none. */
  readonly state: 'pending' | 'known' | 'failed' | 'absent';
  readonly error: string | null;
}

/** What the mode Checks was last asked by a command, and how often it was asked something. */
export interface ChecksOrder {
  readonly seq: number;
  readonly what: 'again' | 'nextFailure';
}

/** A run of rules over transcripts. */
export interface CheckRun {
  readonly key: string;
  readonly ids: readonly string[];
  /** The text that was run, and the rules it holds. */
  readonly text: string;
  /** What it was compared with; null = nothing was open. */
  readonly baseline: string | null;
  /** The file of the rules; null = it is not known. */
  readonly path: string | null;
  readonly rules: readonly ReadRule[];
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  readonly checked: readonly CheckedInfo[];
  /** Of one transcript that is looked at: how many of its requests were; null = not known. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly error: string | null;
  readonly ms: number | null;
  /** Messages of the open transcript when it was run. */
  readonly messages: number;
}

/** A file of rules. `name` null = typed here. */
export interface RulesFile {
  readonly name: string | null;
  readonly text: string;
  /** Its file of baselines; null = none is open. */
  readonly baseline: { readonly name: string; readonly text: string } | null;
  /** A handle of the file; null = it is not known where it is. */
  readonly path: string | null;
}

/** Rules that are held against transcripts. They outlive the mode's screen, as does what was found. */
export interface ChecksState {
  /** null = not read yet. */
  readonly file: RulesFile | null;
  readonly run: CheckRun | null;
  readonly order: ChecksOrder;
}

/** A policy that the one in use is compared with. */
export interface ComparedPolicy {
  readonly name: string;
  readonly title: string;
  readonly spec: ProjectionSpec;
}

/** What a command asks of the mode Compare: the next difference, the next request that differs. */
export type CompareOrder = 'next' | 'previous' | 'nextCall' | 'previousCall';

export interface CompareState {
  /** null = none chosen yet. It stays when another transcript is opened. */
  readonly b: ComparedPolicy | null;
  /** `seq` grows with each order. */
  readonly order: { readonly seq: number; readonly what: CompareOrder };
}

/** A filter kept under a name: rows that fit carry its colour. `color` = a number, see renderer/filter/colors.ts. */
export interface NamedColor {
  readonly name: string;
  readonly filter: string;
  readonly color: number;
  readonly isOn: boolean;
}

/** The filter of rows. What was typed is not kept over a restart; named colours are. */
export interface FilterState {
  readonly isOpen: boolean;
  readonly text: string;
  readonly others: P.RowsFilter['others'];
  /** Null = not loaded yet. */
  readonly colors: readonly NamedColor[] | null;
  /** What the field held when other transcripts were left. */
  readonly left: ReadonlyMap<string, OwnFilter>;
}

/** The filter of one transcript's rows. */
export type OwnFilter = Pick<FilterState, 'isOpen' | 'text' | 'others'>;

/** The ways through the sample: one for each of the three jobs. */
export type TourId = 'gone' | 'compare' | 'report';

/** Where transcripts come from: what is followed, and what was found on this machine (null = not looked yet). */
export interface SourcesState {
  readonly follows: readonly P.Named<P.FollowInfo>[];
  readonly places: readonly P.Named<P.DiscoveredPlace>[] | null;
  /** Tools whose sessions were looked for and not found. */
  readonly missing: readonly P.MissingPlace[];
  /** What the program was started with since the page was opened. */
  readonly given: readonly GivenFile[];
  readonly error: ProtocolError | null;
}

/** Everything the screen shows, except row heights and scroll position, which the list keeps to itself. */
export interface AppState {
  readonly ui: UiState;
  readonly library: LibraryState;
  readonly marks: MarksState;
  readonly watch: WatchState;
  readonly session: SessionState;
  readonly projection: ProjectionState;
  readonly selection: Selection | null;
  readonly search: SearchState;
  readonly find: FindState;
  readonly trail: TrailState;
  readonly filter: FilterState;
  readonly compare: CompareState;
  readonly checks: ChecksState;
  /** The message whose compaction the mode Compactions is to show; null = the one in effect at the call point. */
  readonly compactionOf: number | null;
  /** The person's choice, not the transcript's: it holds until they make another. */
  readonly lintTarget: LintTarget;
  /** What was typed into the mapping of a file, by its path: it is there again when the dialog is. */
  readonly mappingDrafts: Readonly<Record<string, MappingDraft>>;
  readonly series: SeriesState;
  readonly timeline: TimelineState;
  readonly usage: UsageState;
  readonly sources: SourcesState;
  readonly describe: {
    readonly stages: readonly P.StageInfo[];
    readonly presets: readonly P.PresetInfo[];
    readonly models: readonly P.ModelInfo[];
  } | null;
  /** Policies that the person saved, by name; null = not loaded. */
  readonly savedPolicies: readonly SavedPolicy[] | null;
  readonly jobs: Readonly<Record<string, P.JobInfo>>;
  /** What else is being computed, the latest last. */
  readonly work: Readonly<Record<string, Work>>;
  /** Steps between places, which back and forward go through: which one is at, the last there is, and links followed so far. */
  readonly steps: { readonly at: number; readonly last: number; readonly links: number };
  /** The tour that is under way, and its step from 0; null = none. */
  readonly tour: { readonly id: TourId; readonly step: number } | null;
  readonly toasts: readonly Toast[];
  /** Something that is to survive a restart is not written yet. */
  readonly unsaved: boolean;
  /** Lost line to the engine; null = well. */
  readonly disconnected: string | null;
  /** Why nothing can be written to the library; null = it can be. */
  readonly unwritable: string | null;
}
