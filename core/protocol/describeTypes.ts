// What there is to project with: kinds of stages, presets, models.
import type { ProjectionSpec } from '../projection/types.ts';
import type { StageTraits } from '../view/stageTraits.ts';
import type { KeepsThinking, ParamSchema } from '../view/types.ts';

/** A stage kind as the policy panel needs it. */
export interface StageInfo {
  readonly kind: string;
  readonly family: string;
  readonly title: string;
  readonly help: string;
  readonly params: readonly ParamSchema[];
  /** What it leaves of the conversation that thinking blocks are bound to, with its options at their defaults. */
  readonly keepsThinking: KeepsThinking;
  readonly traits: StageTraits;
}

export interface PresetInfo {
  readonly name: string;
  readonly title: string;
  readonly help: string;
  /** Whose rules it has: a heading for lists. */
  readonly group?: string;
  readonly spec: ProjectionSpec;
}

export interface ModelInfo {
  readonly id: string;
  readonly title: string;
  readonly window: number;
  readonly tokenizer: string;
  readonly exact: boolean;
}
