// Holds rules against what is known of a session. What cannot be held is unchecked, and says why.
import type { SurvivalClass } from '../insight/autopsy/types.ts';
import { isSaid, type TextState } from '../insight/text/types.ts';
import { kindGroup, kindTitle } from '../scrub/kinds.ts';
import { DEFAULT_MARGIN, fitsTotal } from '../tokens/budget.ts';
import { dollarsText } from '../util/dollars.ts';
import { unpricedWords } from '../view/costCover.ts';
import { countOf, grouped } from '../view/words.ts';
import { atOf, countedTo, maxOf, percent, secretsOf, shareOf, tokensAt, whereText } from './ruleText.ts';
import type { Rule } from './schema.ts';
import type { BaselineRecord, CheckedRequest, CheckedText, RuleOutcome, SessionFacts, Verdict } from './types.ts';

type Found = Omit<RuleOutcome, 'rule'>;
type At = ReturnType<typeof atOf>;

/** The key of a text among the facts. */
export function textKey(rule: Rule): string | null {
  if ('watch' in rule) return JSON.stringify([rule.watch, false, false]);
  if (!('text' in rule)) return null;
  return JSON.stringify([rule.text, rule.match_case ?? false, rule.whole_word ?? false]);
}

/** The key of what a provider refuses at a call point. */
export function refusalKey(provider: string, at: number): string {
  return `${at} ${provider}`;
}

/** The requests a rule looks at; null = there is no such call point. */
export function requestsAt(facts: Pick<SessionFacts, 'requests' | 'compactions'>, at: At): readonly number[] | null {
  const { requests, compactions } = facts;
  if (at === 'calls') return requests.map((_, position) => position);
  if (at === 'end') return requests.length === 0 ? [] : [requests.length - 1];
  const wanted = at === 'compactions' ? compactions : [at];
  const positions = wanted.map((point) => requests.findIndex((request) => request.at === point));
  return positions.includes(-1) ? null : positions;
}

/**
 * The last of the requests up to which a rule counts, as a call point: what adds up is largest there. Infinite = the whole
 * session; a text = why there is none.
 */
export function countedUpTo(facts: Pick<SessionFacts, 'requests' | 'compactions'>, at: At): number | string {
  if (at === 'end' || at === 'calls') return Number.POSITIVE_INFINITY;
  const positions = requestsAt(facts, at);
  if (positions === null) return `there is no request ${whereText(at)}`;
  const last = Math.max(...positions);
  return facts.requests[last]?.at ?? noneAt(at);
}

/** What becomes of a rule. `baseline` = what was recorded of this session; null = nothing yet. */
export function judge(rule: Rule, facts: SessionFacts, baseline: BaselineRecord | null): Found {
  if ('text' in rule) return judgeText(rule.state ?? 'present', atOf(rule), textOf(rule, facts), facts);
  if ('watch' in rule) return judgeText('present', 'calls', textOf(rule, facts), facts);
  if ('uses_gone' in rule) return judgeUses(maxOf(rule.uses_gone), countedTo(rule.uses_gone), facts);
  if ('tokens' in rule) return judgeTokens(maxOf(rule.tokens), tokensAt(rule.tokens), facts);
  if ('cost' in rule) return judgeCost(maxOf(rule.cost), countedTo(rule.cost), facts);
  if ('cache_breaks' in rule) return judgeBreaks(maxOf(rule.cache_breaks), countedTo(rule.cache_breaks), facts);
  if ('fits' in rule) return judgeFits(rule.fits, facts);
  if ('valid_for' in rule) return judgeValid(rule.valid_for, atOf(rule), facts);
  if ('findings' in rule) return judgeFindings(rule.findings, facts);
  if ('secrets' in rule) return judgeSecrets(secretsOf(rule.secrets), facts);
  if ('survival' in rule) return judgeSurvival(rule.survival.class, shareOf(rule.survival.min), facts);
  if ('filter' in rule) return judgeRows(rule.filter, rule.rows, facts);
  return judgeBaseline(facts.record, baseline);
}

function textOf(rule: Rule, facts: SessionFacts): CheckedText | null {
  return facts.texts.get(textKey(rule) ?? '') ?? null;
}

function judgeText(wanted: string, at: At, text: CheckedText | null, facts: SessionFacts): Found {
  if (text === null) return unchecked('the text was not looked for');
  const positions = requestsAt(facts, at);
  if (positions === null) return unchecked(`there is no request ${whereText(at)}`);
  if (positions.length === 0) return unchecked(noneAt(at));
  const absent = wanted === 'absent' || wanted === 'gone';
  const said = positions.filter((position) => text.states[position] !== 'not_yet');
  if (said.length === 0) {
    if (wanted === 'absent') return passed('nothing says it');
    return unchecked(text.first === null ? 'nothing says it' : `first said in #${text.first}, behind what is checked`);
  }
  const wrong = said.find((position) => !fitsState(wanted, text.states[position]!));
  const count = `at ${grouped(said.length)} of ${countOf(positions.length, 'call')}`;
  if (wrong === undefined)
    return { ...passed(at === 'end' ? stateText(text.states[said[0]!]!) : count), index: text.first };
  const point = facts.requests[wrong]!.at;
  const why = absent ? '' : lostSince(text, wrong, facts);
  const state = text.states[wrong]!;
  // Whoever wants it gone asks first whether it is there, then where.
  const there = absent && isSaid(state) ? 'present: ' : '';
  return failed(`${there}${stateText(state)} at #${point}${why}`, point, text.first);
}

