// Why a request differs from the one before it, over the protocol.
import type { CauseKind } from '../insight/request/change.ts';
import type { ThinkingCounts } from '../projection/binding/types.ts';
import type { Provenance } from './types.ts';

/** What one rule of one stage, or the growth of the history, does to a request. */
export interface RequestCause {
  readonly kind: CauseKind;
  /** Position in the spec; null = no stage decided. */
  readonly stage: number | null;
  readonly title: string | null;
  readonly rule: string | null;
  /** The stage's sentence of the first message: names threshold and value; empty = no stage decided. */
  readonly reason: string;
  /** Tokens more than in the request before; below 0 = fewer. */
  readonly tokens: number;
  /** Messages in the exact difference. */
  readonly messages: number;
  /** Source indices of the first and the last of them; null = none is a message of the transcript. */
  readonly first: number | null;
  readonly last: number | null;
}

/** Of a request and the one before it. Tokens are of the whole request: overhead, messages, loaded tools. */
export interface RequestChange {
  /** Source index of the answer; the transcript's length = the next request. */
  readonly at: number;
  /** The call point before; null = this is the first request. */
  readonly before: number | null;
  readonly tokens: { readonly before: number; readonly now: number; readonly provenance: Provenance };
  /** What the answers' usage records of the two requests that were made; null = nothing. */
  readonly recorded: { readonly before: number | null; readonly now: number | null };
  /** The largest first; together they are the difference of `tokens`. */
  readonly causes: readonly RequestCause[];
  /** Milliseconds between the two; null = not recorded. */
  readonly elapsed: number | null;
  /** Models that answered; null = not recorded, or nothing answered yet. */
  readonly models: { readonly before: string | null; readonly now: string | null };
  /** Signed thinking in the two; null = it is not checked, or there is none. */
  readonly thinking: { readonly before: ThinkingCounts | null; readonly now: ThinkingCounts | null };
}

/** One message of the exact difference; a `null` side = it is not there. */
export interface DifferenceLine {
  /** Source index; null = a stage wrote it. */
  readonly index: number | null;
  readonly role: string;
  readonly before: string | null;
  readonly now: string | null;
  /** Tokens more than before; below 0 = fewer. */
  readonly tokens: number;
}
