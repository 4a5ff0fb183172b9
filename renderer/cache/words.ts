// What the strip says. One place, so that screen and tests agree.
import { type CacheDiagnosis, diagnosisText, saysAnything } from '../../core/model/cacheDiagnosis.ts';
import { isLost } from '../../core/protocol/seriesTypes.ts';
import type {
  CacheEvidence,
  CachePointsMode,
  ModelTerms,
  Provenance,
  RecordedCache,
  Series,
  SeriesPoint,
} from '../../core/protocol/types.ts';
import { withCodes } from '../../core/util/unseen.ts';
import { FATE_WORD } from '../ui/fate.ts';
import { aboutWord, figureSign, formatCost, formatCount, formatTokens, plural } from '../ui/format.ts';
import type { CacheSum } from './cells.ts';

type Cache = NonNullable<SeriesPoint['cache']>;

const CHANGE_WORD: Readonly<Record<NonNullable<Cache['brokenBy']>['change'], string>> = {
  edited: 'edited',
  removed: 'removed',
  restored: 'restored',
  inserted: 'inserted',
  replaced: 'replaced',
};

/** `$5`, `$0.50`, `$0.125`: a price as it is stated, in whole cents where it can be. */
export function formatPrice(dollars: number): string {
  if (Number.isInteger(dollars)) return `$${dollars}`;
  const cents = dollars.toFixed(2);
  return `$${Number(cents) === dollars ? cents : dollars}`;
}

/** `41,200 of 53,500 tok kept`; where they were lost though nothing broke, what is served all the same. */
export function describeKept(cache: Cache, total: number, provenance: Provenance): string {
  if (isLost(cache)) {
    const served = formatTokens(cache.servedTokens, provenance);
    return `${served} of ${formatTokens(total, provenance)} tok served, ${formatTokens(cache.prefixTokens, provenance)} are as before`;
  }
  return `${formatTokens(cache.prefixTokens, provenance)} of ${formatTokens(total, provenance)} tok kept`;
}

/** The step that no spec names: what the provider no longer shows the model. */
export const UNRENDERED = 'turn_scoped';

/** `broken at #57: Reachability GC (cleared)`; without a break, why not. */
export function describeBreak({ brokenBy, points }: Cache): string {
  if (points === 'none') return 'not cached: no cache breakpoint is recorded on it';
  if (brokenBy === null) return 'prefix unchanged; new messages appended';
  const { title, index, change, fate, kind } = brokenBy;
  const place = index === null ? '' : ` at #${index}`;
  if (kind === UNRENDERED) return `broken${place}: ${title} (no longer rendered)`;
  return `broken${place}: ${title} (${fate === null || fate === 'kept' ? CHANGE_WORD[change] : FATE_WORD[fate]})`;
}

/** What ended the common beginning; null where nothing did, and a loss is reported by itself. */
export function saidOf(cache: Cache): string | null {
  return cache.brokenBy === null && isLost(cache) ? null : describeBreak(cache);
}

/** What the break costs, in words; null without one. */
export function describeCost(cache: Cache, provenance: Provenance): string | null {
  if (cache.brokenBy === null) return null;
  const again = `${formatTokens(cache.againTokens, provenance)} tok are sent and read again`;
  if (cache.cost === null) return `${again}; no price is known for this model`;
  return `${again}: ${aboutWord(provenance)}${formatCost(cache.cost)} more`;
}

/** `12 min`, `40 s`, `2.5 h`, `3 days`. */
export function formatGap(ms: number): string {
  if (ms < 90_000) return `${Math.round(ms / 1000)} s`;
  if (ms < 60 * 60_000) return `${Math.round(ms / 60_000)} min`;
  const hours = ms / 3_600_000;
  return hours < 48 ? `${Number(hours.toFixed(1))} h` : `${Math.round(hours / 24)} days`;
}

/** `not by the policy: 12 min since the request before, the cache lives 5 min`; null where nothing was lost. */
export function describeLoss({ loss }: Cache): string | null {
  if (loss === null) return null;
  if (loss.why === 'model') return `not by the policy: the model changed${changeWords(loss.changed)}`;
  if (loss.why === 'reach')
    return 'not by the policy: too many blocks came since the last breakpoint, it is not looked for';
  const since = loss.gapMs === null ? 'too long' : formatGap(loss.gapMs);
  const lives = loss.lifetimeMs === null ? '' : `, the cache lives ${formatGap(loss.lifetimeMs)}`;
  return `not by the policy: ${since} since the request before${lives}`;
}

// Each of them has a separate cache.
function changeWords(changed: NonNullable<Cache['loss']>['changed']): string {
  const { from = null, to = null } = changed ?? {};
  return from === null || to === null ? '' : ` from ${modelName(from)} to ${modelName(to)}`;
}

const NAME_CHARS = 60;

/** A model's name as a transcript records it, which may be any text. */
export function modelName(name: string): string {
  const chars = [...name];
  return withCodes(chars.length <= NAME_CHARS ? name : `${chars.slice(0, NAME_CHARS - 1).join('')}…`);
}

