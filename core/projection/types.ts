import type { Problem } from '../model/problem.ts';
import type { Fate, RedactionPointer, StageReport, View } from '../view/types.ts';
import type { PreservedThinking } from './binding/setting.ts';
import type { ThinkingOutcome } from './binding/types.ts';
import type { BudgetSpec } from './budgetSpec.ts';

/** One step of a spec. `options` keeps the user's own names and values; parsing fills defaults. */
export interface StageSpec {
  readonly kind: string;
  readonly enabled?: boolean;
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * A projection spec, version 1: stages in order, tokenizer and window. A bare Harn option (`"clean_tool_repair"`,
 * `{policy: …}`) is accepted wherever a spec is and means one stage.
 */
export interface ProjectionSpec {
  readonly version: 1;
  readonly name?: string;
  readonly stages: readonly StageSpec[];
  /** Tokenizer id, or absent = by the transcript's model. */
  readonly tokenizer?: string;
  /** Context window in tokens for the budget, or absent = by the transcript's model. `budget.window` stands above it. */
  readonly window?: number;
  /** What the request may hold; absent = the window without reserves and caps. */
  readonly budget?: BudgetSpec;
  /** What requests ask of the provider for thinking that is bound to another conversation; absent = `auto`. */
  readonly preserved_thinking?: PreservedThinking;
}

/** The result of projecting a transcript at a call point. Pure and deterministic. */
export interface Projection {
  readonly at: number;
  readonly view: View;
  /** One fate for each source message [0, at). */
  readonly fates: readonly Fate[];
  readonly reports: readonly StageReport[];
  readonly problems: readonly Problem[];
  /** Source indices that are in the view, ascending. */
  readonly keptIndices: readonly number[];
  readonly droppedIndices: readonly number[];
  readonly redactedIndices: readonly number[];
  readonly pointers: readonly RedactionPointer[];
  readonly providerSafetyBlocked: boolean;
  /** What the provider makes of the signed thinking in it; null = it is not checked, or there is none. */
  readonly thinking: ThinkingOutcome | null;
}
