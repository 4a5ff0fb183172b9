// The numbers of the budget card, computed. Units: tokens.
import { CATEGORIES, CATEGORY_LABEL, type Category } from '../../core/model/category.ts';
import type { ModelInfo, Provenance, TokenFigure } from '../../core/protocol/types.ts';
import { aboutWord, formatCount, formatShare } from '../ui/format.ts';

/** A coloured piece of the bar: `share` of the bar's whole width, 0..1. */
export interface Segment {
  readonly category: Category;
  readonly label: string;
  readonly tokens: number;
  readonly share: number;
}

/** The pieces of the bar. Over the window, or without one, the whole is the total, so that the bar is full. */
export function segments(figure: TokenFigure, window: number | null): readonly Segment[] {
  const whole = Math.max(window ?? 0, figure.total);
  if (whole === 0) return [];
  return CATEGORIES.filter((category) => figure.byCategory[category] > 0).map((category) => ({
    category,
    label: CATEGORY_LABEL[category],
    tokens: figure.byCategory[category],
    share: figure.byCategory[category] / whole,
  }));
}

export interface CategoryRow {
  readonly category: Category;
  readonly label: string;
  readonly raw: number;
  readonly projected: number;
  readonly difference: number;
}

/** One line per category that holds anything, raw or projected. */
export function categoryRows(raw: TokenFigure, projected: TokenFigure): readonly CategoryRow[] {
  return CATEGORIES.map((category) => ({
    category,
    label: CATEGORY_LABEL[category],
    raw: raw.byCategory[category],
    projected: projected.byCategory[category],
    difference: projected.byCategory[category] - raw.byCategory[category],
  })).filter((row) => row.raw > 0 || row.projected > 0);
}

/** `Over by 12,400: …`. `off` = by how much counts like these are typically wrong, in tokens. */
export function overText(tokens: number, provenance: Provenance, off = 0): string {
  const over = `Over by ${aboutWord(provenance)}${formatCount(tokens)}`;
  if (tokens > off) return `${over}: a provider would refuse this request.`;
  return `${over}, where counts are typically ${formatCount(off)} off: a provider may refuse this request.`;
}

/** How the total stands to the window, in plain words. */
export interface WindowState {
  readonly tone: 'ok' | 'close' | 'over' | 'unknown';
  readonly text: string;
}

/** `138,612 free (69%)`, `over by 12,400: the request would be refused`. Close = above nine tenths. */
export function windowState(total: number, window: number | null, provenance: Provenance, off = 0): WindowState {
  if (window === null) return { tone: 'unknown', text: 'No window known for this model: set one.' };
  const about = aboutWord(provenance);
  if (total > window) {
    return { tone: 'over', text: overText(total - window, provenance, off) };
  }
  const free = window - total;
  const text = `${about}${formatCount(free)} free (${formatShare(free, window)})`;
  return { tone: total > window * 0.9 ? 'close' : 'ok', text };
}

/** A difference with its sign: `−52,310`, `+12`, `0`. */
export function signed(difference: number): string {
  if (difference === 0) return '0';
  return `${difference < 0 ? '−' : '+'}${formatCount(Math.abs(difference))}`;
}

/** `exact, o200k`. A label that says itself how it counts (`estimated with …`) stands alone. */
export function describeProvenance(provenance: Provenance, tokenizerLabel: string): string {
  if (tokenizerLabel === '' || tokenizerLabel.startsWith(provenance)) return tokenizerLabel || provenance;
  return `${provenance}, ${tokenizerLabel}`;
}

/** The model whose window and tokenizer are set now, if they are those of one; the transcript's own goes first. */
export function chosenModel(
  models: readonly ModelInfo[],
  window: number | null,
  tokenizer: string,
  ownModel: string | null,
): ModelInfo | null {
  const fits = models.filter((model) => model.window === window && model.tokenizer === tokenizer);
  return fits.find((model) => model.id === ownModel) ?? fits[0] ?? null;
}

/** Share of the bar in a list of figures, against the largest of them and the window. */
export function listShare(total: number, window: number | null, totals: readonly number[]): number {
  const whole = window ?? Math.max(1, ...totals);
  return Math.min(1, total / whole);
}

/** `#187, #219 and 12 more`. */
export function indexList(
  indices: readonly number[],
  count: number,
  shown: number,
): { readonly first: readonly number[]; readonly more: number } {
  const first = indices.slice(0, shown);
  return { first, more: Math.max(0, count - first.length) };
}
