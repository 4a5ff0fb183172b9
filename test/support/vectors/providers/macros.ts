// Long inputs are written short in vector files: `{"$repeat": text, "$times": n}` for a text n times, and, in place of a
// list, `{"$each": n, "message": m}` for m n times, with `{n}` = 0, 1, … in its texts.
import { isRecord, numberAt, ownAt, stringAt } from '../../../../core/util/unknown.ts';

/** The value with its macros written out. */
export function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.flatMap((each) => (isEach(each) ? listOf(each) : [expanded(each)]));
  if (!isRecord(value)) return value;
  if (isEach(value)) return listOf(value);
  const repeated = stringAt(value, '$repeat');
  if (repeated !== undefined) return repeated.repeat(numberAt(value, '$times') ?? 1);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, expanded(each)]));
}

function isEach(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && numberAt(value, '$each') !== undefined;
}

function listOf(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const message = JSON.stringify(expanded(ownAt(value, 'message') ?? ownAt(value, 'item')));
  return Array.from({ length: numberAt(value, '$each') ?? 0 }, (_, n): unknown =>
    JSON.parse(message.replaceAll('{n}', String(n))),
  );
}
