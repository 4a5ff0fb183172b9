// browser-safe
import { type Completion, type CountedValue, completeIn } from './completeIn.ts';
import { ROW_LANGUAGE } from './fields.ts';
import type { ValueField } from './types.ts';

export type { Completion, CountedValue } from './completeIn.ts';

/** The values there are, by field, the most frequent first. */
export type FieldCounts = Readonly<Partial<Record<ValueField, readonly CountedValue[]>>>;

/** How the piece at the caret of a filter of rows may continue. */
export function completeFilter(filter: string, caret: number, counts: FieldCounts): readonly Completion[] {
  return completeIn(ROW_LANGUAGE, filter, caret, counts);
}
