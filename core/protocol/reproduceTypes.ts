import type { WireTargetName } from './wireTypes.ts';

/** What a projection is written as; see core/reproduce. */
export const REPRODUCTION_NAMES = ['curl', 'python', 'typescript', 'vitest', 'pytest', 'settings'] as const;
export type ReproductionName = (typeof REPRODUCTION_NAMES)[number];

/** A projection to be written as something that runs. */
export interface ReproduceParams {
  readonly id: string;
  readonly spec: unknown;
  readonly at: number | null;
  readonly as: ReproductionName;
  /** Of calls; default: that of the recorded wire. */
  readonly target?: WireTargetName;
  readonly model?: string;
}

/** What was written. Scrubbed: decisions made before hold, candidates nobody decided about are masked. */
export interface ReproduceResult {
  readonly text: string;
  /** Places that were masked. */
  readonly masked: number;
  /** Sentences that go with it. */
  readonly notes: readonly string[];
}
