// One line of the table of presets: a preset read for a transcript and a question, and how a request stands to its budget.

import type { PreservedThinking } from '../../projection/binding/setting.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { Preset } from '../../projection/presets.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { PresetFigure, TokenFigure } from '../../protocol/types.ts';
import { type Budget, fitsTotal } from '../../tokens/budget.ts';
import { ok, type Result } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { readSpecFor } from '../library/policyScopes.ts';
import type { Following } from '../session/callPoints.ts';
import { readSpec } from '../session/projecting.ts';
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
  /** How requests ask to treat thinking of other conversations; null = as each policy says. */
  readonly thinking: PreservedThinking | null;
  /** Presets after recorded compaction, where any is recorded. */
  readonly after: boolean;
  /** Policies of the person's, before the presets. */
  readonly policies: readonly NamedPolicy[];
}

/** A policy of the table: a preset, or one of the person's, whose spec is not read yet. */
export interface NamedPolicy extends Pick<Preset, 'name' | 'title' | 'group'> {
  readonly spec: unknown;
}

/** A policy under a question, on its turn. */
export interface Line extends Omit<Following, 'points'> {
  readonly preset: Preset;
  readonly at: number;
}

/**
 * Reads a policy. A window chosen for this request stands above its own, as it does above that of any spec. Error:
 * `spec.invalid`.
 */
export function lineOf(
  engine: Engine,
  question: TableQuestion,
  policy: NamedPolicy,
  turn: Turn,
): Result<Line, ProtocolError> {
  const { session, at, tokens, window, overhead, thinking } = question;
  const own = readSpec(policy.spec);
  if (!own.ok) return own;
  const { spec } = own.value;
  // What the transcript does not record is the same under every policy.
  const same = { ...(window !== null && { window }), ...(overhead !== null && { overhead }) };
  const asked = thinking === null ? {} : { preserved_thinking: thinking };
  const given = { ...spec, ...asked, budget: { ...spec.budget, ...same } };
  const parsed = readSpecFor(engine, session.id, given);
  if (!parsed.ok) return parsed;
  return ok({ engine, session, tokens, preset: { ...policy, spec, help: '' }, parsed: parsed.value, at, turn });
}

/** Names what figures under the preset depend on, besides the call point. */
export function keyOf({ session, tokens, parsed }: Line): string {
  const { state, binding } = session.inputsFor(parsed.spec, { tokens });
  const checked = binding?.key ?? null;
  // Stages are given the counts of the tokenizer's name, figures are those of the question.
  return JSON.stringify([parsed.spec.stages, session.source.length, state, tokens.state, parsed.spec.budget, checked]);
}

/** Of a policy that does not run: why. */
export function failedFigure({ name, title, group }: NamedPolicy, why: ProtocolError): PresetFigure {
  const spec: ProjectionSpec = { version: 1, stages: [] };
  const nothing = { tokens: null, beside: 0, blocked: false, total: null, fits: null, thinking: null };
  return { name, title, group: group ?? null, spec, ...nothing, problem: why.message };
}

/** What a request holds: its messages, and the tools that they load. */
export interface RequestTokens {
  readonly tokens: TokenFigure;
  readonly loaded: number;
}

/** The line's figure. */
export function figureFrom(
  line: Line,
  { tokens, loaded }: RequestTokens,
  said: Pick<PresetFigure, 'blocked' | 'problem' | 'thinking'>,
) {
  return { ...namesOf(line), tokens, ...said, ...heldBy(budgetOf(line), tokens.total, overheadIn(line) + loaded) };
}

/** Whose line it is. Two policies of a table may have the same stages. */
export function namesOf({ preset: { name, title, group, spec } }: Line) {
  return { name, title, group: group ?? null, spec };
}

/** What requests must fit, null where no window is known; and what all of them hold besides their messages. */
export function limitsOf(line: Line): { readonly budget: Budget | null; readonly beside: number } {
  return { budget: budgetOf(line), beside: overheadIn(line) };
}

/** What a request may hold under the preset; null = the window is not known. */
function budgetOf({ session, tokens, parsed }: Pick<Line, 'session' | 'tokens' | 'parsed'>): Budget | null {
  return session.inputsFor(parsed.spec, { tokens }).budget;
}

function overheadIn({ parsed, tokens }: { readonly parsed: ParsedSpec; readonly tokens: Tokenizing }): number {
  return tokens.besideWith(parsed.spec.budget?.overhead).total;
}

/** How messages that take so much stand to the budget. */
function heldBy(budget: Budget | null, messages: number, beside: number) {
  return { beside, total: budget?.total ?? null, fits: budget && fitsTotal(budget, messages + beside) };
}
