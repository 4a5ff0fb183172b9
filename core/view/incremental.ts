// The projection at all call points at once. From one call point to the next a view gains the messages in between and
// changes in a few places; a stage that can follow such changes need not run anew thousands of times. It offers an
// incremental form beside `run`, which stays the truth: a test compares the two at every call point.
//
// How to write one: keep what you know of the view in fields. At each step look at `input.changed` (cells that gained,
// lost or changed items, with what they held) and at what the call point moves (a window that slides), and tell the
// overlay what is different from the step before: `replace` or `pass` for cells, `fate` for messages. Everything you do
// not name stays as it was. Cost: what changed, not how long the view is.
import type { LiveView } from './liveView.ts';
import type { Overlay } from './overlay.ts';
import type { Fate, StageAnswer, StageContext, StageEffect } from './types.ts';

/** What a stage may use on its way along the call points: as for one, without the call point. */
export type IncrementalContext = Omit<StageContext, 'at'>;

/** A step that asks its host for something, or pauses: resumed with the answer. */
export type IncrementalSteps = Generator<StageEffect, void, StageAnswer>;

/** A stage on its way along the call points, in ascending order. Deterministic; equal to `run` at each of them. */
export interface IncrementalRun {
  /** Refuses everything while it would touch signed reasoning (Harn's provider safety): the overlay sees to that. */
  readonly respectsSignatures?: boolean;
  /** Long preparations over the whole transcript, in small pieces: yields often, so that others are answered. */
  prepare?(): Generator<void, void, void>;
  /**
   * Moves on to the next call point: `input` is the view there, `input.changed` what is different. A generator where a step
   * may be long, or needs the host.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: most are plain functions
  step(input: LiveView, at: number, overlay: Overlay): IncrementalSteps | void;
  /**
   * What the stage says of a message at the call point it stands at, if it touches it, or explains it with more than that
   * it is not concerned. Asked seldom: for a message that broke the cache. null = nothing to say.
   */
  fateOf(index: number): Fate | null;
}