/** `41,200 tok are written again: $0.12 more`; null where nothing was lost. */
export function describeLossCost({ loss }: Cache, provenance: Provenance): string | null {
  if (loss === null) return null;
  const again = `${formatTokens(loss.tokens, provenance)} tok are written again`;
  if (loss.cost === null) return again;
  return `${again}: ${aboutWord(provenance)}${formatCost(loss.cost)} more`;
}

/** `recorded: 41,200 tok read, 320 written`: of the request that was really made. */
export function describeRecorded({ read, written }: RecordedCache): string | null {
  if (read === null && written === null) return null;
  const parts = [
    ...(read === null ? [] : [`${formatCount(read)} tok read`]),
    ...(written === null ? [] : [`${formatCount(written)} written`]),
  ];
  return `recorded: ${parts.join(', ')}`;
}

/** `system prompt changed, 147,942 tok (its estimate)`: what the provider said of the request that was really made. */
export function describeDiagnosis(diagnosis: CacheDiagnosis): string {
  const { missedTokens } = diagnosis;
  const tokens = missedTokens === undefined ? '' : `, ${formatCount(missedTokens)} tok (its estimate)`;
  return `${diagnosisText(diagnosis)}${tokens}`;
}

/** `provider: system prompt changed, …`; null where it said nothing, or that nothing changed. */
export function describeProvider({ diagnosis }: RecordedCache): string | null {
  return diagnosis === undefined || diagnosis.cause === null || !saysAnything(diagnosis)
    ? null
    : `provider: ${describeDiagnosis(diagnosis)}`;
}

/** Where requests may be taken to have their breakpoints. Only Anthropic and OpenAI's newest look at marks. */
export const POINTS_WORDS: readonly { readonly mode: CachePointsMode; readonly words: string }[] = [
  { mode: 'auto', words: 'As recorded; otherwise at the end of each request' },
  { mode: 'recorded', words: 'As recorded only' },
  { mode: 'end', words: 'At the end of each request, for 5 minutes' },
  { mode: 'end1h', words: 'At the end of each request, for an hour' },
  { mode: 'none', words: 'None: nothing is cached' },
];

/** What the figures take for granted, in a sentence or two. */
export function describeEvidence({ mode, marked, ttl, timed }: CacheEvidence, rule: ModelTerms['rule']): string {
  const lives = ttl === '1h' ? 'an hour' : '5 minutes';
  const where =
    mode === 'none'
      ? 'Assumes that nothing is cached.'
      : rule?.provider !== 'anthropic'
        ? ''
        : mode === 'recorded' || (mode === 'auto' && marked)
          ? 'Breakpoints as the transcript records them.'
          : `Assumes a cache breakpoint at the end of each request, for ${lives}.`;
  const times = timed ? '' : 'No times are recorded: assumes that every request came in time.';
  return [where, times].filter((words) => words !== '').join(' ');
}

/** One line for the whole session. */
export function describeSum(sum: CacheSum, provenance: Provenance): string {
  const { breaks, again, cost, late, lateTokens, lateCost, changed, changedTokens, changedCost } = sum;
  const about = figureSign(provenance);
  const price = (dollars: number | null) => (dollars === null ? '' : `, ${about}${formatCost(dollars)} more`);
  const tokens = (count: number) => formatTokens(count, provenance);
  const broken =
    breaks === 0 ? 'no cache break' : `${plural(breaks, 'cache break')}, ${tokens(again)} tok again${price(cost)}`;
  return [
    broken,
    ...(late === 0 ? [] : [`${late} by time, ${tokens(lateTokens)} tok${price(lateCost)}`]),
    ...(changed === 0 ? [] : [`${changed} by a change of model, ${tokens(changedTokens)} tok${price(changedCost)}`]),
  ].join('; ');
}

/** Why nothing is known of a request: it is on its way, or its policy is looked at in samples. */
export function describeUnknown({ complete, naive }: Pick<Series, 'complete' | 'naive'>): string {
  if (!complete || naive.length === 0) return 'not computed yet';
  return `not computed: ${naive.join(', ')} must run again at each call, so only samples are`;
}

/** The whole cell in one sentence, for screen readers. */
export function describeCell(point: SeriesPoint, total: number, provenance: Provenance): string {
  const { cache, at } = point;
  if (cache === undefined) return `call #${at}: not computed yet`;
  if (cache === null) return `call #${at}: the first request, nothing is cached`;
  const said = [
    describeKept(cache, total, provenance),
    saidOf(cache),
    describeCost(cache, provenance),
    describeLoss(cache),
    describeLossCost(cache, provenance),
    point.recorded === undefined ? null : describeRecorded(point.recorded),
    point.recorded === undefined ? null : describeProvider(point.recorded),
  ];
  return `call #${at}: ${said.filter((words) => words !== null).join('; ')}`;
}
