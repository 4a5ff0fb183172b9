// browser-safe
import type { Expr, Tag } from './types.ts';
import { BOUNDARY } from './words.ts';

const TAG_MARK = '\ue001';
const TAG_MAX_BYTES = 100;
const encoder = new TextEncoder();

/** How the index writes that a content has something: one word that is in no text. */
export function tagWord(tag: Tag['tag'], value: string): string {
  let hex = '';
  for (const byte of encoder.encode(value.toLowerCase()).subarray(0, TAG_MAX_BYTES)) {
    hex += byte.toString(16).padStart(2, '0');
  }
  return `${TAG_MARK}${tag}${hex}`;
}

/** The value that such a word stands for, in lower case. */
export function tagValue(tag: Tag['tag'], word: string): string {
  const hex = word.slice(TAG_MARK.length + tag.length);
  const bytes = Uint8Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
  return new TextDecoder().decode(bytes);
}

/**
 * An expression in the syntax of FTS5 (https://sqlite.org/fts5.html#full_text_query_syntax). Nothing of it was typed by
 * anybody: it is made of words, which hold no syntax, in quotes.
 */
export function ftsExpression(expr: Expr): string {
  switch (expr.kind) {
    case 'all':
      return `"${BOUNDARY}"`;
    case 'words':
      return `"${expr.words.join(' ')}"${expr.prefix ? ' *' : ''}`;
    case 'tag':
      return `"${tagWord(expr.tag, expr.value)}"${expr.prefix ? ' *' : ''}`;
    case 'or':
      return expr.of.map((one) => `(${ftsExpression(one)})`).join(' OR ');
    case 'not':
      return `"${BOUNDARY}" NOT (${ftsExpression(expr.of)})`;
    case 'and':
      return conjunction(expr.of);
  }
}

function conjunction(exprs: readonly Expr[]): string {
  const wanted = exprs.filter(({ kind }) => kind !== 'not').map((one) => `(${ftsExpression(one)})`);
  const unwanted = exprs.flatMap((one) => (one.kind === 'not' ? [`(${ftsExpression(one.of)})`] : []));
  const positive = wanted.length === 0 ? `"${BOUNDARY}"` : wanted.join(' AND ');
  return unwanted.length === 0 ? positive : `(${positive}) NOT (${unwanted.join(' OR ')})`;
}
