// What an outcome rests on: where along the requests a rule holds, what was found and where. Read out of the very facts
// that the rule was held against: nothing is computed a second time.
import type { TextState } from '../insight/text/types.ts';
import { kindTitle } from '../scrub/kinds.ts';
import { fitsTotal } from '../tokens/budget.ts';
import { grouped } from '../view/words.ts';
import { countedUpTo, fitsState, isWantedSecret, refusalKey, requestsAt, textKey, windowOf } from './judge.ts';
import {
  atOf,
  countedTo,
  maxOf,
  percent,
  ruleText,
  secretsOf,
  shareOf,
  tokensAt,
  upToText,
  whereText,
} from './ruleText.ts';
import type { Rule } from './schema.ts';
import type { BaselineRecord, CheckedText, SessionFacts } from './types.ts';

/**
 * What is so at a request: of a text its state; `within`, `over` = of a limit that each request is held against; `counted` =
 * something there counts against the rule, `clear` = nothing there does.
 */
export type EvidenceState = TextState | 'within' | 'over' | 'clear' | 'counted';

/** Requests in a row of which the same is so. */
export interface EvidenceRun {
  /** Call points of the first and the last. */
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  readonly state: EvidenceState;
  /** Whether the rule looks at them. */
  readonly looked: boolean;
  /** Whether what is so there is what the rule wants; null = it does not say of a single request. */
  readonly holds: boolean | null;
}

/** A place to look at: a message, or a call point where there is no message. */
export interface EvidencePlace {
  readonly index: number | null;
  readonly at: number | null;
  readonly what: string;
  /** Words around it, and where in them the text is; null = none are given. */
  readonly excerpt: { readonly text: string; readonly start: number; readonly length: number } | null;
}

/** A figure that a baseline recorded and that is another now. */
export interface ChangedFigure {
  readonly name: keyof BaselineRecord;
  readonly before: string;
  readonly now: string;
}

/** What an outcome rests on. */
export interface RuleEvidence {
  readonly expected: string;
  /** Where it looks, in words; null = at the session as a whole. */
  readonly where: string | null;
  /** Since when what is found is so, and why; null = not known, or nothing was lost. */
  readonly since: { readonly at: number; readonly words: string } | null;
  /** In the order of the requests; none where the rule says nothing of single requests. */
  readonly runs: readonly EvidenceRun[];
  readonly places: readonly EvidencePlace[];
  /** Places that are not listed. */
  readonly more: number;
  readonly changed: readonly ChangedFigure[];
}

const PLACES_MOST = 50;

/** What an outcome of a rule rests on. `baseline` = what was recorded of this session. */
export function evidenceOf(rule: Rule, facts: SessionFacts, baseline: BaselineRecord | null): RuleEvidence {
  const places = placesOf(rule, facts);
  const text = textOf(rule, facts);
  return {
    expected: expectedOf(rule),
    where: whereOf(rule),
    since: text?.loss ?? null,
    runs: runsOf(rule, facts),
    places: places.slice(0, PLACES_MOST),
    more: Math.max(0, places.length - PLACES_MOST),
    changed: 'baseline' in rule ? changedOf(facts.record, baseline) : [],
  };
}

function textOf(rule: Rule, facts: SessionFacts): CheckedText | null {
  return facts.texts.get(textKey(rule) ?? '') ?? null;
}

function expectedOf(rule: Rule): string {
  if ('text' in rule) return `${rule.state ?? 'present'} ${whereText(atOf(rule))}`;
  return 'watch' in rule ? 'present at every call, once said' : ruleText(rule);
}

function whereOf(rule: Rule): string | null {
  if ('text' in rule || 'valid_for' in rule) return whereText(atOf(rule));
  if ('tokens' in rule) return whereText(tokensAt(rule.tokens));
  if ('watch' in rule || 'fits' in rule) return whereText('calls');
  const counted = countedOf(rule);
  return counted === null ? null : upToText(countedTo(counted)).trim() || null;
}

interface AtRequest {
  readonly state: EvidenceState;
  readonly looked: boolean;
  readonly holds: boolean | null;
}

