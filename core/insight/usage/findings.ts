// What stands out in recorded usage. Every number is in the text; whatever is not recorded but concluded says "probably".
// Thresholds were set on real sessions of nine formats so that findings are rare and true.
import { describeChanged, saysChanged } from '../../model/cacheDiagnosis.ts';
import type { Problem } from '../../model/problem.ts';
import { countOf, grouped } from '../../view/words.ts';
import { describeDiagnosis } from './diagnoses.ts';
import type { CacheMiss, DiagnosisSum, MissCause, Request, RequestFigure, UsageFit, UsageMark } from './types.ts';

/** A fall of the input below this is noise: providers round, clients leave out a reminder. Unit: tokens. */
const DROP_TOKENS = 5000;
/** A fall must also be this share of the request before. */
const DROP_SHARE = 0.15;
/** What undoes this share of a shortfall, right before or after, explains it. */
const EXPLAINED_SHARE = 0.5;
/** Tokens sent again from which on a reader should know. */
const COSTLY_TOKENS = 100_000;
/** An answer of this many tokens whose recorded output is less than this share was recorded before it was whole. */
const PARTIAL_TOKENS = 200;
const PARTIAL_SHARE = 0.2;
/** Recorded output beyond this multiple of what can be counted, over this many tokens, has parts that are not recorded. */
const HIDDEN_SHARE = 1.5;
const HIDDEN_TOKENS = 5000;
/** Estimates off by more than this are reported; exact tokenizers are a few percent off by what frames a message. */
const DRIFT_SHARE = 0.25;
/** From one request to the next no more than this off: then a line shows what is missing. */
export const STEADY_SHARE = 0.05;
/** A line further off than this explains nothing. */
export const POOR_SHARE = 0.1;
/** Call points named in one finding. */
const NAMED = 5;

/** Requests that held less than the one before and what came since: nothing recorded explains where the rest is. */
export function findDrops(requests: readonly Request[]): { readonly problems: Problem[]; readonly marks: UsageMark[] } {
  const problems: Problem[] = [];
  const marks: UsageMark[] = [];
  for (const [i, request] of requests.entries()) {
    const before = requests[i - 1];
    if (before === undefined || !isShort(requests, i)) continue;
    const { at } = request.figure;
    const { text, label } = describeShortfall(before, request);
    problems.push({ code: 'usage.unexplained_drop', severity: 'warning', text, where: { index: at } });
    marks.push({ at, kind: 'drop', label });
  }
  return { problems, marks };
}

function describeShortfall(before: Request, { figure }: Request): { readonly text: string; readonly label: string } {
  const [from, to] = [before.figure.input, figure.input];
  const grown = figure.history - before.figure.history;
  const history = grown >= 0 ? `grew by ${grouped(grown)}` : `shrank by only ${grouped(-grown)}`;
  const since = `the history before #${figure.at} ${history} counted tokens since #${before.figure.at} and no compaction is recorded there`;
  if (to >= from) {
    const text = `The recorded input went from ${grouped(from)} to ${grouped(to)} tokens only, although ${since}. Probably a part of what the transcript holds there was not sent: an aborted answer that the client left out, results cut short, or something cleared without a record.`;
    return { text, label: 'input grew by less than the history' };
  }
  const share = Math.round((1 - to / from) * 100);
  const text = `The recorded input fell from ${grouped(from)} to ${grouped(to)} tokens (−${share}%), although ${since}. Probably something was left out without a record: tool results or thinking cleared by the client or the server, or a history that was rewound or replaced.`;
  return { text, label: `input fell by ${share}% without a record` };
}

// It must stay so: a single small request in between is another kind of call. Nor may it be the end of a peak.
function isShort(requests: readonly Request[], i: number): boolean {
  const [last, before, now, next] = [requests[i - 2], requests[i - 1], requests[i], requests[i + 1]];
  if (before === undefined || now === undefined || before.record.era !== now.record.era) return false;
  const short = shortfall(before, now);
  if (short < DROP_TOKENS || short < DROP_SHARE * before.figure.input) return false;
  const fell = before.figure.input - now.figure.input >= EXPLAINED_SHARE * short;
  if (!fell && !now.isFitted) return false;
  const staysSo = next === undefined || shortfall(before, next) > EXPLAINED_SHARE * short;
  const wasPeak = last !== undefined && -shortfall(last, before) > EXPLAINED_SHARE * short;
  return before.record.model === now.record.model && staysSo && !(wasPeak && last.record.model === before.record.model);
}

