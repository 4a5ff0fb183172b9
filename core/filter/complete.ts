// browser-safe
// What a filter that is being typed may continue with: fields, and the values of a field with how many rows have them.
import { lexQuery } from '../search/lexQuery.ts';
import { FIELDS, fieldNamed, isCompared } from './fields.ts';
import { valueFilter } from './pieces.ts';
import type { ValueField } from './types.ts';

/** A value of a field with the number of rows that have it; null = not counted. */
export interface CountedValue {
  readonly value: string;
  readonly count: number | null;
}

/** The values there are, by field, the most frequent first. */
export type FieldCounts = Readonly<Partial<Record<ValueField, readonly CountedValue[]>>>;

/** A way to continue: `text` goes in place of [from, to) of the filter. */
export interface Completion {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly help: string;
  readonly count: number | null;
}

const LISTED = 12;

/** How the piece at the caret may continue. */
export function completeFilter(filter: string, caret: number, counts: FieldCounts): readonly Completion[] {
  const token = lexQuery(filter, isCompared).find(
    ({ kind, from, to }) => kind === 'text' && from < caret && caret <= to,
  );
  if (token?.kind !== 'text') return fieldsLike('', caret, caret);
  const { name, op, from, to, quoted } = token;
  if (name === null) return quoted ? [] : fieldsLike(filter.slice(from, caret).toLowerCase(), from, to);
  const typed = filter
    .slice(from + name.length + op.length, caret)
    .replaceAll('"', '')
    .toLowerCase();
  return op === ':' || op === '=' ? valuesLike(name, typed, from, to, counts) : [];
}

function fieldsLike(typed: string, from: number, to: number): readonly Completion[] {
  const fits = FIELDS.filter(({ name }) => name.startsWith(typed));
  return fits.map(({ name, type, help, example }) => {
    const text = type === 'number' ? `${name}>` : `${name}:`;
    return { text, from, to, help: `${help} (${example})`, count: null };
  });
}

function valuesLike(name: string, typed: string, from: number, to: number, counts: FieldCounts): readonly Completion[] {
  const field = fieldNamed(name.toLowerCase());
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
