// browser-safe
// What tokens cost: input fresh, read from the provider's cache and written to it, and output, thinking included. Data to be
// edited: lists change, and people have their own terms. All in US dollars for a million tokens, standard tier. Sources, as read on 2026-11-27:
// - Anthropic: platform.claude.com/docs/en/about-claude/pricing ("Model pricing"): read 0.1 × input (Opus 5.5 0.05 ×,
//   Sonnet 5.5 too, from 2026-10-07 on, Fable 5.1 0.025 ×), write for 5 minutes 1.25 × input, for an hour 2 ×. No step for
//   long prompts from the 4.6 generation on, but for Haiku 5.5: above 100,000 tokens all costs five times that. Sonnet 4 and
//   4.5 had one above 200,000 tokens while their window of a million was a beta ("Long context pricing" of that page until then). Output 5 × input.
// - OpenAI: developers.openai.com/api/docs/pricing, and .../guides/prompt-caching: before GPT-5.6 nothing extra is charged
//   for writing, so writing costs what input costs; from GPT-5.6 on 1.25 × input. The models with a window of a million:
//   above 272,000 tokens of input all of the request's input, cached or not, costs twice that, and its output 1.5 times.
//   GPT-5.6 Sol: promotional prices since 2026-08-21, granted until 2026-11-21 at least.
// - Google: ai.google.dev/gemini-api/docs/pricing: implicit caching charges no write; storage of explicit caches is not
//   counted here. Pro models: above 200,000 tokens twice that, output 1.5 times.
import { grouped } from '../util/counts.ts';
import { err, ok, type Result } from '../util/result.ts';
import { isRecord, ownAt } from '../util/unknown.ts';

/** What a million tokens cost. US dollars. */
export interface Rates {
  readonly input: number;
  readonly cachedRead: number;
  readonly cacheWrite: number;
  /** Written to live for an hour, where a provider has that; absent: as `cacheWrite`. */
  readonly cacheWrite1h?: number;
  /** Of an answer, thinking included; absent: not known. */
  readonly output?: number;
}

/** What a request costs if its input is longer than `tokens`. */
export interface LongPromptRates extends Rates {
  readonly tokens: number;
}

/** The prices of one model. */
export interface Price extends Rates {
  /** Bare model id, or what it begins with: a date or a variant may follow, another version may not. */
  readonly model: string;
  /** Steps for long prompts, ascending; absent: there is none. */
  readonly above?: readonly LongPromptRates[];
}

/** What holds for a request of so many tokens. */
export function priceAt(price: Price, tokens: number): Rates {
  return price.above?.findLast((step) => tokens > step.tokens) ?? price;
}

/** The day the prices below were looked up. */
export const PRICES_DATE = '2026-11-27';

const price = (model: string, input: number, output: number, cachedRead: number, cacheWrite = input): Price => ({
  ...{ model, input, cachedRead, cacheWrite, output },
});

/** Anthropic's: writing costs 1.25 × input, for an hour 2 ×, and output 5 ×. */
const claude = (model: string, input: number, cachedRead: number, cacheWrite = input * 1.25): Price => ({
  ...price(model, input, input * 5, cachedRead, cacheWrite),
  cacheWrite1h: input * 2,
});

/** With a step: above `tokens` all input costs `times` that, and output `answers` times. */
const moreAbove = (tokens: number, times: number, answers: number, short: Price): Price => {
  const { input, cachedRead, cacheWrite, cacheWrite1h, output = 0 } = short;
  const more = {
    ...{
      input: input * times,
      cachedRead: cachedRead * times,
      cacheWrite: cacheWrite * times,
      output: output * answers,
    },
    ...(cacheWrite1h !== undefined && { cacheWrite1h: cacheWrite1h * times }),
  };
  return { ...short, above: [{ tokens, ...more }] };
};

const twiceAbove = (tokens: number, short: Price): Price => moreAbove(tokens, 2, 1.5, short);

