import type { Problem } from '../model/problem.ts';
import { ownAt } from '../util/unknown.ts';
import { describeValue, OptionReader } from './optionReader.ts';
import type { ParamSchema } from './types.ts';

/**
 * Parses a stage's options: params are null if any option is in error; names that no schema knows are warned of. `forms` =
 * objects of a vendor that are taken apart before, by name, and what they must be: one that is left is in error.
 */
export function parseParams<P>(
  schemas: readonly ParamSchema[],
  options: Readonly<Record<string, unknown>>,
  read: (reader: OptionReader) => P,
  forms: Readonly<Record<string, string>> = {},
): { readonly params: P | null; readonly problems: readonly Problem[] } {
  const reader = new OptionReader(options);
  const params = read(reader);
  for (const [name, accepted] of Object.entries(forms)) {
    const given = ownAt(options, name);
    if (given === undefined || given === null) continue;
    reader.error(name, `Option ${name} must be ${accepted}; given: ${describeValue(given)}.`);
  }
  // An alias that leads into an object is read as one name, too; of the object its head is the option's name.
  const names = schemas.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const heads = names.map((name) => name.split('.')[0] ?? name);
  reader.warnOfUnknown(new Set(heads), new Set([...names, ...Object.keys(forms)]));
  return { params: reader.ok ? params : null, problems: reader.problems };
}
