import type { Usage, UsageFigures } from '../../../model/message.ts';
import { type Fields, numberAt, stringAt } from '../../../util/unknown.ts';
import { nonEmpty } from '../../reading/shared.ts';

type Names = { readonly [K in keyof Required<UsageFigures>]: readonly string[] };

/** The first of the names that holds a number, also one written as a string of digits. */
export function numberIn(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const digits = stringAt(fields, name);
    const value = digits !== undefined && /^\d{1,15}$/.test(digits) ? Number(digits) : numberAt(fields, name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Usage from the names a tool has for it; undefined if none of them is there. Numbers as recorded. */
export function usageIn(fields: Fields, names: Names): Usage | undefined {
  return nonEmpty({
    input: numberIn(fields, names.input),
    output: numberIn(fields, names.output),
    cacheRead: numberIn(fields, names.cacheRead),
    cacheWrite: numberIn(fields, names.cacheWrite),
    reasoning: numberIn(fields, names.reasoning),
    total: numberIn(fields, names.total),
  });
}