// What took it is known of the first loss; a text that came back and went again is lost since then.
function lostSince({ states, loss }: CheckedText, position: number, { requests }: SessionFacts): string {
  if (loss === null) return '';
  let first = position;
  while (first > 0 && states[first - 1] === states[position]) first--;
  const since = requests[first]!.at;
  return since === loss.at ? `: ${loss.words}` : `: since #${since}; the first time ${loss.words}`;
}

/** Whether a text is as a rule wants it. */
export function fitsState(wanted: string, state: TextState): boolean {
  if (wanted === 'present') return isSaid(state);
  if (wanted === 'absent') return !isSaid(state);
  return wanted === state;
}

function stateText(state: TextState): string {
  return state === 'elsewhere' ? 'elsewhere, word for word' : state === 'partly' ? 'only partly' : state;
}

function judgeUses(max: number, at: At, facts: SessionFacts): Found {
  if (facts.usesGone === null) return unchecked('uses were not looked for');
  const upTo = countedUpTo(facts, at);
  if (typeof upTo === 'string') return unchecked(upTo);
  const found = facts.usesGone.filter((each) => each <= upTo);
  return limited(found.length, max, `${found.length}${listed(found)}`, found[0] ?? null);
}

function judgeTokens(max: number, at: At, facts: SessionFacts): Found {
  const positions = requestsAt(facts, at);
  if (positions === null) return unchecked(`there is no request ${whereText(at)}`);
  const largest = largestOf(positions.map((position) => facts.requests[position]!));
  if (largest === null) return unchecked(noneAt(at));
  return limited(largest.tokens, max, `${grouped(Math.round(largest.tokens))} at #${largest.at}`, largest.at);
}

function judgeFits(given: true | number, { requests, budget }: SessionFacts): Found {
  const limit = windowOf(given, { budget });
  if (limit === null) return unchecked('no window is known: give one, as fits: 200000');
  const largest = largestOf(requests);
  if (largest === null) return unchecked('there is no request');
  const over = requests.find(({ tokens }) => !fitsTotal(limit, tokens));
  if (over === undefined) return passed(`${grouped(Math.round(largest.tokens))} at #${largest.at}`);
  const words = `${grouped(Math.round(over.tokens))} at #${over.at}, of ${grouped(limit.total)}`;
  return failed(limit.margin === 0 ? words : `${words} with a margin of ${percent(limit.margin)}`, over.at, null);
}

function judgeCost(max: number, at: At, facts: SessionFacts): Found {
  const upTo = countedUpTo(facts, at);
  if (typeof upTo === 'string') return unchecked(upTo);
  const { cost, unpriced, made } = costUpTo(upTo, facts);
  if (cost === null) return unchecked(made === 0 ? 'no request was made' : 'no price is known of its model');
  const without = unpricedWords(unpriced, made);
  if (without !== null && cost <= max) return unchecked(`${dollarsText(cost)}, and ${without}`);
  return limited(cost, max, dollarsText(cost), null);
}

/** What requests cost up to a call point; the next request is none of those that cost anything. */
function costUpTo(upTo: number, { cost, unpriced, requests }: SessionFacts) {
  const made = requests.slice(0, -1).filter(({ at }) => at <= upTo);
  if (upTo === Number.POSITIVE_INFINITY) return { cost, unpriced, made: made.length };
  const priced = made.flatMap((request) => request.cost ?? []);
  const sum = priced.length === 0 ? null : priced.reduce((total, each) => total + each, 0);
  return { cost: sum, unpriced: made.length - priced.length, made: made.length };
}

function judgeBreaks(max: number, at: At, facts: SessionFacts): Found {
  const upTo = countedUpTo(facts, at);
  if (typeof upTo === 'string') return unchecked(upTo);
  const found = facts.breaksAt.filter((each) => each <= upTo);
  return limited(found.length, max, `${found.length}${listed(found)}`, found[0] ?? null);
}

function judgeValid(provider: string, at: At, facts: SessionFacts): Found {
  const positions = requestsAt(facts, at);
  if (positions === null) return unchecked(`there is no request ${whereText(at)}`);
  if (positions.length === 0) return unchecked(noneAt(at));
  for (const position of positions) {
    const point = facts.requests[position]!.at;
    const errors = facts.refusals.get(refusalKey(provider, point));
    if (errors === undefined) return unchecked(`the request at #${point} was not checked`);
    const [first] = errors;
    if (first) return failed(`${errors.length} at #${point}: ${first.text}`, point, first.index);
  }
  return passed('0');
}