/** The prices the program knows. */
export const PRICES: readonly Price[] = [
  claude('claude-fable-5-1', 10, 0.25),
  claude('claude-mythos-5-1', 10, 0.25),
  claude('claude-fable-5', 10, 1),
  claude('claude-mythos-5', 10, 1),
  claude('claude-opus-5-5', 4, 0.2),
  claude('claude-opus-5', 5, 0.5),
  claude('claude-opus-4-8', 5, 0.5),
  claude('claude-opus-4-7', 5, 0.5),
  claude('claude-opus-4-6', 5, 0.5),
  claude('claude-opus-4-5', 5, 0.5),
  claude('claude-opus-4-1', 15, 1.5),
  claude('claude-opus-4', 15, 1.5),
  claude('claude-3-opus', 15, 1.5),
  claude('claude-sonnet-5-5', 2, 0.1),
  claude('claude-sonnet-5', 2, 0.2),
  claude('claude-sonnet-4-6', 3, 0.3),
  twiceAbove(200_000, claude('claude-sonnet-4-5', 3, 0.3)),
  twiceAbove(200_000, claude('claude-sonnet-4', 3, 0.3)),
  claude('claude-3-7-sonnet', 3, 0.3),
  claude('claude-3-5-sonnet', 3, 0.3),
  moreAbove(100_000, 5, 5, claude('claude-haiku-5-5', 0.1, 0.01)),
  claude('claude-haiku-4-5', 1, 0.1),
  claude('claude-3-5-haiku', 0.8, 0.08),
  claude('claude-3-haiku', 0.25, 0.03, 0.3),
  twiceAbove(272_000, price('gpt-6.1-sol', 2, 10, 0.1, 2.5)),
  twiceAbove(272_000, price('gpt-6.1-terra', 1, 5, 0.05, 1.25)),
  twiceAbove(272_000, price('gpt-6-astra', 10, 50, 1, 12.5)),
  twiceAbove(272_000, price('gpt-6-sol', 2, 10, 0.2, 2.5)),
  twiceAbove(272_000, price('gpt-6-luna', 0.1, 0.5, 0.01, 0.125)),
  twiceAbove(272_000, price('gpt-5.6-sol', 4, 20, 0.4, 5)),
  twiceAbove(272_000, price('gpt-5.6-terra', 2, 12, 0.2, 2.5)),
  twiceAbove(272_000, price('gpt-5.6-luna', 0.2, 1.2, 0.02, 0.25)),
  twiceAbove(272_000, price('gpt-5.5', 5, 30, 0.5)),
  twiceAbove(272_000, price('gpt-5.4', 2.5, 15, 0.25)),
  price('gpt-5.4-mini', 0.75, 4.5, 0.075),
  price('gpt-5.4-nano', 0.2, 1.25, 0.02),
  price('gpt-5.3', 1.75, 14, 0.175),
  price('gpt-5.2', 1.75, 14, 0.175),
  price('gpt-5.1', 1.25, 10, 0.125),
  price('gpt-5', 1.25, 10, 0.125),
  price('gpt-5-mini', 0.25, 2, 0.025),
  price('gpt-5-nano', 0.05, 0.4, 0.005),
  price('gpt-4.1', 2, 8, 0.5),
  price('gpt-4.1-mini', 0.4, 1.6, 0.1),
  price('gpt-4.1-nano', 0.1, 0.4, 0.025),
  price('gpt-4o', 2.5, 10, 1.25),
  price('gpt-4o-2024-05-13', 5, 15, 5),
  price('gpt-4o-mini', 0.15, 0.6, 0.075),
  price('o1', 15, 60, 7.5),
  price('o3', 2, 8, 0.5),
  price('o3-mini', 1.1, 4.4, 0.55),
  price('o4-mini', 1.1, 4.4, 0.275),
  twiceAbove(200_000, price('gemini-3.1-pro', 2, 12, 0.2)),
  price('gemini-3.5-flash', 1.5, 9, 0.15),
  price('gemini-3.1-flash-lite', 0.25, 1.5, 0.025),
  twiceAbove(200_000, price('gemini-2.5-pro', 1.25, 10, 0.125)),
  price('gemini-2.5-flash', 0.3, 2.5, 0.03),
  price('gemini-2.5-flash-lite', 0.1, 0.4, 0.01),
];

/** The price of a model by its bare id (see bareModelId): the row that names most of it; null if none does. */
export function priceOf(prices: readonly Price[], bareId: string): Price | null {
  let best: Price | null = null;
  for (const row of prices) {
    if (names(row.model, bareId) && row.model.length > (best?.model.length ?? 0)) best = row;
  }
  return best;
}

