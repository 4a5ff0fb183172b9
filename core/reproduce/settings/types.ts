import type { StageDefinition } from '../../view/types.ts';

/** Whose settings there are. */
export type SettingsVendor = 'anthropic' | 'openai' | 'langchain' | 'ai-sdk';

/** A stage that a vendor's settings do not say, and why. */
export interface Unsaid {
  /** Position in the spec. */
  readonly stage: number;
  readonly title: string;
  readonly why: string;
}

/** A policy in one vendor's own settings. */
export interface VendorSettings {
  readonly vendor: SettingsVendor;
  readonly title: string;
  readonly language: 'json' | 'typescript';
  /** Null: no stage can be said. */
  readonly code: string | null;
  /** What goes with the code, and where it differs from the stage. Sentences. */
  readonly notes: readonly string[];
  readonly unsaid: readonly Unsaid[];
}

/** An enabled stage of a spec. */
export interface SettingStage {
  readonly position: number;
  readonly kind: string;
  readonly title: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What a vendor can say of a stage: code, and where it differs. */
export interface Said<T> {
  readonly value: T;
  readonly notes?: readonly string[];
}

/** The options of a stage as its definition reads them; null if the stage is another one, or its options are in error. */
export function paramsOf<P>(stage: SettingStage, definition: StageDefinition<P>): P | null {
  return stage.kind === definition.kind ? definition.parse(stage.options).params : null;
}
