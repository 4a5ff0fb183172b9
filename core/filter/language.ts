// browser-safe
// What a language of filters is: the grammar is one (core/search/grammar.ts), its fields are those of what it asks about.
import type { FilterValue } from '../search/filters.ts';
import { isNear } from '../search/filters.ts';
import type { TextToken } from '../search/grammar.ts';
import type { FilterExpr, NumberField, TimeField, ValueField } from './types.ts';

/** How a value that was asked for is held against a row's: all of it, its beginning with *, or any part of it. */
export type ValueMatch = 'exact' | 'name' | 'part';

/** A field, whatever language it is of. */
export type LanguageField<V extends string = ValueField, N extends string = NumberField> = {
  readonly help: string;
  readonly example: string;
} & (
  | {
      readonly type: 'value';
      readonly name: V;
      readonly match: ValueMatch;
      /** All values there are; null where the rows decide. */
      readonly values: readonly FilterValue[] | null;
    }
  | { readonly type: 'number'; readonly name: N; readonly unit: string }
  | { readonly type: 'time'; readonly name: TimeField; readonly values: readonly FilterValue[] }
);

/** The fields of a language, and what it makes of words. */
export interface FilterLanguage<V extends string = ValueField, N extends string = NumberField> {
  /** In the order they are offered. */
  readonly fields: readonly LanguageField<V, N>[];
  /** The field of that name in small letters, whatever other names it has; undefined if there is none. */
  readonly fieldNamed: (name: string) => LanguageField<V, N> | undefined;
  /** A value as filters have it, whatever other name it was given. */
  readonly realValue: (field: V, given: string) => string;
  /** What words without a field ask for; null = what is said, as search defines a word. */
  readonly words: (token: TextToken) => FilterExpr<V, N> | null;
  /** Whether a field without a value asks whether there is any; else that is an error. */
  readonly emptyIsAny: boolean;
}

/** The field that a name was probably meant for: one letter off. */
export function fieldNear<V extends string, N extends string>(
  { fields }: Pick<FilterLanguage<V, N>, 'fields'>,
  name: string,
): LanguageField<V, N> | undefined {
  return name.length > 2 ? fields.find((field) => isNear(name, field.name)) : undefined;
}

/** Whether a name, in small letters, may stand before < > =: that of a field, or nearly. */
export function isCompared<V extends string, N extends string>(language: FilterLanguage<V, N>) {
  return (name: string): boolean => language.fieldNamed(name) !== undefined || fieldNear(language, name) !== undefined;
}
