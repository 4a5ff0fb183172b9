// browser-safe
// The query language: words (all of them), "phrases", prefix*, -without, OR, ( ), and filters name:value. Whatever is
// typed is read: what makes no sense is a problem with its place, never a failure.

import { smallLetters } from '../util/canonicalForms.ts';
import { grouped } from '../util/counts.ts';
import { parseMoment } from './dates.ts';
import { filterNamed, likelyFilter } from './filters.ts';
import { readExpression, type TextToken } from './grammar.ts';
import { lexQuery, type QueryToken } from './lexQuery.ts';
import type { Expr, Now, Query, QueryProblem, Scope, TagName, Term } from './types.ts';
import { wordsOf } from './words.ts';

/** Longer queries are refused. Unit: UTF-16 units. */
export const QUERY_MAX_CHARS = 1000;
const PIECES_MAX = 100;
/** Shorter beginnings stand nearly everywhere, and take long to be found. Unit: characters. */
const PREFIX_MIN_CHARS = 3;
const META_FLAGS = ['injected', 'queued', 'compaction', 'sidechain'] as const;

/** Reads a query. With a problem of severity `error` it must not be run. */
export function parseQuery(text: string, now: Now): Query {
  const reader = new QueryReader(text, now);
  const expr = reader.read();
  const { scopes, problems } = reader;
  const isEmpty = expr.kind === 'all' && scopes.length === 0;
  if (isEmpty && problems.length === 0) reader.problem('error', 'There is nothing to search for.', 0, text.length);
  const failed = isEmpty && problems.every(({ severity }) => severity === 'warning');
  return {
    expr,
    scopes,
    terms: positiveTerms(expr),
    problems: failed ? problems.map((one) => ({ ...one, severity: 'error' })) : problems,
  };
}

/** Whether a query may be run. */
export function isRunnable({ problems }: Query): boolean {
  return problems.every(({ severity }) => severity !== 'error');
}

/** The terms of an expression that a match holds, not those it must not hold. */
export function positiveTerms(expr: Expr): readonly Term[] {
  switch (expr.kind) {
    case 'words':
      return [expr];
    case 'and':
    case 'or':
      return expr.of.flatMap(positiveTerms);
    case 'not':
      return expr.of.kind === 'not' ? positiveTerms(expr.of.of) : [];
    case 'all':
    case 'tag':
      return [];
  }
}

const ALL: Expr = { kind: 'all' };

class QueryReader {
  readonly scopes: Scope[] = [];
  readonly problems: QueryProblem[] = [];
  readonly #text: string;
  readonly #now: Now;
  readonly #tokens: readonly QueryToken[];

  constructor(text: string, now: Now) {
    this.#text = text;
    this.#now = now;
    this.#tokens = text.length > QUERY_MAX_CHARS ? [] : lexQuery(text);
  }

  read(): Expr {
    const { length } = this.#text;
    if (length > QUERY_MAX_CHARS) {
      this.problem(
        'error',
        `A query has at most ${grouped(QUERY_MAX_CHARS)} characters; this has ${grouped(length)}.`,
        0,
        length,
      );
    } else if (this.#tokens.length > PIECES_MAX) {
      this.problem(
        'error',
        `A query has at most ${PIECES_MAX} words and filters.`,
        this.#tokens[PIECES_MAX]!.from,
        length,
      );
    } else {
      return readExpression<Expr>(this.#tokens, {
        all: ALL,
        isAll: ({ kind }) => kind === 'all',
        and: (of) => ({ kind: 'and', of }),
        or: (of) => ({ kind: 'or', of }),
        not: (of) => ({ kind: 'not', of }),
        text: (token, depth, negated) => this.#textToken(token, depth, negated),
        problem: (...problem) => this.problem(...problem),
      });
    }
    return ALL;
  }

  problem(severity: QueryProblem['severity'], text: string, from: number, to: number): void {
    this.problems.push({ severity, text, from, to });
  }

  /** A word, a phrase or a filter. A negated scope is kept as such; what is returned is still to be negated. */
  #textToken(token: TextToken, depth: number, negated: boolean): Expr {
    const filter = token.name === null ? undefined : filterNamed(token.name.toLowerCase());
    if (filter === undefined || token.name === null) return this.#words(token);
    const { from, to } = token;
    if (token.text === '') {
      this.problem('warning', `${filter.name}: needs a value, for example ${filter.example}.`, from, to);
      return { kind: 'all' };
    }
    const value = smallLetters(token.text);
    if (filter.name === 'role' || filter.name === 'is' || filter.name === 'has') {
      if (!filter.values?.some((one) => one.value === value)) {
        const known = filter.values?.map((one) => one.value).join(', ');
        this.problem('error', `${filter.name}: knows ${known}; not “${token.text}”.`, from, to);
        return { kind: 'all' };
      }
    }
    const scope = this.#scope(filter.name, token, value);
    if (scope === null) return { kind: 'all' };
    if (scope === 'tag') return this.#tag(filter.name, value, token.star);
    if (depth > 0) {
      const text = `${filter.name}:${value} holds for the whole query: write it beside OR and brackets, not inside.`;
      this.problem('error', text, from, to);
      return { kind: 'all' };
    }
    this.scopes.push({ ...scope, negated });
    return { kind: 'all' };
  }

  #tag(name: string, value: string, prefix: boolean): Expr {
    const tag: TagName = name === 'role' || name === 'is' || name === 'has' ? name : 'tool';
    return { kind: 'tag', tag, value, prefix: prefix && tag === 'tool' };
  }

  #scope(name: string, token: TextToken, value: string): ScopeValue | 'tag' | null {
    switch (name) {
      case 'model':
      case 'format':
      case 'project':
      case 'in':
        return { kind: name, value };
      case 'before':
      case 'after':
        return this.#moment(name, token);
      case 'is': {
        const flag = META_FLAGS.find((one) => one === value);
        return flag === undefined ? 'tag' : { kind: 'flag', flag };
      }
      default:
        return 'tag';
    }
  }

  #moment(kind: 'before' | 'after', { text, from, to }: TextToken): ScopeValue | null {
    const time = parseMoment(text, this.#now);
    if (time !== null) return { kind, time };
    this.problem(
      'error',
      `${kind}: takes a date (2026-01-05, 2026-01) or a time ago (24h, 7d, 2w, 3m); not “${text}”.`,
      from,
      to,
    );
    return null;
  }

  #words({ name, text, quoted, star, from, to }: TextToken): Expr {
    const whole = name === null ? text : `${name}:${text}`;
    const near = name === null ? null : likelyFilter(name.toLowerCase());
    if (near !== null) {
      this.problem(
        'warning',
        `“${name}:” is not a filter and was searched as a word. Did you mean ${near}:?`,
        from,
        to,
      );
    }
    const words = wordsOf(whole).words.map((word) => word.text);
    const last = words.at(-1);
    if (last === undefined) {
      const shown = this.#text.slice(from, to);
      const what = quoted && text.trim() === '' ? 'These quotes are empty' : `“${shown}” holds no letter or digit`;
      this.problem('warning', `${what}: only words can be found.`, from, to);
      return { kind: 'all' };
    }
    if (star && last.length < PREFIX_MIN_CHARS && /^[\u0000-\u007f]*$/.test(last)) {
      this.problem('error', `Give at least ${PREFIX_MIN_CHARS} letters before *.`, from, to);
      return { kind: 'all' };
    }
    return { kind: 'words', words, prefix: star };
  }
}

type ScopeValue = Scope extends infer S
  ? S extends { readonly negated: boolean }
    ? Omit<S, 'negated'>
    : never
  : never;
