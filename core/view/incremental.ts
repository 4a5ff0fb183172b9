// A stage as it is written: one form for a call point and for all of them. From one call point to the next a view gains
// the messages in between and changes in a few places; a stage keeps what it knows of the view, and says what is different.
// Its projection at one call point is derived: a fresh stage, one step from nothing, its output read
// out (core/view/runningStage.ts).
//
// How to write one: keep what you know of the view in fields. At each step look at `input.changed` (cells that gained,
// lost or changed items, with what they held) and at what the call point moves (a window that slides), and report to the
// overlay what differs from the step before: `replace` or `pass` for cells, `fate` for messages. Everything you do
// not name stays as it was. Cost: what changed, not how long the view is. In the step from nothing `input.whole` is the
// whole view: read it in one pass, and pause (`yield PAUSE`) every PAUSE_EVERY messages.
import type { CellSpan, LiveView } from './liveView.ts';
import type { Overlay } from './overlay.ts';
import type { Fate, StageAnswer, StageContext, StageEffect, StageReport } from './types.ts';

/** What a stage may use on its way along the call points: as for one, without the call point. */
export interface IncrementalContext extends Omit<StageContext, 'at'> {
  /**
   * How many messages views have cells for: the transcript may grow so far while the stage is kept. Absent = as many as it
   * has. What is held by cell is this long, not as long as the transcript.
   */
  readonly room?: number;
}

/** How many messages views have cells for. */
export function roomOf({ room, source }: Pick<IncrementalContext, 'room' | 'source'>): number {
  return room ?? source.length;
}

/** A step that asks its host for something, or pauses: resumed with the answer. */
export type IncrementalSteps = Generator<StageEffect, void, StageAnswer>;

/** What a stage did at the call point it is at, as far as the frame knows it. */
export interface StageDone {
  /** Messages that it touches, by kind; empty while it is refused. */
  readonly counts: StageReport['counts'];
  /** How many messages it touches, or would touch if it were not refused. */
  readonly touched: number;
  /** The signed message for which provider safety refuses it; null = it is not refused. */
  readonly blockedBy: number | null;
}

/** What a stage itself says in its report; the frame adds who it is, the counts and what blocks it. */
export type ReportDetails = Pick<StageReport, 'summary'> &
  Partial<
    Pick<
      StageReport,
      | 'reason'
      | 'reclaimedChars'
      | 'reclaimedTokens'
      | 'rootsConsulted'
      | 'problems'
      | 'needsSummary'
      | 'meta'
      | 'sources'
    >
  >;

/** A stage on its way along the call points, in ascending order. Deterministic: any way to a call point ends alike. */
export interface IncrementalRun {
  /** Refuses everything while it would touch signed reasoning (Harn's provider safety): the overlay sees to that. */
  readonly respectsSignatures?: boolean;
  /** True while its next step would begin it again: then it is rather opened over the whole view. Absent = never. */
  readonly beginsAgain?: boolean;
  /** The signed message for which a decision that it takes over was refused, at the call point it is at. Absent = none. */
  readonly blockedBy?: number | null;
  /**
   * Cells of its input that it will not give again, whatever they hold, while turns stay: behind the step before. What
   * earlier stages would make of them is not worked out until somebody asks. Absent = none.
   */
  readonly gone?: CellSpan | null;
  /** Where turns begin in its input they begin in its output. Absent = not always. */
  readonly keepsTurns?: boolean;
  /** What it says and gives of a message depends on no words, but for those that it gives of that message. Absent = it may. */
  readonly readsNoWords?: boolean;
  /** It gives messages that are not in its input. Absent = never. */
  readonly putsBack?: boolean;
  /**
   * Takes other options of its kind on its way: from the next step on, which is cell by cell, it is as if it had been begun
   * with them. False = it stays as it is, and is to be begun again. Absent = always so.
   */
  reconfigure?(params: object): boolean;
  /** From the next step on nobody needs what it gives in these cells, until `renew`; null = all is needed. */
  leaveOut?(span: CellSpan | null): void;
  /** Brings a cell that was left out up to date, as of the last step. */
  renew?(cell: number, overlay: Overlay): void;
  /**
   * Moves on to the next call point: `input` is the view there, `input.changed` what is different. A generator where a step
   * may be long, or needs the host.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most are plain functions
  step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps | void;
  /**
   * What the stage says of a message at the call point it is at, if it touches it, or explains it with more than that
   * it is not concerned. Made when it is asked for. null = nothing to say.
   */
  fateOf(index: number): Fate | null;
  /** All that {@link fateOf} would say, of a stage that holds it anyway: then it is not asked of each. Absent = it does not. */
  fates?(): ReadonlyMap<number, Fate> | undefined;
  /** Names the messages that stay, and of which {@link fateOf} says why whatever later stages say. Absent = none. */
  named?(name: (index: number) => void): void;
  /**
   * Why a message goes, in short, for whoever parts long runs by it: of two that it takes out as one kind, answers are equal
   * where their fates have one rule and one pointer (of summarised ones: one reason). Absent, null = ask their fates.
   */
  causeOf?(index: number): string | null;
  /** Why a message of the input that it does not touch stays: which rule, with which value. Cheap: share fates. */
  explain(index: number): Fate;
  /** What it reports at the call point it is at. */
  report(done: StageDone): ReportDetails;
}
