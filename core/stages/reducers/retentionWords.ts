// The sentences of tool-result retention. What stays shares them: there are as many as there are ages.
import { keptBecause } from '../../view/fates.ts';
import type { Fate } from '../../view/types.ts';
import { countOf, grouped } from '../../view/words.ts';
import type { RetentionParams, RetentionRule } from './retentionRules.ts';

/** What was decided about one result: `kept` or `why` says it in words. */
export interface RetentionDecision {
  readonly part: number;
  readonly name: string | null;
  expired: boolean;
  /** Before its time, because of the tier's cap. */
  early?: boolean;
  kept?: Fate;
  why?: string;
}

// `expired: 7 ≥ 6 turns`, `expired: 2 ≥ 2 later results of search (rule of search)`.
function wordsFor(
  rule: RetentionRule,
  value: number,
  name: string | null,
  own: boolean,
  actedAt: number | null,
): string {
  return `expired: ${grouped(value)} ≥ ${thresholdOf(rule, name)}${whose(name, own)}${beat(actedAt)}`;
}

function thresholdOf(rule: RetentionRule, name: string | null): string {
  if (rule.mode === 'age') return countOf(rule.value, 'turn');
  return `${countOf(rule.value, 'later result')} of ${name ?? 'unknown calls'}`;
}

function whose(name: string | null, own: boolean): string {
  return own ? ` (rule of ${name})` : '';
}

function beat(actedAt: number | null): string {
  return actedAt === null ? '' : `, as of turn ${grouped(actedAt)}`;
}

/** Fates of results that stay, made once each. */
export class KeptDescriptions {
  /** The turn at which the stage acted last; null = it acts at every request. */
  readonly actedAt: number | null;
  readonly #stage: number;
  readonly #every: number;
  readonly #byRule = new Map<RetentionRule, Map<string | null, Fate[]>>();
  readonly #expired = new Map<RetentionRule, Map<string | null, string[]>>();
  readonly #never = new Map<string, Fate>();
  readonly #capped = new Map<Fate, { readonly after: number; readonly fate: Fate }>();
  #notDue: Fate | null = null;
  #already: Fate | null = null;

  constructor(stage: number, { every }: RetentionParams, actedAt: number | null) {
    this.#stage = stage;
    this.#every = every;
    this.actedAt = actedAt;
  }

  /** `expired: 7 ≥ 6 turns`. */
  expired(rule: RetentionRule, value: number, name: string | null, own: boolean): string {
    const key = own || rule.mode === 'count' ? name : null;
    const byName = this.#expired.get(rule) ?? new Map<string | null, string[]>();
    this.#expired.set(rule, byName);
    const sentences = byName.get(key) ?? [];
    byName.set(key, sentences);
    const said = sentences[value] ?? wordsFor(rule, value, name, own, this.actedAt);
    sentences[value] = said;
    return said;
  }

  /** `kept: younger than 6 turns (2)`. */
  young(rule: RetentionRule, value: number, name: string | null, own: boolean): Fate {
    const key = own || rule.mode === 'count' ? name : null;
    const byName = this.#byRule.get(rule) ?? new Map<string | null, Fate[]>();
    this.#byRule.set(rule, byName);
    const fates = byName.get(key) ?? [];
    byName.set(key, fates);
    const known = fates[value];
    if (known !== undefined) return known;
    const less = rule.mode === 'age' ? 'younger than' : 'fewer than';
    const reason = `kept: ${less} ${thresholdOf(rule, name)} (${grouped(value)})${whose(name, own)}${beat(this.actedAt)}`;
    const made = keptBecause(this.#stage, 'result_young', reason);
    fates[value] = made;
    return made;
  }

  /** The tool's results are durable, or all are. */
  never(name: string | null, own: boolean, isListed: boolean): Fate {
    const whom = own ? (name ?? '') : '';
    const known = this.#never.get(whom);
    if (known !== undefined) return known;
    const reason = own
      ? `kept: results of ${name} never expire (${isListed ? 'never_evict' : `rule of ${name}: never`})`
      : 'kept: results never expire (mode never)';
    const made = keptBecause(this.#stage, 'never_evict', reason);
    this.#never.set(whom, made);
    return made;
  }

  /** Younger than the last time the stage acted. */
  notDue(): Fate {
    const turns = `every ${countOf(this.#every, 'turn')}`;
    const last = this.actedAt ?? 0;
    const since = last === 0 ? 'has not yet' : `last at turn ${grouped(last)}, before this result`;
    const reason = `kept: retention acts ${turns}, ${since}; next at turn ${grouped(last + this.#every)}`;
    this.#notDue ??= keptBecause(this.#stage, 'result_not_due', reason);
    return this.#notDue;
  }

  /** The same fate with how the tier's cap stands to what is left. */
  underCap(fate: Fate, { cap, after }: { readonly cap: number; readonly after: number }): Fate {
    const known = this.#capped.get(fate);
    if (known?.after === after) return known.fate;
    const how = after <= cap ? '≤' : '>';
    const reason = `${fate.reason}; all results take ${grouped(after)} tokens ${how} their cap of ${grouped(cap)}`;
    const made = { ...fate, reason };
    this.#capped.set(fate, { after, fate: made });
    return made;
  }

  /** Nothing is left to take. */
  already(): Fate {
    const reason = 'kept: expired before, or without a body; nothing is left to take';
    this.#already ??= keptBecause(this.#stage, 'result_expired', reason);
    return this.#already;
  }
}
