// browser-safe
import { USE_WORDS } from './fields.ts';
import type { FilterExpr } from './types.ts';

/** A filter as text: read again it is the same expression. `all` is the empty text. */
export function printFilter(expr: FilterExpr): string {
  switch (expr.kind) {
    case 'all':
      return '';
    case 'words':
      return `${wordsText(expr.words)}${expr.prefix ? '*' : ''}`;
    case 'value':
      return `${expr.field}:${valueText(expr.value)}${expr.prefix ? '*' : ''}`;
    case 'number':
      return `${expr.field}${expr.is}${expr.than}`;
    case 'time':
      return `${expr.field}:${expr.text}`;
    case 'not':
      return `-${unit(expr.of)}`;
    case 'and':
      return expr.of.map((one) => (one.kind === 'and' ? `(${printFilter(one)})` : printFilter(one))).join(' ');
    case 'or':
      return expr.of.map(unit).join(' OR ');
  }
}

function unit(expr: FilterExpr): string {
  const isOne = expr.kind !== 'and' && expr.kind !== 'or';
  // Two dashes would be read as a word.
  return isOne && !(expr.kind === 'not') ? printFilter(expr) : `(${printFilter(expr)})`;
}

function wordsText(words: readonly string[]): string {
  const [only = ''] = words;
  return words.length === 1 && /^[a-z0-9]+$/.test(only) && !USE_WORDS.has(only) ? only : `"${words.join(' ')}"`;
}

function valueText(value: string): string {
  return /^[^\s"()*]+$/.test(value) ? value : `"${value}"`;
}

/** A value of a field as a filter, as a click on it offers it. */
export function valueFilter(field: string, value: string): string {
  return `${field}:${valueText(value.replaceAll('"', ''))}`;
}

/** Puts a piece behind a filter: both have to hold. What is there already is not said twice. */
export function withPiece(filter: string, piece: string): string {
  const trimmed = filter.trim();
  if (trimmed === '') return piece;
  return trimmed.split(/\s+/).includes(piece) ? trimmed : `${trimmed} ${piece}`;
}
