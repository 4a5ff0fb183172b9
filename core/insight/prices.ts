// browser-safe
// What input tokens cost: fresh, read from the provider's cache, and written to it. Data to be edited: lists change, and
// people have terms of their own. All in US dollars for a million tokens, standard tier, up to the price step for long
// prompts where a provider has one (200,000 or 272,000 tokens). Sources, as read on 2026-11-20:
// - Anthropic: platform.claude.com/docs/en/about-claude/pricing ("Model pricing"): read 0.1 × input (Opus 5.5 0.05 ×,
//   Fable 5.1 0.025 ×), write for 5 minutes 1.25 × input. Of Sonnet 5.5 the copies read give two prices of a read; it is
//   left out.
// - OpenAI: developers.openai.com/api/docs/pricing, and .../guides/prompt-caching: before GPT-5.6 nothing extra is charged
//   for writing, so writing costs what input costs; from GPT-5.6 on 1.25 × input.
// - Google: ai.google.dev/gemini-api/docs/pricing: implicit caching charges no write; storage of explicit caches is not
//   counted here.
import { err, ok, type Result } from '../util/result.ts';
import { isRecord, ownAt } from '../util/unknown.ts';

/** The prices of one model. US dollars for a million tokens. */
export interface Price {
  /** Bare model id, or what it begins with: a date or a variant may follow, another version may not. */
  readonly model: string;
  readonly input: number;
  readonly cachedRead: number;
  readonly cacheWrite: number;
}

/** The day the prices below were looked up. */
export const PRICES_DATE = '2026-11-20';

const price = (model: string, input: number, cachedRead: number, cacheWrite = input): Price => ({
  model,
  input,
  cachedRead,
  cacheWrite,
});

/** The prices the program knows. */
export const PRICES: readonly Price[] = [
  price('claude-fable-5-1', 10, 0.25, 12.5),
  price('claude-mythos-5-1', 10, 0.25, 12.5),
  price('claude-fable-5', 10, 1, 12.5),
  price('claude-mythos-5', 10, 1, 12.5),
  price('claude-opus-5-5', 4, 0.2, 5),
  price('claude-opus-5', 5, 0.5, 6.25),
  price('claude-opus-4-8', 5, 0.5, 6.25),
  price('claude-opus-4-7', 5, 0.5, 6.25),
  price('claude-opus-4-6', 5, 0.5, 6.25),
  price('claude-opus-4-5', 5, 0.5, 6.25),
  price('claude-opus-4-1', 15, 1.5, 18.75),
  price('claude-opus-4', 15, 1.5, 18.75),
  price('claude-3-opus', 15, 1.5, 18.75),
  price('claude-sonnet-5', 2, 0.2, 2.5),
  price('claude-sonnet-4-6', 3, 0.3, 3.75),
  price('claude-sonnet-4-5', 3, 0.3, 3.75),
  price('claude-sonnet-4', 3, 0.3, 3.75),
  price('claude-3-7-sonnet', 3, 0.3, 3.75),
  price('claude-3-5-sonnet', 3, 0.3, 3.75),
  price('claude-haiku-4-5', 1, 0.1, 1.25),
  price('claude-3-5-haiku', 0.8, 0.08, 1),
  price('claude-3-haiku', 0.25, 0.03, 0.3),
  price('gpt-6-astra', 10, 1, 12.5),
  price('gpt-6-sol', 2, 0.2, 2.5),
  price('gpt-6-luna', 0.1, 0.01, 0.125),
  price('gpt-5.6-sol', 5, 0.5, 6.25),
  price('gpt-5.6-terra', 2, 0.2, 2.5),
  price('gpt-5.6-luna', 0.2, 0.02, 0.25),
  price('gpt-5.5', 5, 0.5),
  price('gpt-5.4', 2.5, 0.25),
  price('gpt-5.4-mini', 0.75, 0.075),
  price('gpt-5.4-nano', 0.2, 0.02),
  price('gpt-5.3', 1.75, 0.175),
  price('gpt-5.2', 1.75, 0.175),
  price('gpt-5.1', 1.25, 0.125),
  price('gpt-5', 1.25, 0.125),
  price('gpt-5-mini', 0.25, 0.025),
  price('gpt-5-nano', 0.05, 0.005),
  price('gpt-4.1', 2, 0.5),
  price('gpt-4.1-mini', 0.4, 0.1),
  price('gpt-4.1-nano', 0.1, 0.025),
  price('gpt-4o', 2.5, 1.25),
  price('gpt-4o-mini', 0.15, 0.075),
  price('o1', 15, 7.5),
  price('o3', 2, 0.5),
  price('o3-mini', 1.1, 0.55),
  price('o4-mini', 1.1, 0.275),
  price('gemini-3.1-pro', 2, 0.2),
  price('gemini-3.5-flash', 1.5, 0.15),
  price('gemini-3.1-flash-lite', 0.25, 0.025),
  price('gemini-2.5-pro', 1.25, 0.125),
  price('gemini-2.5-flash', 0.3, 0.03),
  price('gemini-2.5-flash-lite', 0.1, 0.01),
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
  return /^$|^[:@[]|^-(?!\d{1,2}(?:\D|$))(?!pro\b)/.test(id.slice(row.length));
}

const MOST_ROWS = 500;

/** Reads a price table from outside. Error: the first fault, in a sentence that names the row and the field. */
export function parsePrices(value: unknown): Result<readonly Price[], string> {
  if (!Array.isArray(value)) return err('Prices must be a list of rows.');
  if (value.length > MOST_ROWS) return err(`Prices may have ${MOST_ROWS} rows at most; given: ${value.length}.`);
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
  const input = dollars(ownAt(row, 'input'));
  const cachedRead = dollars(ownAt(row, 'cachedRead'));
  const cacheWrite = dollars(ownAt(row, 'cacheWrite'));
  if (input === null || cachedRead === null || cacheWrite === null) {
    return err(`input, cachedRead and cacheWrite of ${model} must be US dollars for a million tokens, 0 or more.`);
  }
  return ok({ model: model.trim().toLowerCase(), input, cachedRead, cacheWrite });
}

function dollars(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1e6 ? value : null;
}
