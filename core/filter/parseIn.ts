// browser-safe
// Filters: the grammar of search (docs/search.md) with the fields of a language, and comparisons. Rows have one, and the
// library has one.

import { parseMoment } from '../search/dates.ts';
import { isNear } from '../search/filters.ts';
import { readExpression, type TextToken } from '../search/grammar.ts';
import { lexQuery } from '../search/lexQuery.ts';
import type { Now, QueryProblem } from '../search/types.ts';
import { wordsOf } from '../search/words.ts';
import { smallLetters } from '../util/canonicalForms.ts';
import { grouped } from '../util/counts.ts';
import { type FilterLanguage, fieldNear, isCompared, type LanguageField } from './language.ts';
import type { Comparison, FilterExpr, FilterProblem, ParsedFilter } from './types.ts';

/** Longer filters are refused. Unit: UTF-16 units. */
export const FILTER_MAX_CHARS = 1000;
const PIECES_MAX = 100;
const NUMBER = /^(\d{1,12}(?:\.\d{1,6})?)([km]?)$/i;
const SCALES: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };
const ALL = { kind: 'all' } as const;

/** Reads a filter of a language. */
export function parseIn<V extends string, N extends string>(
  language: FilterLanguage<V, N>,
  text: string,
  now: Now,
): ParsedFilter<V, N> {
  const reader = new FilterReader(language, text, now);
  const expr = reader.read();
  return { expr, problems: reader.problems };
}

/** Whether a filter may be used. */
export function isUsable({ problems }: Pick<ParsedFilter, 'problems'>): boolean {
  return problems.every(({ severity }) => severity !== 'error');
}

class FilterReader<V extends string, N extends string> {
  readonly problems: FilterProblem[] = [];
  readonly #language: FilterLanguage<V, N>;
  readonly #text: string;
  readonly #now: Now;

  constructor(language: FilterLanguage<V, N>, text: string, now: Now) {
    this.#language = language;
    this.#text = text;
    this.#now = now;
  }

  read(): FilterExpr<V, N> {
    const { length } = this.#text;
    if (length > FILTER_MAX_CHARS) {
      return this.#error(
        `A filter has at most ${grouped(FILTER_MAX_CHARS)} characters; this has ${grouped(length)}.`,
        0,
        length,
      );
    }
    const tokens = lexQuery(this.#text, isCompared(this.#language));
    const beyond = tokens[PIECES_MAX];
    if (beyond !== undefined) return this.#error(`A filter has at most ${PIECES_MAX} pieces.`, beyond.from, length);
    return readExpression<FilterExpr<V, N>>(tokens, {
      all: ALL,
      isAll: ({ kind }) => kind === 'all',
      and: (of) => ({ kind: 'and', of }),
      or: (of) => ({ kind: 'or', of }),
      not: (of) => ({ kind: 'not', of }),
      text: (token) => this.#textToken(token),
      problem: (...problem) => this.#problem(...problem),
    });
  }

  #problem(severity: QueryProblem['severity'], text: string, from: number, to: number, instead?: string): void {
    this.problems.push({ severity, text, from, to, ...(instead !== undefined && { instead }) });
  }

  #error(text: string, from: number, to: number, instead?: string): FilterExpr<V, N> {
    this.#problem('error', text, from, to, instead);
    return ALL;
  }

  #textToken(token: TextToken): FilterExpr<V, N> {
    const { name, text } = token;
    if (name === null) return this.#words(token);
    const field = this.#language.fieldNamed(name.toLowerCase());
    if (field === undefined) return this.#noField(token, name);
    const isAny = this.#language.emptyIsAny && field.type === 'value' && field.values === null;
    if (text.trim() === '' && !isAny) {
      return this.#error(`${field.name} needs a value, for example ${field.example}.`, token.from, token.to);
    }
    switch (field.type) {
      case 'value':
        return this.#value(field, token);
      case 'number':
        return this.#number(field, token);
      case 'time':
        return this.#moment(field, token);
    }
  }

  /** A name before a colon that is not a field: a slip where one is near, else a part of what is looked for. */
  #noField(token: TextToken, name: string): FilterExpr<V, N> {
    const near = fieldNear(this.#language, name.toLowerCase());
    if (near === undefined) return this.#words(token);
    const instead = `${near.name}${this.#text.slice(token.from + name.length, token.to)}`;
    return this.#error(`There is no field “${name}”. Did you mean ${near.name}?`, token.from, token.to, instead);
  }

  #value(field: Extract<LanguageField<V, N>, { type: 'value' }>, token: TextToken): FilterExpr<V, N> {
    const { name, match, values } = field;
    const { from, to, star } = token;
    if (token.op !== ':' && token.op !== '=') {
      const text = `${name} has values that cannot be compared: write ${field.example}.`;
      return this.#error(text, from, to, `${name}:${token.text}`);
    }
    const value = this.#language.realValue(name, smallLetters(token.text));
    if (values !== null && !values.some((one) => one.value === value)) {
      const near = values.find((one) => isNear(value, one.value) || one.value.startsWith(value));
      const known = values.map((one) => one.value).join(', ');
      const hint = near === undefined ? '' : ` Did you mean ${name}:${near.value}?`;
      const text = `${name} is one of ${known}; not “${token.text}”.${hint}`;
      return this.#error(text, from, to, near && `${name}:${near.value}`);
    }
    return { kind: 'value', field: name, value, prefix: star && match === 'name' };
  }

  #number({ name, example }: Extract<LanguageField<V, N>, { type: 'number' }>, token: TextToken): FilterExpr<V, N> {
    const [, digits, scale] = NUMBER.exec(token.text.replaceAll(',', '')) ?? [];
    if (digits === undefined || scale === undefined) {
      const text = `${name} is compared with a number, for example ${example}; not with “${token.text}”.`;
      return this.#error(text, token.from, token.to);
    }
    const than = Number(digits) * (SCALES[scale.toLowerCase()] ?? 1);
    const is: Comparison = token.op === ':' ? '=' : token.op;
    return { kind: 'number', field: name, is, than };
  }

  #moment({ name }: Extract<LanguageField<V, N>, { type: 'time' }>, token: TextToken): FilterExpr<V, N> {
    const { text, from, to, op } = token;
    const time = op === ':' || op === '=' ? parseMoment(text, this.#now) : null;
    if (time !== null) return { kind: 'time', field: name, text: text.toLowerCase(), time };
    const takes = 'takes a date (2026-01-05, 2026-01) or a time ago (24h, 7d, 2w, 3m)';
    return this.#error(`${name}: ${takes}; not “${text}”.`, from, to);
  }

  #words(token: TextToken): FilterExpr<V, N> {
    const own = this.#language.words(token);
    if (own !== null) return own;
    const { star, from, to, quoted, name, op, text } = token;
    const words = wordsOf(name === null ? text : `${name}${op}${text}`).words.map((word) => word.text);
    if (words.length > 0) return { kind: 'words', words, prefix: star };
    const what =
      quoted && text.trim() === ''
        ? 'These quotes are empty'
        : `“${this.#text.slice(from, to)}” holds no letter or digit`;
    this.#problem('warning', `${what}: only words can be found.`, from, to);
    return ALL;
  }
}