function runsOf(rule: Rule, facts: SessionFacts): readonly EvidenceRun[] {
  const each = eachOf(rule, facts);
  if (each === null) return [];
  const runs: EvidenceRun[] = [];
  for (const [position, { at }] of facts.requests.entries()) {
    const here = each(position);
    const last = runs.at(-1);
    const isSame =
      last !== undefined && last.state === here.state && last.looked === here.looked && last.holds === here.holds;
    if (isSame) runs[runs.length - 1] = { ...last, to: at, calls: last.calls + 1 };
    else runs.push({ from: at, to: at, calls: 1, ...here });
  }
  return runs;
}

/** What is so at each request; null = the rule says nothing of single ones. */
function eachOf(rule: Rule, facts: SessionFacts): ((position: number) => AtRequest) | null {
  const { requests } = facts;
  if ('text' in rule || 'watch' in rule) {
    const text = textOf(rule, facts);
    if (text === null) return null;
    const [wanted, at] = 'text' in rule ? [rule.state ?? 'present', atOf(rule)] : ['present', 'calls' as const];
    const looked = new Set(requestsAt(facts, at) ?? []);
    return (position) => {
      const state = text.states[position] ?? 'not_yet';
      const isSaidYet = state !== 'not_yet';
      return { state, looked: looked.has(position), holds: isSaidYet ? fitsState(wanted, state) : null };
    };
  }
  const limit = limitOf(rule, facts);
  if (limit !== null) {
    const looked = new Set(requestsAt(facts, limit.at) ?? []);
    return (position) => {
      const holds = limit.holds(requests[position]?.tokens ?? 0);
      return { state: holds ? 'within' : 'over', looked: looked.has(position), holds };
    };
  }
  if ('valid_for' in rule) {
    return (position) => {
      const errors = facts.refusals.get(refusalKey(rule.valid_for, requests[position]?.at ?? -1));
      if (errors === undefined) return { state: 'clear', looked: false, holds: null };
      return { state: errors.length === 0 ? 'within' : 'counted', looked: true, holds: errors.length === 0 };
    };
  }
  const counted = countedAt(rule, facts);
  if (counted === null) return null;
  const points = new Set(counted);
  const upTo = upToOf(rule, facts);
  return (position) => {
    const at = requests[position]?.at ?? -1;
    return { state: points.has(at) ? 'counted' : 'clear', looked: at <= upTo, holds: null };
  };
}

function limitOf(rule: Rule, facts: SessionFacts) {
  if ('tokens' in rule) {
    const max = maxOf(rule.tokens);
    return { at: tokensAt(rule.tokens), holds: (tokens: number) => tokens <= max };
  }
  if (!('fits' in rule)) return null;
  const limit = windowOf(rule.fits, facts);
  return limit && { at: 'calls' as const, holds: (tokens: number) => fitsTotal(limit, tokens) };
}

/** The limit of a rule on what adds up along the session; null = it has none. */
function countedOf(rule: Rule) {
  if ('uses_gone' in rule) return rule.uses_gone;
  if ('cost' in rule) return rule.cost;
  return 'cache_breaks' in rule ? rule.cache_breaks : null;
}

/** The call point up to which such a rule counts; -1 = it counts nothing. */
function upToOf(rule: Rule, facts: SessionFacts): number {
  const limit = countedOf(rule);
  const upTo = limit === null ? Number.POSITIVE_INFINITY : countedUpTo(facts, countedTo(limit));
  return typeof upTo === 'string' ? -1 : upTo;
}

/** Call points at which something counts against a limit of the whole session. */
function countedAt(rule: Rule, facts: SessionFacts): readonly number[] | null {
  if ('cache_breaks' in rule) return facts.breaksAt;
  if ('uses_gone' in rule) return facts.usesGone;
  return null;
}

