// Edits of a spec's budget as values, and what may be typed into its fields. What is at its default is not written.

import type { PreservedThinking } from '../../core/projection/binding/modes.ts';
import type { BudgetSpec, CapSpec } from '../../core/projection/budgetSpec.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { BudgetState } from '../../core/tokens/budget.ts';

/** A tier by name. */
export type Tier = BudgetState['tiers'][number]['tier'];

/** The reserves, under their names in a spec. */
export type Reserve = 'reserve_output' | 'injection_reserve';

/** Sets a reserve; 0 = none. Unit: tokens. */
export function setReserve(spec: ProjectionSpec, name: Reserve, tokens: number): ProjectionSpec {
  const { [name]: _old, ...rest } = spec.budget ?? {};
  return withBudget(spec, tokens === 0 ? rest : { ...rest, [name]: tokens });
}

/**
 * Says what requests hold that the transcript does not record; 0 or null = the policy says nothing of it, and recorded usage
 * decides where it can. Unit: tokens.
 */
export function setOverhead(spec: ProjectionSpec, tokens: number | null): ProjectionSpec {
  const { overhead: _old, ...rest } = spec.budget ?? {};
  return withBudget(spec, tokens === 0 || tokens === null ? rest : { ...rest, overhead: tokens });
}

/** The policy alone: what its requests hold that is not recorded is a fact of the session. */
export function withoutOverhead(spec: ProjectionSpec): ProjectionSpec {
  return spec.budget?.overhead === undefined ? spec : setOverhead(spec, null);
}

/** Another policy for the same session: its requests ask to treat thinking of other conversations as before. */
export function keepThinking(spec: ProjectionSpec, before: ProjectionSpec): ProjectionSpec {
  const asked = spec.preserved_thinking ?? before.preserved_thinking;
  return asked === undefined ? spec : { ...spec, preserved_thinking: asked };
}

/** Says how requests ask to treat thinking of other conversations; what is at its default is not written. */
export function setThinking(spec: ProjectionSpec, change: Partial<PreservedThinking>): ProjectionSpec {
  const { preserved_thinking: old, ...rest } = spec;
  const { mode, model = '', account_created = '' } = { mode: 'auto' as const, ...old, ...change };
  if (mode === 'auto' && model === '' && account_created === '') return rest;
  const said = { ...(model !== '' && { model }), ...(account_created !== '' && { account_created }) };
  return { ...rest, preserved_thinking: { mode, ...said } };
}

/** Caps a tier; null removes the cap. */
export function setCap(spec: ProjectionSpec, tier: Tier, cap: CapSpec | null): ProjectionSpec {
  const { caps: old = {}, ...rest } = spec.budget ?? {};
  const { [tier]: _old, ...others } = old;
  const caps = cap === null ? others : { ...old, [tier]: cap };
  return withBudget(spec, Object.keys(caps).length === 0 ? rest : { ...rest, caps });
}

function withBudget({ budget: _old, ...spec }: ProjectionSpec, budget: BudgetSpec): ProjectionSpec {
  return Object.keys(budget).length === 0 ? spec : { ...spec, budget };
}

/** A cap as typed: `30%`, `12,000`, `12k`; null if it is none. */
export function parseCap(text: string): CapSpec | null {
  const percent = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text)?.[1];
  if (percent !== undefined) return Number(percent) <= 100 ? `${Number(percent)}%` : null;
  const share = /^\s*(0?\.\d+)\s*$/.exec(text)?.[1];
  if (share !== undefined) return Number(share) > 0 ? Number(share) : null;
  return parseTokens(text);
}

const UNITS: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 };

/** Tokens as typed: `8000`, `8,000`, `8k`, `1.05M`; null if they are none. */
export function parseTokens(text: string): number | null {
  const found = /^\s*(\d[\d,_ ]*(?:\.\d+)?)\s*([km]?)\s*$/i.exec(text);
  const typed = Number((found?.[1] ?? 'none').replaceAll(/[,_ ]/g, ''));
  const value = typed * (UNITS[(found?.[2] ?? '').toLowerCase()] ?? 1);
  // 1.05 × 1,000,000 is not quite whole.
  const whole = Math.round(value);
  return Number.isSafeInteger(whole) && Math.abs(whole - value) < 1e-6 ? whole : null;
}

/** A cap as it is shown: `30%`, `12,000`. */
export function capText(cap: CapSpec): string {
  if (typeof cap === 'string') return cap.replace(/\s*%/, '%');
  return cap > 0 && cap < 1 ? `${Math.round(cap * 1000) / 10}%` : cap.toLocaleString('en');
}
