import type { Problem } from '../model/problem.ts';
import type { Fate, FateKind, Pausing, RedactionPointer, StageReport, View } from '../view/types.ts';
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

/** What became of source messages [0, at), said of each when it is asked for. */
export interface MessageFates {
  /** As the fate says, which need not be made for it. */
  kindOf(index: number): FateKind;
  /** How many messages have each kind. */
  counts(): Readonly<Record<FateKind, number>>;
  /** Source indices of the messages of these kinds, ascending. */
  indicesOf(...kinds: readonly FateKind[]): readonly number[];
  /** Throws RangeError if the call point is not behind the message, LeftFate if kept stages have moved on without it. */
  fateOf(index: number): Fate;
  /**
   * True if two messages that left the request as one kind left it for one cause: the same stage, rule and pointer; each
   * summary is a cause by itself. Their fates are made where the stage does not say it shorter.
   */
  areOfOneCause(a: number, b: number): boolean;
  /**
   * One more will ask for fates later on: kept stages make them all before they move on. False: they have moved on, and did
   * not. Whoever projects holds them, too.
   */
  hold(): boolean;
  /** One of those will ask for no more. */
  release(): void;
  /** Makes those nobody asked for yet, with pauses; ends early where kept stages move on meanwhile. */
  makeRest(): Pausing<void>;
}

/** The result of projecting a transcript at a call point. Pure and deterministic. */
export interface Projection {
  readonly at: number;
  readonly view: View;
  /** What became of each source message. */
  readonly said: MessageFates;
  /** One fate for each source message [0, at): all are made when they are first asked for. */
  readonly fates: readonly Fate[];
  readonly reports: readonly StageReport[];
  readonly problems: readonly Problem[];
  /** Source indices that are in the view, ascending. */
  /** This and the next two are made when they are first asked for. */
  readonly keptIndices: readonly number[];
  readonly droppedIndices: readonly number[];
  readonly redactedIndices: readonly number[];
  readonly pointers: readonly RedactionPointer[];
  readonly providerSafetyBlocked: boolean;
  /** What the provider makes of the signed thinking in it; null = it is not checked, or there is none. */
  readonly thinking: ThinkingOutcome | null;
}