/** By how much a later request's input is smaller than an earlier one's and the history since let expect. */
function shortfall(earlier: Request, later: Request): number {
  const grown = (later.figure.history - earlier.figure.history) * later.factor;
  return earlier.figure.input + grown - later.figure.input;
}

const CAUSES: Readonly<Record<MissCause, { readonly code: string; readonly words: string }>> = {
  model: { code: 'model', words: 'Probably because the model changed: each has its own cache.' },
  speed: { code: 'model', words: 'Probably because the speed changed: each has its own cache.' },
  compaction: { code: 'compacted', words: 'A recorded compaction came between.' },
  parameter: { code: 'changed', words: 'Probably because the effort changed: the prompt depends on it.' },
  time: { code: 'expired', words: 'Probably the cache had expired: more time had passed than an entry lives.' },
  reach: { code: 'reach', words: 'Probably more blocks came at once than the cache is looked back for.' },
  tools: {
    code: 'changed',
    words: 'What was found is another beginning than before, or nothing: probably the tools changed.',
  },
  system: {
    code: 'changed',
    words: 'What was found is what all sessions begin with: probably the system prompt changed.',
  },
  messages: { code: 'changed', words: 'System prompt and tools were found: probably an earlier message changed.' },
  unknown: {
    code: 'missed',
    words:
      'No reason is recorded. Probably the beginning of the request changed (tools, system prompt, an edited history), or the provider’s cache had let go of it.',
  },
};

/** Requests that did not find in the cache what the one before had left there, as findings: one for each cause. */
export function missFindings(
  requests: readonly Request[],
  misses: readonly CacheMiss[],
): { readonly problems: Problem[]; readonly marks: UsageMark[] } {
  const found = misses.filter(({ at }) => isUnexplained(requests, at));
  const problems = [...Map.groupBy(found, ({ cause }) => cause)].map(([cause, list]) => missProblem(cause, list));
  return { problems, marks: found.map(markOf) };
}

// After a compaction, or a fall of the input, there is nothing to be found.
function isUnexplained(requests: readonly Request[], at: number): boolean {
  const i = requests.findIndex(({ figure }) => figure.at === at);
  const [before, now] = [requests[i - 1], requests[i]];
  if (before === undefined || now === undefined || before.record.era !== now.record.era) return false;
  return before.figure.input - now.figure.input <= Math.max(DROP_TOKENS, DROP_SHARE * before.figure.input);
}

function markOf({ at, lost, diagnosis }: CacheMiss): UsageMark {
  const said = diagnosis !== null && saysChanged(diagnosis) ? `; provider: ${describeDiagnosis(diagnosis)}` : '';
  return { at, kind: 'cache_miss', label: `${grouped(lost)} cached tokens missed${said}` };
}

function missProblem(cause: MissCause, missed: readonly CacheMiss[]): Problem {
  const lost = sumOf(missed, (each) => each.lost);
  const where = missed[0] === undefined ? {} : { where: { index: missed[0].at } };
  const { code, words } = CAUSES[cause];
  const text = `${countOf(missed.length, 'request')} (${placesOf(missed.map(({ at }) => at))}) did not find in the cache what the request before had left there: ${grouped(lost)} tokens were read again. ${words}`;
  const isOpen = code === 'missed' || code === 'changed';
  return {
    code: `usage.cache_${code}`,
    severity: isOpen && lost >= COSTLY_TOKENS ? 'warning' : 'info',
    text,
    ...where,
  };
}

/** What the provider diagnosed, in one finding; none if it named nothing. */
export function diagnosisFindings({ answers, changed, unknown }: DiagnosisSum): Problem[] {
  const all = sumOf(changed, ({ requests }) => requests);
  if (all + unknown === 0) return [];
  const parts = changed.map(({ cause, requests, tokens }) => {
    const about = tokens === 0 ? '' : ` (about ${grouped(tokens)} tokens)`;
    return `${describeChanged(cause)} ${grouped(requests)}${about}`;
  });
  if (unknown > 0) parts.push(`no statement ${grouped(unknown)}`);
  const text = `For ${countOf(all + unknown, 'request')} of ${grouped(answers)} the provider reported what differed from the one before, by its own estimate: ${parts.join(', ')}.`;
  return [{ code: 'usage.cache_diagnosed', severity: 'info', text }];
}

