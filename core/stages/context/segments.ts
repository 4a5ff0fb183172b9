// Room and segments: system ⊕ summary ⊕ history ⊕ pending, and what of the total each of them takes.
import type { Problem } from '../../model/problem.ts';
import { NO_OVERHEAD } from '../../tokens/overhead.ts';
import type { ViewReader } from '../../view/reader.ts';
import type { StageContext } from '../../view/types.ts';
import { grouped } from '../../view/words.ts';
import type { Estimator } from './entries.ts';
import { type ContextPolicyParams, modelWindow } from './params.ts';
import { pendingTokens } from './pending.ts';
import type { UsedSummary } from './summary.ts';

const DEFAULT_INPUT = 8000;

/** The two limits of a request, and what is in it besides history. Unit: tokens. */
export interface Room {
  /** max_input_tokens: the hard total. */
  readonly total: number;
  /** The total without what is kept free for the answer. May be below 0. */
  readonly budget: number;
  /** The system segment, with a system prompt that is recorded apart from the messages. */
  readonly system: number;
  readonly summary: number;
  readonly pending: number;
  /**
   * Tools and what is not recorded: of the model's window they take their part. A max_input_tokens of the policy's own
   * speaks of its segments, and tools are none.
   */
  readonly beside: number;
}

/** Tokens left for history within a limit. */
export function leftOf(limit: number, { system, summary, pending, beside }: Room): number {
  return limit - system - summary - pending - beside;
}

/** The room before it is known whether there is a summary, and what is to be said of it. */
export function roomOf(
  params: ContextPolicyParams,
  system: number,
  estimator: Estimator,
  context: StageContext,
): { readonly room: Room; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const total = params.maxInputTokens ?? ownWindow(params.model, context, problems);
  const budget = total - params.reserveOutputTokens;
  const pending = pendingTokens(params.pending, estimator);
  const { system: overheadSystem, total: overheadTotal } = context.budget?.beside ?? NO_OVERHEAD;
  const beside = params.maxInputTokens === null ? overheadTotal - overheadSystem : 0;
  const room = { total, budget, system: system + overheadSystem, summary: 0, pending, beside };
  if (budget <= 0) problems.push(noBudget(total, params.reserveOutputTokens));
  const overflow = overflowOf(room, params);
  return { room, problems: overflow === null ? problems : [...problems, overflow] };
}

function ownWindow(model: string | null, { budget }: StageContext, problems: Problem[]): number {
  const window = model === null || model === 'auto' ? (budget?.window ?? null) : modelWindow(model);
  if (window !== null) return window;
  const text = `The context window of the transcript’s model is not known: ${grouped(DEFAULT_INPUT)} tokens are taken for it.`;
  problems.push({ code: 'context.window_unknown', severity: 'warning', text });
  return DEFAULT_INPUT;
}

function noBudget(total: number, reserve: number): Problem {
  const text = `reserve_output_tokens (${grouped(reserve)}) leaves nothing of max_input_tokens (${grouped(total)}): only the last turns are shown, up to the hard total.`;
  return { code: 'context.no_budget', severity: 'warning', text };
}

function overflowOf(room: Room, { pending }: ContextPolicyParams): Problem | null {
  const free = Math.max(0, room.budget);
  const taken = room.system + room.beside;
  const tools = room.beside > 0 ? `, tools and what is not recorded ${grouped(room.beside)}` : '';
  if (taken > free) {
    const text = `The system segment takes ${grouped(room.system)} tokens${tools}, the budget is ${grouped(free)} (max_input_tokens − reserve_output_tokens). Nothing was projected.`;
    return { code: 'context.system_too_large', severity: 'error', text };
  }
  if (pending === null || taken + room.pending <= free) return null;
  const text = `What is pending takes ${grouped(room.pending)} tokens and must fit, but ${grouped(free - taken)} are left: the budget of ${grouped(free)} without the system segment of ${grouped(room.system)}${tools}. Nothing was projected.`;
  return { code: 'context.pending_too_large', severity: 'error', text };
}

/** Where the leading system messages end: they are the system segment. Summaries are none of them. */
export function systemEnd(reader: ViewReader, isSummary: (index: number) => boolean): number {
  let position = 0;
  for (; position < reader.length; position++) {
    const item = reader.item(position);
    if (item.kind === 'source' ? isSummary(item.index) : item.covers.to > item.covers.from) break;
    const { role } = reader.facts(position);
    if (role !== 'system' && role !== 'developer') break;
  }
  return position;
}

/** What the system segment takes. */
export function systemTokens(
  params: ContextPolicyParams,
  reader: ViewReader,
  end: number,
  estimator: Estimator,
): number {
  if (params.systemPrompt !== null) return estimator.text(params.systemPrompt);
  let tokens = 0;
  for (let position = 0; position < end; position++) tokens += estimator.item(reader.item(position));
  return tokens;
}

/** Tokens of the summary that is used; null if it does not fit beside system and pending. */
export function summaryTokens(used: UsedSummary, room: Room, estimator: Estimator): number | null {
  const tokens = used.kind === 'artifact' ? estimator.text(used.text) : estimator.item(used.item);
  return tokens <= leftOf(room.budget, room) ? tokens : null;
}
