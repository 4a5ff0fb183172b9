// Sweeps of a policy's options, as the mode Tune shows them.

import type { RequestTokens } from '../insight/requestSums.ts';
import type { Aim, BrokenCondition } from '../insight/tune/aim.ts';
import type { CountedHow } from '../insight/tune/point.ts';
import type { VariedValue } from '../insight/tune/vary.ts';
import type { ProjectionSpec } from '../projection/types.ts';

export type { Aim, BrokenCondition } from '../insight/tune/aim.ts';
export type { VariedValue } from '../insight/tune/vary.ts';

/** Options that one sweep varies, and points that it goes through, at most. */
export const VARIED_MOST = 3;
export const SWEEP_POINTS_MOST = 1_000;

/** An option of the policy that can be varied. */
export interface TuneOption {
  /** Position of its stage in the spec. */
  readonly stage: number;
  readonly stageTitle: string;
  /** As a spec writes it, and as the screen calls it. */
  readonly option: string;
  readonly label: string;
  readonly unit?: string;
  readonly help: string;
  readonly now: VariedValue;
  /** Values to begin with, as they are typed: `critical` for numbers, else all there are. */
  readonly values: string;
}

/** An option that varies; `values` as they are typed: `4..64:4`, `4,8,16`, `critical`. */
export interface AskedVariation {
  readonly stage: number;
  readonly option: string;
  readonly values: string;
}

/** What a sweep is asked for. The same question is the same sweep: asked again it continues. */
export interface AskedSweep {
  /** Transcripts of the library, each once. */
  readonly ids: readonly string[];
  readonly spec: unknown;
  readonly vary: readonly AskedVariation[];
  /** Texts that requests should hold once they were said. */
  readonly keep: readonly string[];
  /** How many watchpoints the transcripts had when it was asked; they are watched too. The engine says so, whatever is sent. */
  readonly watched?: number;
  /** null = all points, none chosen. */
  readonly aim: Aim | null;
  /** Conditions; null = none. Tokens of the largest request's messages; uses. */
  readonly maxPeak: number | null;
  readonly maxUsesGone: number | null;
}

/** What a point comes to in one transcript. */
export interface SweptTranscript {
  readonly id: string;
  /** How tokens and cost are known. */
  readonly provenance: CountedHow;
  readonly tokens: RequestTokens;
  readonly cost: number | null;
  /** Requests that are not in the cost: no price is known of their model. */
  readonly unpriced: number;
  readonly cacheBreaks: number;
  readonly uses: number;
  readonly usesGone: number;
  readonly watchpointsGone: number;
  readonly firstOver: number | null;
  readonly over: number;
  readonly refused: number;
}

/** A point of a sweep. */
export interface SweptPoint extends Omit<SweptTranscript, 'id'> {
  /** In the order of `axes`. */
  readonly values: readonly VariedValue[];
  readonly spec: ProjectionSpec;
  /** Nothing beats it in cost (or tokens), uses gone and texts gone at once. */
  readonly front: boolean;
  readonly breaks: readonly BrokenCondition[];
  /** The best that the aim found, and whether projecting it by itself gave the same figures. */
  readonly best: boolean;
  readonly proved: boolean;
  /** Of several transcripts: each of them. */
  readonly transcripts: readonly SweptTranscript[];
}

/** An option with the values that it took. */
export interface SweptAxis {
  /** As exports name it: `reachability_gc.root_window`. */
  readonly name: string;
  readonly stage: number;
  readonly option: string;
  readonly label: string;
  readonly values: readonly VariedValue[];
}

/**
 * `running`; `stopped` = by a person or with the program, what was found is there; `done`; `failed` = see `failure`;
 * `outdated` = another version made it, and its figures may mean something else: only the question is given.
 */
export type SweepState = 'running' | 'stopped' | 'done' | 'failed' | 'outdated';

/** A sweep with what it has found. */
export interface SweepInfo {
  readonly sweepId: string;
  readonly asked: AskedSweep;
  readonly state: SweepState;
  readonly failure: string | null;
  /** ISO-8601. */
  readonly madeAt: string;
  readonly axes: readonly SweptAxis[];
  /** Points of the grid; null = not known yet. */
  readonly size: number | null;
  /** Of them those that were known from an earlier sweep. */
  readonly known: number;
  /** At most SWEEP_POINTS_MOST. */
  readonly points: readonly SweptPoint[];
  /** Texts to keep that no transcript says. */
  readonly unsaid: readonly string[];
  /** Threads at work. */
  readonly threads: number;
}

/** A kept sweep in the list. */
export interface SweepLine {
  readonly sweepId: string;
  readonly state: SweepState;
  readonly madeAt: string;
  readonly ids: readonly string[];
  /** Stage and option of what varied. */
  readonly vary: readonly AskedVariation[];
  readonly points: number;
  readonly size: number | null;
}
