// The price table while it is edited: texts as typed, one fault at a time told, rows only when all of them can be read.
import type { Price } from '../../core/protocol/types.ts';

/** A row as typed. */
export interface DraftRow {
  readonly model: string;
  readonly input: string;
  readonly cachedRead: string;
  readonly cacheWrite: string;
}

export type PriceField = Exclude<keyof DraftRow, 'model'>;

export const PRICE_FIELDS: readonly { readonly field: PriceField; readonly title: string }[] = [
  { field: 'input', title: 'Input' },
  { field: 'cachedRead', title: 'Read from cache' },
  { field: 'cacheWrite', title: 'Write to cache' },
];

export function toDraft(rows: readonly Price[]): readonly DraftRow[] {
  return rows.map(({ model, input, cachedRead, cacheWrite }) => ({
    model,
    input: String(input),
    cachedRead: String(cachedRead),
    cacheWrite: String(cacheWrite),
  }));
}

/** Dollars for a million tokens as typed; null = no price. */
export function parsePrice(text: string): number | null {
  const trimmed = text.trim().replace(/^\$/, '').replace(',', '.');
  if (!/^\d+(\.\d+)?$|^\.\d+$/.test(trimmed)) return null;
  return Number(trimmed);
}

/** The rows, or what is wrong with the first that is none. Rows left empty are left out. */
export function readDraft(
  draft: readonly DraftRow[],
): { readonly ok: true; readonly rows: readonly Price[] } | { readonly ok: false; readonly fault: string } {
  const rows: Price[] = [];
  const seen = new Set<string>();
  for (const row of draft) {
    const model = row.model.trim();
    if (model === '' && PRICE_FIELDS.every(({ field }) => row[field].trim() === '')) continue;
    if (model === '') return { ok: false, fault: 'A row has prices and no model.' };
    if (seen.has(model)) return { ok: false, fault: `${model} stands there twice.` };
    seen.add(model);
    const [input, cachedRead, cacheWrite] = PRICE_FIELDS.map(({ field }) => parsePrice(row[field]));
    if (input == null || cachedRead == null || cacheWrite == null) {
      return { ok: false, fault: `${model}: a price must be a number of US dollars, 0 or more.` };
    }
    rows.push({ model, input, cachedRead, cacheWrite });
  }
  return { ok: true, rows };
}
