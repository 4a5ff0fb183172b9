// The budget of a spec: `{"window" or "model", "reserve_output", "injection_reserve", "overhead", "caps"}`. Source: seed of the
// reducer pipeline, "Resolved: budget shape"; `overhead` is this program's own.
import type { OverheadCounts } from '../model/overheadCounts.ts';
import { type Budget, type Cap, createBudget, DEFAULT_MARGIN, TIERS, type Tier } from '../tokens/budget.ts';
import { modelFacts } from '../tokens/models.ts';
import { overheadOf } from '../tokens/overhead.ts';
import { isRecord, ownAt } from '../util/unknown.ts';
import { describeValue } from '../view/optionReader.ts';

/** A cap as a spec writes it: tokens, a share as a decimal below 1, or `"30%"`. */
export type CapSpec = number | string;

/** The budget as a spec writes it. What is left out: the model's window, no reserves, no caps. Unit: tokens. */
export interface BudgetSpec {
  readonly window?: number;
  /** In place of a window: that of this model. */
  readonly model?: string;
  readonly reserve_output?: number;
  readonly injection_reserve?: number;
  /** Of what the transcript does not record, and requests hold all the same: system prompt, tools. */
  readonly overhead?: number;
  /** Share by which counts that are not the provider's may be too low, for the question whether a request fits. */
  readonly margin?: number;
  readonly caps?: Readonly<Partial<Record<Tier, CapSpec>>>;
}

type Report = (path: string, text: string) => void;

const NAMES = ['window', 'model', 'reserve_output', 'injection_reserve', 'overhead', 'margin', 'caps'];

/** Reads `budget` of a spec; faults go to `error`, names without effect to `warn`, with their paths. Null = none is set. */
export function readBudgetSpec(given: unknown, error: Report, warn: Report): BudgetSpec | null {
  if (given === undefined || given === null) return null;
  if (!isRecord(given)) {
    error('budget', `budget must be an object; given: ${describeValue(given)}.`);
    return null;
  }
  for (const name of Object.keys(given)) {
    if (!NAMES.includes(name))
      warn(`budget.${name}`, `${name} is not known and has no effect; known are ${NAMES.join(', ')}.`);
  }
  const window = readTokens(given, 'window', 1, error);
  const reserveOutput = readTokens(given, 'reserve_output', 0, error);
  const injectionReserve = readTokens(given, 'injection_reserve', 0, error);
  const overhead = readTokens(given, 'overhead', 0, error);
  const margin = readMargin(ownAt(given, 'margin'), error);
  const model = readModel(ownAt(given, 'model'), window, error);
  const caps = readCaps(ownAt(given, 'caps'), error);
  return {
    ...(window !== null && { window }),
    ...(model !== null && { model }),
    ...(reserveOutput !== null && { reserve_output: reserveOutput }),
    ...(injectionReserve !== null && { injection_reserve: injectionReserve }),
    ...(overhead !== null && { overhead }),
    ...(margin !== null && { margin }),
    ...(caps !== null && { caps }),
  };
}

function readTokens(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  min: number,
  error: Report,
): number | null {
  const value = ownAt(fields, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  error(`budget.${name}`, `${name} must be a whole number of tokens, ${min} or more; given: ${describeValue(value)}.`);
  return null;
}

function readMargin(value: unknown, error: Report): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  error('budget.margin', `margin must be a share from 0 to 1; given: ${describeValue(value)}.`);
  return null;
}

function readModel(value: unknown, window: number | null, error: Report): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') {
    error('budget.model', `model must be a string; given: ${describeValue(value)}.`);
    return null;
  }
  if (window !== null || modelFacts(value).window !== null) return value;
  error('budget.model', `The window of model ${describeValue(value)} is not known here; give budget.window.`);
  return null;
}

function readCaps(given: unknown, error: Report): NonNullable<BudgetSpec['caps']> | null {
  if (given === undefined || given === null) return null;
  if (!isRecord(given)) {
    error('budget.caps', `caps must be an object; given: ${describeValue(given)}.`);
    return null;
  }
  const caps: Partial<Record<Tier, CapSpec>> = {};
  for (const [name, value] of Object.entries(given)) {
    const tier = TIERS.find((each) => each === name);
    if (tier === undefined) {
      error(`budget.caps.${name}`, `Unknown tier ${name}. Accepted: ${TIERS.join(', ')}.`);
    } else if (value !== null && capOf(value) === null) {
      const accepted = 'a whole number of tokens, a share below 1 (0.3), or a percentage ("30%")';
      error(`budget.caps.${name}`, `A cap must be ${accepted}; given: ${describeValue(value)}.`);
    } else if (typeof value === 'number' || typeof value === 'string') caps[tier] = value;
  }
  return caps;
}

/** Reads a cap; null if it is none. */
export function capOf(value: unknown): Cap | null {
  if (typeof value === 'number') {
    if (value > 0 && value < 1) return { share: value };
    return Number.isSafeInteger(value) && value >= 0 ? { tokens: value } : null;
  }
  const percent = typeof value === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(value)?.[1] : undefined;
  const share = percent === undefined ? Number.NaN : Number(percent) / 100;
  return share >= 0 && share <= 1 ? { share } : null;
}

/** What decides the budget besides that of a spec. */
export interface WindowChoice {
  /** What is recorded apart from the messages; absent = nothing. */
  readonly beside?: OverheadCounts | undefined;
  /** What recorded usage says of the rest, where the spec says nothing; absent = nothing. */
  readonly unrecorded?: number | undefined;
  /** Whether counts are the provider's, or calibrated to be: then they need no margin. Absent = they are. */
  readonly estimated?: boolean | undefined;
  /** Chosen for this request; stands above the spec. */
  readonly chosen?: number | null | undefined;
  /** `window` of the spec, its older place. */
  readonly specWindow?: number | undefined;
  /** Of the transcript's model. */
  readonly own: number | null;
  /** That model; absent = not known. */
  readonly model?: string | undefined;
}

const NONE_RECORDED: OverheadCounts = { system: 0, tools: 0 };

/** The budget that a spec means; null = no window is known. */
export function resolveBudget(
  spec: BudgetSpec | undefined,
  { chosen, specWindow, own, model, beside = NONE_RECORDED, unrecorded, estimated = false }: WindowChoice,
): Budget | null {
  const modelWindow = spec?.model === undefined ? null : modelFacts(spec.model).window;
  const window = chosen ?? spec?.window ?? modelWindow ?? specWindow ?? own;
  if (window === null) return null;
  const caps: Partial<Record<Tier, Cap>> = {};
  for (const tier of TIERS) {
    const cap = capOf(spec?.caps?.[tier]);
    if (cap !== null) caps[tier] = cap;
  }
  return createBudget({
    window,
    reserveOutput: spec?.reserve_output ?? 0,
    injectionReserve: spec?.injection_reserve ?? 0,
    beside: overheadOf(beside, spec?.overhead ?? unrecorded),
    margin: estimated ? (spec?.margin ?? DEFAULT_MARGIN) : 0,
    caps,
    model: spec?.model ?? model,
  });
}
