// One line of the table of presets: a preset read for a transcript and a question, and how a request stands to its budget.
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { Preset } from '../../projection/presets.ts';
import type { PresetFigure, TokenFigure } from '../../protocol/types.ts';
import { type Budget, fitsTotal } from '../../tokens/budget.ts';
import type { Following } from '../callPoints.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../policyScopes.ts';
import type { Session } from '../session/session.ts';
import type { Tokenizing } from '../session/tokenizing.ts';
import type { Turn } from '../session/workQueue.ts';

/** What the table is asked, besides its presets. */
export interface TableQuestion {
  readonly session: Session;
  readonly at: number;
  readonly tokens: Tokenizing;
  /** In place of the window of the transcript's model, and of the presets'. */
  readonly window: number | null;
  /** Tokens of what the transcript does not record. */
  readonly overhead: number | null;
  /** Presets after recorded compaction, where any is recorded. */
  readonly after: boolean;
}

/** A preset under a question, on its turn. */
export interface Line extends Omit<Following, 'points'> {
  readonly preset: Preset;
  readonly at: number;
}

/** Reads a preset. A window chosen for this request stands above its own, as it does above that of any spec. */
export function lineOf(engine: Engine, question: TableQuestion, preset: Preset, turn: Turn): Line {
  const { session, at, tokens, window, overhead } = question;
  const { name, spec } = preset;
  // What the transcript does not record is the same under every policy.
  const same = { ...(window !== null && { window }), ...(overhead !== null && { overhead }) };
  const given = { ...spec, budget: { ...spec.budget, ...same } };
  const parsed = readSpecFor(engine, session.id, given);
  if (!parsed.ok) throw new Error(`preset ${name} is no valid spec: ${parsed.error.message}`);
  return { engine, session, tokens, preset, parsed: parsed.value, at, turn };
}

/** Names what figures under the preset depend on, besides the call point. */
export function keyOf({ session, tokens, parsed }: Line): string {
  const { state } = session.inputsFor(parsed.spec, { tokens });
  // Stages are given the counts of the tokenizer's name, figures are those of the question.
  return JSON.stringify([parsed.spec.stages, session.source.length, state, tokens.state, parsed.spec.budget]);
}

/** The line's figure. */
export function figureFrom(line: Line, tokens: TokenFigure, said: Pick<PresetFigure, 'blocked' | 'problem'>) {
  const { name, title, group = null, spec } = line.preset;
  return { name, title, group, spec, tokens, ...said, ...heldBy(budgetOf(line), tokens.total, besideIn(line)) };
}

/** What requests must fit, null where no window is known; and what they hold besides their messages. */
export function limitsOf(line: Line): { readonly budget: Budget | null; readonly beside: number } {
  return { budget: budgetOf(line), beside: besideIn(line) };
}

/** What a request may hold under the preset; null = the window is not known. */
function budgetOf({ session, tokens, parsed }: Pick<Line, 'session' | 'tokens' | 'parsed'>): Budget | null {
  return session.inputsFor(parsed.spec, { tokens }).budget;
}

function besideIn({ parsed, tokens }: { readonly parsed: ParsedSpec; readonly tokens: Tokenizing }): number {
  return tokens.besideWith(parsed.spec.budget?.overhead).total;
}

/** How messages that take so much stand to the budget. */
function heldBy(budget: Budget | null, messages: number, beside: number) {
  return { beside, total: budget?.total ?? null, fits: budget && fitsTotal(budget, messages + beside) };
}
