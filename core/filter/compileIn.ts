// browser-safe
import type { FilterLanguage, ValueMatch } from './language.ts';
import type { Comparison, FilterExpr, FilterRow } from './types.ts';

/** An expression of a language as a test, put together once: what is cheap is asked first. */
export function compileIn<V extends string, N extends string>(
  language: FilterLanguage<V, N>,
  expr: FilterExpr<V, N>,
): (row: FilterRow<V, N>) => boolean {
  const matches = new Map<string, ValueMatch>();
  for (const field of language.fields) if (field.type === 'value') matches.set(field.name, field.match);
  return compiled(expr, (field) => matches.get(field) ?? 'exact');
}

type Test<V extends string, N extends string> = (row: FilterRow<V, N>) => boolean;
type MatchOf = (field: string) => ValueMatch;

function compiled<V extends string, N extends string>(expr: FilterExpr<V, N>, matchOf: MatchOf): Test<V, N> {
  switch (expr.kind) {
    case 'all':
      return () => true;
    case 'words':
      return (row) => row.says(expr);
    case 'value':
      return valueTest<V, N>(expr, matchOf(expr.field));
    case 'number':
      return numberTest<V, N>(expr);
    case 'time':
      return timeTest<V, N>(expr);
    case 'not': {
      const test = compiled(expr.of, matchOf);
      return (row) => !test(row);
    }
    case 'and': {
      const tests = inOrderOfCost(expr.of, matchOf);
      return (row) => tests.every((test) => test(row));
    }
    case 'or': {
      const tests = inOrderOfCost(expr.of, matchOf);
      return (row) => tests.some((test) => test(row));
    }
  }
}

function inOrderOfCost<V extends string, N extends string>(
  exprs: readonly FilterExpr<V, N>[],
  matchOf: MatchOf,
): readonly Test<V, N>[] {
  const cost = (expr: FilterExpr<V, N>) => (hasWords(expr) ? 1 : 0);
  return [...exprs].sort((a, b) => cost(a) - cost(b)).map((expr) => compiled(expr, matchOf));
}

function hasWords<V extends string, N extends string>(expr: FilterExpr<V, N>): boolean {
  if (expr.kind === 'not') return hasWords(expr.of);
  if (expr.kind === 'and' || expr.kind === 'or') return expr.of.some(hasWords);
  return expr.kind === 'words';
}

function valueTest<V extends string, N extends string>(
  { field, value, prefix }: Extract<FilterExpr<V, N>, { kind: 'value' }>,
  match: ValueMatch,
): Test<V, N> {
  const isPart = match === 'part';
  const fits = (own: string): boolean =>
    isPart ? own.includes(value) : prefix ? own.startsWith(value) : own === value;
  return (row) => {
    const own = row.values(field);
    if (own === null) return false;
    return typeof own === 'string' ? fits(own) : own.some(fits);
  };
}

function numberTest<V extends string, N extends string>({
  field,
  is,
  than,
}: Extract<FilterExpr<V, N>, { kind: 'number' }>): Test<V, N> {
  const compare = COMPARE[is];
  return (row) => {
    const own = row.number(field);
    return own !== null && compare(own, than);
  };
}

const COMPARE: Readonly<Record<Comparison, (own: number, than: number) => boolean>> = {
  '=': (own, than) => own === than,
  '<': (own, than) => own < than,
  '<=': (own, than) => own <= than,
  '>': (own, than) => own > than,
  '>=': (own, than) => own >= than,
};

function timeTest<V extends string, N extends string>({
  field,
  time,
}: Extract<FilterExpr<V, N>, { kind: 'time' }>): Test<V, N> {
  return (row) => {
    const own = row.time();
    return own !== null && (field === 'after' ? own >= time : own < time);
  };
}
