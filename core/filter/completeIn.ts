// browser-safe
// What a filter that is being typed may continue with: fields, and the values of a field with how many rows have them.
import { lexQuery } from '../search/lexQuery.ts';
import { type FilterLanguage, isCompared } from './language.ts';
import { valueFilter } from './pieces.ts';

/** A value of a field with the number of rows that have it; null = not counted. */
export interface CountedValue {
  readonly value: string;
  readonly count: number | null;
}

/** A way to continue: `text` goes in place of [from, to) of the filter. */
export interface Completion {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly help: string;
  readonly count: number | null;
}

const LISTED = 12;

/** How the piece at the caret of a filter of a language may continue. */
export function completeIn<V extends string, N extends string>(
  language: FilterLanguage<V, N>,
  filter: string,
  caret: number,
  counts: Readonly<Partial<Record<V, readonly CountedValue[]>>>,
): readonly Completion[] {
  const token = lexQuery(filter, isCompared(language)).find(
    ({ kind, from, to }) => kind === 'text' && from < caret && caret <= to,
  );
  if (token?.kind !== 'text') return fieldsLike(language, '', caret, caret);
  const { name, op, from, to, quoted } = token;
  if (name === null) return quoted ? [] : fieldsLike(language, filter.slice(from, caret).toLowerCase(), from, to);
  const typed = filter
    .slice(from + name.length + op.length, caret)
    .replaceAll('"', '')
    .toLowerCase();
  return op === ':' || op === '=' ? valuesLike(language, { name, typed, from, to }, counts) : [];
}

function fieldsLike<V extends string, N extends string>(
  { fields }: FilterLanguage<V, N>,
  typed: string,
  from: number,
  to: number,
): readonly Completion[] {
  const fits = fields.filter(({ name }) => name.startsWith(typed));
  return fits.map(({ name, type, help, example }) => {
    const text = type === 'number' ? `${name}>` : `${name}:`;
    return { text, from, to, help: `${help} (${example})`, count: null };
  });
}

interface TypedValue {
  readonly name: string;
  readonly typed: string;
  readonly from: number;
  readonly to: number;
}

function valuesLike<V extends string, N extends string>(
  language: FilterLanguage<V, N>,
  { name, typed, from, to }: TypedValue,
  counts: Readonly<Partial<Record<V, readonly CountedValue[]>>>,
): readonly Completion[] {
  const field = language.fieldNamed(name.toLowerCase());
  if (field === undefined || field.type === 'number') return [];
  const counted = field.type === 'value' ? (counts[field.name] ?? []) : [];
  const known = new Map(counted.map(({ value, count }) => [value.toLowerCase(), count]));
  const fixed = (field.values ?? []).map(({ value, help }) => ({ value, help, count: known.get(value) ?? null }));
  const all = field.values === null ? counted.map((one) => ({ ...one, help: '' })) : fixed;
  return all
    .filter(({ value }) => value.toLowerCase().includes(typed))
    .sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, LISTED)
    .map(({ value, help, count }) => ({ text: valueFilter(field.name, value), from, to, help, count }));
}
