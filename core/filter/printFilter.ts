// browser-safe
import { USE_WORDS } from './fields.ts';
import { valueText } from './pieces.ts';
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