// What follows may be a date or a word; one or two digits would be another version.
function names(row: string, id: string): boolean {
  if (row === '' || !id.startsWith(row)) return false;
  const rest = id.slice(row.length);
  return /^$|^[:@[]|^-(?!\d{1,2}(?:\D|$))/.test(rest) && !OTHER_MODEL.test(rest);
}

/** Words of a smaller, larger or other model of the same family: its price is another, or not known. */
const OTHER_MODEL =
  /-(?:mini|nano|micro|lite|small|large|flash|pro|spark|ultra|turbo|instruct|oss|vision|audio|realtime|search|image|tts|transcribe|live|embedding|deep-research|computer-use)\b/;

const MOST_ROWS = 500;

/** Reads a price table from outside. Error: the first fault, in a sentence that names the row and the field. */
export function parsePrices(value: unknown): Result<readonly Price[], string> {
  if (!Array.isArray(value)) return err('Prices must be a list of rows.');
  if (value.length > MOST_ROWS)
    return err(`Prices may have ${grouped(MOST_ROWS)} rows at most; given: ${grouped(value.length)}.`);
  const rows: Price[] = [];
  for (const [at, row] of value.entries()) {
    const read = parseRow(row);
    if (!read.ok) return err(`Row ${at + 1}: ${read.error}`);
    if (rows.some(({ model }) => model === read.value.model))
      return err(`Row ${at + 1}: ${read.value.model} is twice there.`);
    rows.push(read.value);
  }
  return ok(rows);
}

function parseRow(row: unknown): Result<Price, string> {
  if (!isRecord(row)) return err('a row must be an object.');
  const model = ownAt(row, 'model');
  if (typeof model !== 'string' || model.trim() === '')
    return err('model must be the id of a model, or what it begins with.');
  const rates = parseRates(row, '');
  if (!rates.ok) return err(`${rates.error} (${model}).`);
  const above = parseSteps(ownAt(row, 'above'));
  if (!above.ok) return err(`${above.error} (${model}).`);
  const steps = above.value.length === 0 ? {} : { above: above.value };
  return ok({ model: model.trim().toLowerCase(), ...rates.value, ...steps });
}

const RATES = ['input', 'cachedRead', 'cacheWrite'] as const;
/** What a row may leave out. */
const MORE_RATES = ['cacheWrite1h', 'output'] as const;

function parseRates(row: Readonly<Record<string, unknown>>, path: string): Result<Rates, string> {
  for (const field of RATES) if (dollars(ownAt(row, field)) === null) return err(noPrice(`${path}${field}`));
  const more: { cacheWrite1h?: number; output?: number } = {};
  for (const field of MORE_RATES) {
    const given = ownAt(row, field) ?? undefined;
    const read = dollars(given);
    if (given !== undefined && read === null) return err(noPrice(`${path}${field}`));
    if (read !== null) more[field] = read;
  }
  const [input = 0, cachedRead = 0, cacheWrite = 0] = RATES.map((field) => dollars(ownAt(row, field)) ?? 0);
  return ok({ input, cachedRead, cacheWrite, ...more });
}

const MOST_STEPS = 5;

// Tables saved before there were steps have none.
function parseSteps(value: unknown): Result<readonly LongPromptRates[], string> {
  if (value === undefined || value === null) return ok([]);
  if (!Array.isArray(value) || value.length > MOST_STEPS)
    return err(`above must be a list of up to ${MOST_STEPS} steps`);
  const steps: LongPromptRates[] = [];
  for (const [at, step] of value.entries()) {
    if (!isRecord(step)) return err(`above[${at}] must be an object`);
    const tokens = ownAt(step, 'tokens');
    if (typeof tokens !== 'number' || !Number.isInteger(tokens) || tokens < 1)
      return err(`above[${at}].tokens must be a whole number of tokens, 1 or more`);
    if (tokens <= (steps.at(-1)?.tokens ?? 0)) return err(`above[${at}].tokens must be more than the step before`);
    const rates = parseRates(step, `above[${at}].`);
    if (!rates.ok) return rates;
    steps.push({ tokens, ...rates.value });
  }
  return ok(steps);
}

function noPrice(path: string): string {
  return `${path} must be US dollars for a million tokens, 0 or more`;
}

function dollars(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1e6 ? value : null;
}
