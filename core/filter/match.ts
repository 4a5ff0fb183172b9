import type { Term } from '../search/types.ts';
import { compileIn } from './compileIn.ts';
import { FIELDS, ROW_LANGUAGE } from './fields.ts';
import type { FilterExpr, FilterRow } from './types.ts';

/** Whether a row fits. */
export type RowTest = (row: FilterRow) => boolean;

const SOURCES = new Map(FIELDS.map((field) => [field.name, field.source]));
/** An expression as a test, put together once: what is cheap is asked first. */
export function compileFilter(expr: FilterExpr): RowTest {
  return compileIn(ROW_LANGUAGE, expr);
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