function placesOf(places: readonly number[]): string {
  const named = places.slice(0, NAMED).map((at) => `#${at}`);
  const more = places.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** Outputs that do not fit the answers they come with, and usage that is recorded twice. */
export function findOutputs(requests: readonly Request[]): Problem[] {
  return [partial(requests), hidden(requests), repeated(requests)].filter((problem) => problem !== null);
}

function partial(requests: readonly Request[]): Problem | null {
  const cut = requests.filter(
    ({ figure: { output, answer } }) => output !== null && answer >= PARTIAL_TOKENS && output < PARTIAL_SHARE * answer,
  );
  const [first] = cut;
  if (first === undefined) return null;
  const [recorded, counted] = [
    sumOf(cut, ({ figure }) => figure.output ?? 0),
    sumOf(cut, ({ figure }) => figure.answer),
  ];
  const text = `${countOf(cut.length, 'answer')} (${placesOf(cut.map(({ figure }) => figure.at))}) with ${grouped(counted)} counted tokens record an output of ${grouped(recorded)}: probably their usage was written before they were whole.`;
  return { code: 'usage.partial_output', severity: 'warning', text, where: { index: first.figure.at } };
}

function hidden(requests: readonly Request[]): Problem | null {
  const known = requests.filter(({ figure }) => figure.output !== null);
  const recorded = sumOf(known, ({ figure }) => figure.output ?? 0);
  const reasoning = sumOf(known, ({ record }) => record.usage.reasoning ?? 0);
  const counted = Math.round(sumOf(known, ({ figure, factor }) => figure.answer * factor));
  const over = recorded - counted;
  if (over < HIDDEN_TOKENS || recorded < HIDDEN_SHARE * counted) return null;
  const ofThem = reasoning > 0 ? ` ${grouped(reasoning)} of them are recorded as reasoning.` : '';
  const text = `The answers record ${grouped(recorded)} tokens of output, their content amounts to about ${grouped(counted)}.${ofThem} The rest is probably thinking that the transcript does not hold.`;
  return { code: 'usage.hidden_output', severity: 'info', text };
}

function repeated(requests: readonly Request[]): Problem | null {
  const twice = requests.filter((request, i) => {
    const before = requests[i - 1];
    return before !== undefined && request.figure.input >= DROP_TOKENS && isSame(before.figure, request.figure);
  });
  const [first] = twice;
  if (first === undefined) return null;
  const text = `${countOf(twice.length, 'answer')} (${placesOf(twice.map(({ figure }) => figure.at))}) record exactly the usage of the one before. Probably one request was recorded twice: sums over this transcript are too high.`;
  return { code: 'usage.repeated', severity: 'info', text, where: { index: first.figure.at } };
}

function isSame(a: RequestFigure, b: RequestFigure): boolean {
  return a.input === b.input && a.output === b.output && a.cacheRead === b.cacheRead && a.cacheWrite === b.cacheWrite;
}

function sumOf<T>(values: readonly T[], value: (each: T) => number): number {
  return values.reduce((sum, each) => sum + value(each), 0);
}

/** Counts that are far from what was recorded. `tokenizer` = how the counts were made, in words. */
export function findDrift(fits: readonly UsageFit[], tokenizer: string): Problem[] {
  return fits.flatMap((fit): Problem[] => {
    const of = fit.model === null ? '' : ` to ${fit.model}`;
    if (fit.residual > POOR_SHARE) {
      const text = `The recorded inputs of ${countOf(fit.requests, 'request')}${of} do not follow the history of this transcript (typically ${percent(fit.residual)} off): probably requests held something else than is recorded here.`;
      return [{ code: 'usage.unrelated', severity: 'info', text }];
    }
    if (Math.abs(fit.factor - 1) <= DRIFT_SHARE) return [];
    const text = `For each token counted (${tokenizer}) the requests${of} record ${fit.factor.toFixed(2)}: counts here are probably too ${fit.factor > 1 ? 'low' : 'high'} by that factor.${describeBase(fit.base)} Fitted over ${countOf(fit.requests, 'request')}, typically ${percent(fit.residual)} off.`;
    return [{ code: 'usage.drift', severity: 'info', text }];
  });
}

function describeBase(base: number): string {
  const tokens = Math.round(base);
  return tokens <= 0 ? '' : ` About ${grouped(tokens)} tokens more are in no message (system prompt, tools).`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}