function placesOf(rule: Rule, facts: SessionFacts): readonly EvidencePlace[] {
  if ('text' in rule || 'watch' in rule) return textOf(rule, facts)?.places ?? [];
  if ('tokens' in rule || 'fits' in rule) return overPlaces(rule, facts);
  if ('valid_for' in rule) return refusedPlaces(rule.valid_for, atOf(rule), facts);
  if ('uses_gone' in rule) return countedIn(rule, facts).map((at) => message(at, 'relied on what was gone'));
  if ('cache_breaks' in rule) return countedIn(rule, facts).map((at) => call(at, 'the cache breaks'));
  if ('findings' in rule) {
    const { kind } = rule.findings;
    const wanted = (facts.findings ?? []).filter((each) => kind === undefined || each.kind === kind);
    return wanted.map((each) => message(each.at, each.kind.replaceAll('_', ' ')));
  }
  if ('secrets' in rule) return secretPlaces(secretsOf(rule.secrets), facts);
  if ('survival' in rule) return survivalPlaces(rule.survival, facts);
  if ('filter' in rule) return (facts.rows.get(rule.filter) ?? []).map((index) => message(index, 'fits the filter'));
  return [];
}

function countedIn(rule: Rule, facts: SessionFacts): readonly number[] {
  const upTo = upToOf(rule, facts);
  return (countedAt(rule, facts) ?? []).filter((at) => at <= upTo);
}

function message(index: number, what: string): EvidencePlace {
  return { index, at: null, what, excerpt: null };
}

function call(at: number, what: string): EvidencePlace {
  return { index: null, at, what, excerpt: null };
}

function overPlaces(rule: Rule, facts: SessionFacts): readonly EvidencePlace[] {
  const limit = limitOf(rule, facts);
  if (limit === null) return [];
  const looked = (requestsAt(facts, limit.at) ?? []).flatMap((position) => facts.requests[position] ?? []);
  const largest = looked.toSorted((a, b) => b.tokens - a.tokens)[0];
  const over = looked.filter(({ tokens }) => !limit.holds(tokens));
  const shown = over.length > 0 ? over : largest === undefined ? [] : [largest];
  return shown.map(({ at, tokens }) => {
    const figure = `${grouped(Math.round(tokens))} tokens`;
    return call(at, at === largest?.at ? `${figure}, the largest` : figure);
  });
}

function refusedPlaces(provider: string, at: ReturnType<typeof atOf>, facts: SessionFacts): readonly EvidencePlace[] {
  return (requestsAt(facts, at) ?? []).flatMap((position) => {
    const point = facts.requests[position]?.at ?? -1;
    const errors = facts.refusals.get(refusalKey(provider, point)) ?? [];
    return errors.map(({ index, text }) => ({ index, at: point, what: text, excerpt: null }));
  });
}

// Kinds and places, never a value.
function secretPlaces(wanted: ReturnType<typeof secretsOf>, { secrets }: SessionFacts): readonly EvidencePlace[] {
  const found = (secrets ?? []).filter((each) => isWantedSecret(wanted, each));
  return found.map(({ kind, tier, at }) => ({
    ...{ index: at, at: null, excerpt: null },
    what: `${kindTitle(kind)}, ${tier}${at === null ? ', apart from the messages' : ''}`,
  }));
}

function survivalPlaces(
  { class: name, min }: { readonly class: string; readonly min: number | string },
  { survival }: SessionFacts,
): readonly EvidencePlace[] {
  const each = (survival ?? []).flatMap(({ at, classes }) => {
    const found = Object.entries(classes ?? {}).find(([key]) => key === name)?.[1];
    return found === undefined || found.total === 0 ? [] : [{ at, ...found, share: found.survived / found.total }];
  });
  return each
    .toSorted((a, b) => a.share - b.share)
    .map(({ at, share, survived, total }) => {
      const words = `${percent(share)} survived, ${grouped(survived)} of ${grouped(total)}`;
      return call(at, share >= shareOf(min) ? words : `${words}: too few`);
    });
}

function changedOf(record: BaselineRecord | null, baseline: BaselineRecord | null): readonly ChangedFigure[] {
  if (record === null || baseline === null) return [];
  const names = Object.keys(record) as (keyof BaselineRecord)[];
  return names.flatMap((name) => {
    if (record[name] === baseline[name]) return [];
    return [{ name, before: String(baseline[name] ?? 'none'), now: String(record[name] ?? 'none') }];
  });
}
