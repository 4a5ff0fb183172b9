// browser-safe
import type { QueryProblem, Term } from '../search/types.ts';

/** Fields whose values are words. */
export type ValueField =
  | 'role'
  | 'kind'
  | 'tool'
  | 'call'
  | 'result'
  | 'is'
  | 'has'
  | 'model'
  | 'fate'
  | 'stage'
  | 'rule'
  | 'in'
  | 'used'
  | 'use';

/** Fields whose values are numbers, which can be compared. */
export type NumberField = 'tokens' | 'chars' | 'index' | 'turn' | 'uses';

/** Fields of a row's recorded time. */
export type TimeField = 'after' | 'before';

export type FilterField = ValueField | NumberField | TimeField;

export type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** What is asked of one row. `all` = nothing. Values are in small letters. `V`, `N` = the fields of the language. */
export type FilterExpr<V extends string = ValueField, N extends string = NumberField> =
  | { readonly kind: 'all' }
  | Term
  | { readonly kind: 'value'; readonly field: V; readonly value: string; readonly prefix: boolean }
  | { readonly kind: 'number'; readonly field: N; readonly is: Comparison; readonly than: number }
  /** `text` = as it was written; `time` in milliseconds. */
  | { readonly kind: 'time'; readonly field: TimeField; readonly text: string; readonly time: number }
  | { readonly kind: 'and' | 'or'; readonly of: readonly FilterExpr<V, N>[] }
  | { readonly kind: 'not'; readonly of: FilterExpr<V, N> };

/** Something to say about a filter; `instead` = what was probably meant in place of [from, to). */
export interface FilterProblem extends QueryProblem {
  readonly instead?: string;
}

/** A filter read. With a problem of severity `error` it must not be used. */
export interface ParsedFilter<V extends string = ValueField, N extends string = NumberField> {
  readonly expr: FilterExpr<V, N>;
  readonly problems: readonly FilterProblem[];
}

/** A row as filters see it. Called often: it answers from what is at hand. */
export interface FilterRow<V extends string = ValueField, N extends string = NumberField> {
  /** The row's values of a field in small letters; several where it has several, null where it has none. */
  values(field: V): string | readonly string[] | null;
  /** Null where it is not known. */
  number(field: N): number | null;
  /** The recorded time of its message in milliseconds; null = none is recorded. */
  time(): number | null;
  /** True if it says the words, as search defines that. */
  says(term: Term): boolean;
}
