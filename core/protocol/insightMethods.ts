import type { SurvivalClass } from '../insight/autopsy/types.ts';
import type * as A from './autopsyTypes.ts';
import type * as K from './checkTypes.ts';
import type * as C from './compareTypes.ts';
import type * as S from './tuneTypes.ts';
import type * as T from './types.ts';
import type * as W from './watchTypes.ts';

/** The part of {@link Methods} that asks what mattered: uses, keep, findings, two policies, sweeps, compactions. */
export interface InsightMethods {
  /** The texts watched in a transcript, in their order. */
  'watch.list': { params: { readonly id: string }; result: W.Watchpoints };
  /**
   * Watches another text; one that is watched already, compared the same way, stays as it is. Without a colour it gets the one
   * used least. Of a message the longest text is watched, cut at {@link W.WATCHED_CHARS} characters. Errors: `watch.empty`,
   * `watch.too_many`, `transcript.no_such_place`.
   */
  'watch.add': {
    params: W.NewWatchpoint & { readonly id: string };
    result: W.Watchpoints & { readonly watchpoint: string };
  };
  /** Names, colours or moves a watchpoint; what is left out stays. Error: `watch.unknown`. */
  'watch.set': {
    params: {
      readonly id: string;
      readonly watchpoint: string;
      /** null = called by its text. */
      readonly name?: string | null;
      readonly color?: number;
      readonly position?: number;
    };
    result: W.Watchpoints;
  };
  /** Watches a text no longer. Error: `watch.unknown`. */
  'watch.remove': { params: { readonly id: string; readonly watchpoint: string }; result: W.Watchpoints };
  /**
   * What became of each watched text at every call point, in one walk in the background. Another policy, or other texts, asked
   * for by the same client end this, which fails with `request.superseded`.
   */
  'watch.states': { params: { readonly id: string; readonly spec: unknown }; result: W.WatchedTexts };
  /** The options of a policy that can be varied: numbers, switches and choices of the stages that are on. */
  'tune.options': {
    params: { readonly id: string; readonly spec: unknown };
    result: { readonly options: readonly S.TuneOption[] };
  };
  /**
   * Tries a policy with other values, in threads; one sweep at a time, a newer one stops the older. Reported by `tune` events;
   * what is finished is kept in the library, and is not computed again. Error: `tune.refused`, in words.
   */
  'tune.start': { params: S.AskedSweep; result: { readonly sweepId: string } };
  /** Ends a sweep; what it found stays. */
  'tune.stop': { params: { readonly sweepId: string }; result: Record<string, never> };
  /** A sweep with its points so far. Error: `tune.unknown`. */
  'tune.get': { params: { readonly sweepId: string }; result: S.SweepInfo };
  /** The kept sweeps, the latest first; of one transcript, or (null) all. */
  'tune.list': { params: { readonly id: string | null }; result: { readonly sweeps: readonly S.SweepLine[] } };
  /** Takes a sweep out of the library. */
  'tune.remove': { params: { readonly sweepId: string }; result: Record<string, never> };
  /** Its points as a file's text, as `parallax tune` writes them, and a name for the file. Error: `tune.unknown`. */
  'tune.export': {
    params: { readonly sweepId: string; readonly format: 'csv' | 'ndjson' };
    result: { readonly name: string; readonly text: string };
  };
  /** Reads a file of rules (docs/check.md), YAML or JSON: its rules, or what is wrong with it, by line. */
  'check.read': {
    params: { readonly rules: string; readonly baseline: string | null };
    result: K.ReadRulesInfo;
  };
  /** The baselines beside a file of rules; `text` null = there is no such file. Error: `file.unreadable`. */
  'check.baseline': {
    params: { readonly path: string };
    result: { readonly name: string; readonly text: string | null };
  };
  /**
   * The text of a file of baselines with what a run found (`CheckedInfo.baseline`): what `parallax check --update` writes. Error:
   * `baseline.invalid`.
   */
  'check.record': {
    params: { readonly baseline: string | null; readonly found: readonly K.NewRecords[] };
    result: { readonly text: string };
  };
  /**
   * Holds rules against transcripts, in threads: what `parallax check` finds. `check` events say how far it is. Another run of
   * the client, or `check.stop`, ends it: `request.superseded`. Errors: `rules.invalid`, `baseline.invalid`,
   * `transcript.unknown`.
   */
  'check.run': { params: K.AskedCheck; result: K.CheckResult };
  'check.stop': { params: Record<string, never>; result: Record<string, never> };
  /** Holds one rule (its position) against a transcript under other policies, in their order. Superseded by the next. */
  'check.under': {
    params: K.GivenRules & { readonly id: string; readonly rule: number; readonly specs: readonly unknown[] };
    result: { readonly tried: readonly K.TriedPolicy[] };
  };
  /**
   * Changes of the policy that a rule (its position) failed under with which it passes, each held against it. What takes long is left
   * out unless `all` is asked for. Superseded by the next.
   */
  'check.passing': {
    params: K.GivenRules & {
      readonly id: string;
      readonly rule: number;
      readonly spec: unknown;
      readonly all: boolean;
    };
    result: K.PassingChanges;
  };
  /**
   * From now on transcripts are looked through in the background, as they come: their lines in the list have figures and
   * findings then (`survey`). Jobs of kind `survey` say how far that is; `looks` = there is one, or one begins.
   */
  'survey.start': { params: Record<string, never>; result: { readonly looks: boolean } };
  /** Ends it, until somebody asks again; what was found stays. */
  'survey.stop': { params: Record<string, never>; result: Record<string, never> };
  /**
   * Figures of the transcripts that a filter of the list lets through (docs/filter.md), by day, project, model and tool.
   * `zone` = the time zone whose days are meant. Error: `library.no_such_zone`.
   */
  'library.stats': {
    params: { readonly filter: string; readonly facets?: T.AskedFacets; readonly zone: string };
    result: T.StatsInfo;
  };
  /**
   * What a session forgot and fetched again, broke, pointed to in vain or lost, dearest first. Another policy asked for by
   * the same client ends this, which fails with `request.superseded`.
   */
  'findings.session': { params: { readonly id: string; readonly spec: unknown }; result: T.SessionFindings };
  /**
   * The presets, and those of the `policies` a person saved, under which one of them would not have happened. Of the latter a
   * policy that cannot run on the session is in `failed`, with why. Error: `findings.unknown`. Superseded by the next.
   */
  'findings.preventedBy': {
    params: Pick<T.FindingInfo, 'kind' | 'at' | 'evidence'> & {
      readonly id: string;
      readonly spec: unknown;
      readonly policies?: readonly { readonly name: string; readonly spec: unknown }[];
    };
    result: {
      readonly presets: readonly { readonly name: string; readonly title: string }[];
      readonly saved: readonly string[];
      readonly failed: readonly { readonly name: string; readonly error: string }[];
    };
  };
  /**
   * The changes of a policy that would keep a message or a text in the request at a call point, each proved by projections.
   * Another question of the same client ends this, which fails with `request.superseded`. Error: `transcript.no_such_place`.
   */
  'keep.find': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly at: number | null;
      readonly message?: number;
      readonly text?: string;
      readonly matchCase?: boolean;
      readonly wholeWord?: boolean;
    };
    result: T.KeepFound;
  };
  /**
   * The ways to pin a message, each proved by a projection; `words` = those of it that were chosen, else null. Superseded by the
   * next. Error: `transcript.no_such_place`.
   */
  'keep.pins': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly at: number | null;
      readonly message: number;
      readonly words: string | null;
    };
    result: { readonly choices: readonly T.PinChoice[] };
  };
  /** What a changed policy costs and saves against the policy, over all requests and in the one at a call point. Superseded by one against another policy. */
  'keep.price': {
    params: { readonly id: string; readonly spec: unknown; readonly changed: unknown; readonly at: number | null };
    result: T.KeepPrice;
  };
  /**
   * The requests of two policies at one call point, message by message, and the rows [rows.from, rows.to) of them. Long runs of
   * equal messages are one row, but for those that an `open` span of lines touches.
   */
  'compare.set': {
    params: {
      readonly id: string;
      readonly a: unknown;
      readonly b: unknown;
      readonly at: number | null;
      readonly open?: readonly { readonly from: number; readonly to: number }[];
      readonly rows?: { readonly from: number; readonly to: number };
    };
    result: C.ComparedInfo;
  };
  /** At most 500 rows. Error: `compare.unknown`; the client sets the comparison again. */
  'compare.rows': {
    params: { readonly comparisonId: string; readonly from: number; readonly to: number };
    result: C.ComparedRowWindow;
  };
  /** The next line in a direction at which a run of differences begins; null = there is none. */
  'compare.next': {
    params: { readonly comparisonId: string; readonly line: number; readonly direction: 1 | -1 };
    result: { readonly next: { readonly line: number; readonly row: number } | null };
  };
  /** Messages [from, to) that differ, at most 500; `used` = only those that later messages relied on. */
  'compare.messages': {
    params: {
      readonly comparisonId: string;
      readonly kind: C.ComparedKind;
      readonly used: boolean;
      readonly from: number;
      readonly to: number;
    };
    result: C.ComparedMessages;
  };
  /** Both texts of a line. Error: `compare.no_such_line`. */
  'compare.texts': { params: { readonly comparisonId: string; readonly line: number }; result: C.ComparedTexts };
  /**
   * Two policies along the session, in the background: sums, and where their requests differ. How far it is comes as `compare`
   * events. Another pair asked for by the same client, or `compare.stop`, ends it: `request.superseded`.
   */
  'compare.along': {
    params: { readonly id: string; readonly a: unknown; readonly b: unknown };
    result: C.ComparedAlong;
  };
  'compare.stop': { params: Record<string, never>; result: Record<string, never> };
  /**
   * What each compaction lost, recorded ones and summaries that stages put in place, in the background. Another policy asked for by
   * the same client ends it: `request.superseded`.
   */
  'autopsy.session': { params: { readonly id: string; readonly spec: unknown }; result: A.SessionAutopsies };
  /** Items [from, to) that did not survive a compaction, at most 500; `class` null = of all classes. Error: `autopsy.no_such_compaction`. */
  'autopsy.lost': {
    params: {
      readonly id: string;
      readonly spec: unknown;
      readonly compaction: number;
      readonly class: SurvivalClass | null;
      readonly used: boolean;
      readonly from: number;
      readonly to: number;
    };
    result: A.LostPage;
  };
  /**
   * What later messages relied on in this one, and what it relied on itself, with whether their requests held it. The first
   * 50 each. Another policy asked for by the same client ends this, which fails with `request.superseded`.
   */
  'uses.message': {
    params: { readonly id: string; readonly spec: unknown; readonly index: number };
    result: T.MessageUses;
  };
  /** How much of a session was looked through for uses, 0 to 1: who waits for them asks. Before anybody waits it is 0. */
  'uses.progress': { params: { readonly id: string }; result: { readonly share: number } };
  /** All uses of a session under a policy in figures; superseded as `uses.message`. */
  'uses.session': { params: { readonly id: string; readonly spec: unknown }; result: T.SessionUses };
  /** The messages that this one relied on, and all that relied on it later; superseded as `uses.message`. */
  'uses.trail': {
    params: { readonly id: string; readonly spec: unknown; readonly index: number };
    result: T.UseTrail;
  };
  /**
   * What uses say of the rows of these messages (source indices, 1,000 at most); rows without uses are left out. Superseded
   * as `uses.message`.
   */
  'uses.rows': {
    params: { readonly id: string; readonly spec: unknown; readonly messages: readonly number[] };
    result: { readonly rows: readonly T.UsedRow[] };
  };
}
