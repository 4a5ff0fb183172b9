// The price table while it is edited: texts as typed, one fault shown at a time, rows only when all of them can be read.
import type { Price } from '../../core/protocol/types.ts';
import { formatCount, plural } from '../ui/format.ts';

/** Prices as typed. `cacheWrite1h` may be left empty: then an hour costs what `cacheWrite` says; `output`: then answers have no price. */
export interface DraftRates {
  readonly input: string;
  readonly cachedRead: string;
  readonly cacheWrite: string;
  readonly cacheWrite1h: string;
  readonly output: string;
}

/** A step for long prompts as typed. */
export interface DraftStep extends DraftRates {
  readonly tokens: string;
}

/** A row as typed. */
export interface DraftRow extends DraftRates {
  readonly model: string;
  readonly above: readonly DraftStep[];
}

export type PriceField = keyof DraftRates;

export const PRICE_FIELDS: readonly { readonly field: PriceField; readonly title: string }[] = [
  { field: 'input', title: 'Input' },
  { field: 'cachedRead', title: 'Read from cache' },
  { field: 'cacheWrite', title: 'Write to cache' },
  { field: 'cacheWrite1h', title: 'Write for 1 h' },
  { field: 'output', title: 'Output' },
];

const NO_RATES: DraftRates = { input: '', cachedRead: '', cacheWrite: '', cacheWrite1h: '', output: '' };

export const EMPTY_ROW: DraftRow = { ...NO_RATES, model: '', above: [] };
export const EMPTY_STEP: DraftStep = { ...NO_RATES, tokens: '' };

type Rates = Omit<Price, 'model' | 'above'>;

export function toDraft(rows: readonly Price[]): readonly DraftRow[] {
  return rows.map((row) => ({
    model: row.model,
    ...draftRates(row),
    above: (row.above ?? []).map((step) => ({ tokens: formatCount(step.tokens), ...draftRates(step) })),
  }));
}

function draftRates({ input, cachedRead, cacheWrite, cacheWrite1h, output }: Rates): DraftRates {
  return {
    input: String(input),
    cachedRead: String(cachedRead),
    cacheWrite: String(cacheWrite),
    cacheWrite1h: cacheWrite1h === undefined ? '' : String(cacheWrite1h),
    output: output === undefined ? '' : String(output),
  };
}

/** Dollars for a million tokens as typed; null = no price. */
export function parsePrice(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, '').replace(',', '.');
  if (!/^\d+(\.\d+)?$|^\.\d+$/.test(trimmed)) return null;
  return Number(trimmed);
}

/** `272000`, `272,000`, `272k`; null = no number of tokens. */
export function parseTokens(text: string): number | null {
  const trimmed = text.trim().replace(/[,_ ]/g, '');
  const found = /^(\d+)(k?)$/i.exec(trimmed);
  const tokens = found === null ? 0 : Number(found[1]) * (found[2] === '' ? 1 : 1000);
  return tokens > 0 ? tokens : null;
}

/** Whether what is typed into a field cannot be a price; an empty field is not complained of while it is typed. */
export function isFaulty(text: string): boolean {
  return text.trim() !== '' && parsePrice(text) === null;
}

/** The rows, or what is wrong with the first that is none. Rows and steps left empty are left out. */
export function readDraft(
  draft: readonly DraftRow[],
): { readonly ok: true; readonly rows: readonly Price[] } | { readonly ok: false; readonly fault: string } {
  const rows: Price[] = [];
  const seen = new Set<string>();
  for (const row of draft) {
    const model = row.model.trim();
    if (model === '' && isEmpty(row) && row.above.every(isEmptyStep)) continue;
    if (model === '') return { ok: false, fault: 'A row has prices and no model.' };
    if (seen.has(model)) return { ok: false, fault: `${model} is listed twice.` };
    seen.add(model);
    const rates = readRates(row);
    if (rates === null) return { ok: false, fault: `${model}: a price must be a number of US dollars, 0 or more.` };
    const above = readSteps(row.above);
    if (typeof above === 'string') return { ok: false, fault: `${model}: ${above}` };
    rows.push({ model, ...rates, ...(above.length > 0 && { above }) });
  }
  return { ok: true, rows };
}

/** Whether what is typed comes to other rows than those that are there; what cannot be read does. */
export function isChanged(draft: readonly DraftRow[], rows: readonly Price[]): boolean {
  const read = readDraft(draft);
  const asTyped = readDraft(toDraft(rows));
  return !read.ok || !asTyped.ok || JSON.stringify(read.rows) !== JSON.stringify(asTyped.rows);
}

function isEmpty(rates: DraftRates): boolean {
  return PRICE_FIELDS.every(({ field }) => rates[field].trim() === '');
}

function isEmptyStep(step: DraftStep): boolean {
  return step.tokens.trim() === '' && isEmpty(step);
}

function readRates(typed: DraftRates): Rates | null {
  const input = parsePrice(typed.input);
  const cachedRead = parsePrice(typed.cachedRead);
  const cacheWrite = parsePrice(typed.cacheWrite);
  if (input === null || cachedRead === null || cacheWrite === null) return null;
  if (isFaulty(typed.cacheWrite1h) || isFaulty(typed.output)) return null;
  const [cacheWrite1h, output] = [parsePrice(typed.cacheWrite1h), parsePrice(typed.output)];
  return {
    ...{ input, cachedRead, cacheWrite },
    ...(cacheWrite1h !== null && { cacheWrite1h }),
    ...(output !== null && { output }),
  };
}

/** The steps, ascending; a text = what is wrong. */
function readSteps(typed: readonly DraftStep[]): NonNullable<Price['above']> | string {
  const steps: NonNullable<Price['above']>[number][] = [];
  for (const step of typed) {
    if (isEmptyStep(step)) continue;
    const tokens = parseTokens(step.tokens);
    if (tokens === null) return 'a step for long prompts needs the number of tokens above which it applies.';
    const rates = readRates(step);
    if (rates === null) return `above ${plural(tokens, 'token')}: a price must be a number of US dollars, 0 or more.`;
    if (steps.some((other) => other.tokens === tokens)) return `above ${plural(tokens, 'token')} is listed twice.`;
    steps.push({ tokens, ...rates });
  }
  return steps.sort((a, b) => a.tokens - b.tokens);
}