function judgeFindings(
  { kind, max }: { readonly kind?: string | undefined; readonly max: number },
  facts: SessionFacts,
) {
  if (facts.findings === null) return unchecked('findings were not looked for');
  const found = facts.findings.filter((each) => kind === undefined || each.kind === kind).map((each) => each.at);
  return limited(found.length, max, `${found.length}${listed(found)}`, found[0] ?? null);
}

/** Whether a secret is one that a rule counts. */
export function isWantedSecret(
  wanted: ReturnType<typeof secretsOf>,
  { kind, tier }: NonNullable<SessionFacts['secrets']>[number],
): boolean {
  return (wanted.tier === 'any' || tier === wanted.tier) && (wanted.kind === kind || wanted.kind === kindGroup(kind));
}

/** What `fits` holds requests against; null = no window is known. */
export function windowOf(given: true | number, { budget }: Pick<SessionFacts, 'budget'>): SessionFacts['budget'] {
  // Of a window that is given, too, counts may be too low.
  return given === true ? budget : { total: given, margin: budget?.margin ?? DEFAULT_MARGIN };
}

// Kinds and places are said, never a value.
function judgeSecrets(wanted: ReturnType<typeof secretsOf>, { secrets }: SessionFacts): Found {
  if (secrets === null) return unchecked('secrets were not looked for');
  const found = secrets.filter((each) => isWantedSecret(wanted, each));
  const places = [...new Set(found.flatMap(({ at }) => at ?? []))];
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const named = kinds.length === 0 ? '' : ` (${kinds.map(kindTitle).join(', ')})`;
  const apart = found.filter(({ at }) => at === null).length;
  const front = apart === 0 ? '' : `, ${apart} apart from the messages`;
  const words = `${found.length}${named}${listed(places)}${front}`;
  return found.length <= wanted.max ? passed(words) : failed(words, null, places[0] ?? null);
}

function judgeSurvival(name: string, min: number, { survival }: SessionFacts): Found {
  if (survival === null) return unchecked('compactions were not looked at');
  const each = survival.flatMap(({ at, classes }) => {
    const own = classes?.[name as SurvivalClass];
    return own === undefined || own.total === 0 ? [] : [{ at, ...own }];
  });
  if (each.length === 0) return unchecked(noSurvival(survival));
  const worst = each.reduce((low, one) => (one.survived / one.total < low.survived / low.total ? one : low));
  const words = `${percent(worst.survived / worst.total)}, ${grouped(worst.survived)} of ${grouped(worst.total)} at #${worst.at}`;
  return worst.survived / worst.total >= min ? passed(words) : failed(words, worst.at, null);
}

function noSurvival(survival: NonNullable<SessionFacts['survival']>): string {
  if (survival.length === 0) return 'there is no compaction';
  const opaque = survival.filter(({ classes }) => classes === null).length;
  if (opaque === 0) return 'no compaction covers any';
  if (opaque < survival.length) return 'no compaction that can be read covers any';
  return opaque === 1
    ? 'what the compaction put in place cannot be read'
    : 'what compactions put in place cannot be read';
}

function judgeRows(
  filter: string,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  facts: SessionFacts,
): Found {
  const found = facts.rows.get(filter);
  if (found === undefined) return unchecked('the filter was not run');
  const words = `${found.length}${listed(found)}`;
  const isWithin = found.length >= (min ?? 0) && found.length <= (max ?? Number.POSITIVE_INFINITY);
  return isWithin ? passed(words) : failed(words, null, found[0] ?? null);
}

function judgeBaseline(record: BaselineRecord | null, baseline: BaselineRecord | null): Found {
  if (record === null) return unchecked('nothing was recorded of this session');
  if (baseline === null) return unchecked('no baseline yet: record one with --update');
  const names = Object.keys(record) as (keyof BaselineRecord)[];
  const changed = names.filter((name) => record[name] !== baseline[name]);
  if (changed.length === 0) return passed('the same');
  return failed(
    changed.map((name) => `${name} ${baseline[name] ?? 'none'} → ${record[name] ?? 'none'}`).join(', '),
    null,
    null,
  );
}

function largestOf(requests: readonly CheckedRequest[]): CheckedRequest | null {
  return requests.reduce<CheckedRequest | null>(
    (largest, request) => (largest === null || request.tokens > largest.tokens ? request : largest),
    null,
  );
}

function limited(value: number, max: number, words: string, at: number | null): Found {
  return value <= max ? passed(words) : failed(words, at, at);
}

const LISTED = 5;

function listed(points: readonly number[]): string {
  if (points.length === 0) return '';
  const names = points.slice(0, LISTED).map((at) => `#${at}`);
  return `: ${names.join(', ')}${points.length > LISTED ? ', …' : ''}`;
}

function noneAt(at: At): string {
  return at === 'compactions' ? 'there is no compaction' : 'there is no request';
}

function passed(found: string): Found {
  return outcome('passed', found, null, null);
}

function failed(found: string, at: number | null, index: number | null): Found {
  return outcome('failed', found, at, index);
}

function unchecked(found: string): Found {
  return outcome('unchecked', found, null, null);
}

function outcome(verdict: Verdict, found: string, at: number | null, index: number | null): Found {
  return { verdict, found, at, index };
}
