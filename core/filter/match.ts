import type { Term } from '../search/types.ts';
import { FIELDS } from './fields.ts';
import type { Comparison, FilterExpr, FilterRow } from './types.ts';

/** Whether a row fits. */
export type RowTest = (row: FilterRow) => boolean;

const SOURCES = new Map(FIELDS.map((field) => [field.name, field.source]));
const MATCHES = new Map(
  FIELDS.flatMap((field) => (field.type === 'value' ? [[field.name, field.match] as const] : [])),
);

/** An expression as a test, put together once: what is cheap is asked first. */
export function compileFilter(expr: FilterExpr): RowTest {
  switch (expr.kind) {
    case 'all':
      return () => true;
    case 'words':
      return (row) => row.says(expr);
    case 'value':
      return valueTest(expr);
    case 'number':
      return numberTest(expr);
    case 'time':
      return timeTest(expr);
    case 'not': {
      const test = compileFilter(expr.of);
      return (row) => !test(row);
    }
    case 'and': {
      const tests = inOrderOfCost(expr.of);
      return (row) => tests.every((test) => test(row));
    }
    case 'or': {
      const tests = inOrderOfCost(expr.of);
      return (row) => tests.some((test) => test(row));
    }
  }
}

/** What has to be known before rows can be tested, besides facts and projection. */
export interface FilterNeeds {
  readonly uses: boolean;
  /** Words whose places in the rows are to be found. */
  readonly terms: readonly Term[];
}

/** What an expression needs. */
export function needsOf(expr: FilterExpr): FilterNeeds {
  switch (expr.kind) {
    case 'all':
    case 'time':
      return { uses: false, terms: [] };
    case 'words':
      return { uses: false, terms: [expr] };
    case 'value':
    case 'number':
      return { uses: SOURCES.get(expr.field) === 'uses', terms: [] };
    case 'not':
      return needsOf(expr.of);
    case 'and':
    case 'or': {
      const all = expr.of.map(needsOf);
      return { uses: all.some(({ uses }) => uses), terms: all.flatMap(({ terms }) => terms) };
    }
  }
}

function inOrderOfCost(exprs: readonly FilterExpr[]): readonly RowTest[] {
  const cost = (expr: FilterExpr) => (needsOf(expr).terms.length > 0 ? 1 : 0);
  return [...exprs].sort((a, b) => cost(a) - cost(b)).map(compileFilter);
}

function valueTest({ field, value, prefix }: Extract<FilterExpr, { kind: 'value' }>): RowTest {
  const isPart = MATCHES.get(field) === 'part';
  const fits = (own: string): boolean =>
    isPart ? own.includes(value) : prefix ? own.startsWith(value) : own === value;
  return (row) => {
    const own = row.values(field);
    if (own === null) return false;
    return typeof own === 'string' ? fits(own) : own.some(fits);
  };
}

function numberTest({ field, is, than }: Extract<FilterExpr, { kind: 'number' }>): RowTest {
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

function timeTest({ field, time }: Extract<FilterExpr, { kind: 'time' }>): RowTest {
  return (row) => {
    const own = row.time();
    return own !== null && (field === 'after' ? own >= time : own < time);
  };
}
