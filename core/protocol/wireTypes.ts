import type { Problem } from '../model/problem.ts';
import type { TokenFigure } from './types.ts';

/** The requests that can be written. */
export type WireTargetName = 'anthropic' | 'openai' | 'responses' | 'gemini';

/** What is to be written: the projection at a call point as the body of a request. */
export interface WireParams {
  readonly id: string;
  readonly spec: unknown;
  readonly at: number | null;
  readonly target: WireTargetName;
  /** Default: the transcript's, where it is of that vendor. */
  readonly model?: string | null;
  /** Tokens of the answer. */
  readonly maxTokens?: number | null;
  /**
   * Leave out fields that the target's published types do not know, also where the history was recorded on that wire.
   * Default: true if the spec ends with provider hygiene.
   */
  readonly strict?: boolean | null;
}

/** Something the request does not carry as the history has it. */
export interface WireLossInfo {
  readonly kind: string;
  readonly how: 'left_out' | 'changed';
  /** Source index; null for messages that no one wrote, for system and tools. */
  readonly index: number | null;
  /** Where in the message, e.g. `content[2].signature`. */
  readonly path: string;
  readonly text: string;
}

/** What the provider would refuse of the request as it is. */
export interface WireFindingInfo {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly index: number | null;
}

/** A request, to look at. */
export interface WireInfo {
  readonly target: WireTargetName;
  readonly title: string;
  readonly url: string;
  readonly model: string;
  /** Beginning of the JSON: whole messages, long texts shortened. */
  readonly json: string;
  /** Messages (or items) in `json`, and in all; texts that were shortened. */
  readonly shown: { readonly messages: number; readonly of: number; readonly shortened: number };
  /** Of the whole, in UTF-8. */
  readonly bytes: number;
  /** Of the messages. */
  readonly tokens: TokenFigure;
  readonly strict: boolean;
  /** Values the transcript does not record, chosen here. */
  readonly chosen: readonly { readonly field: string; readonly value: string; readonly why: string }[];
  /** The first 500. */
  readonly losses: readonly WireLossInfo[];
  readonly lossKinds: readonly { readonly kind: string; readonly count: number }[];
  /** The first 200. */
  readonly findings: readonly WireFindingInfo[];
  readonly findingCounts: { readonly error: number; readonly warning: number; readonly info: number };
  /** Of the projection. */
  readonly problems: readonly Problem[];
}
