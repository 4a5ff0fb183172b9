import type { Problem } from '../model/problem.ts';
import { OptionReader } from './optionReader.ts';
import type { ParamSchema } from './types.ts';

/** Parses a stage's options: params are null if any option is in error; names that no schema knows are warned of. */
export function parseParams<P>(
  schemas: readonly ParamSchema[],
  options: Readonly<Record<string, unknown>>,
  read: (reader: OptionReader) => P,
): { readonly params: P | null; readonly problems: readonly Problem[] } {
  const reader = new OptionReader(options);
  const params = read(reader);
  // Of an alias that leads into an object its head is the option's name.
  const names = schemas
    .flatMap(({ name, aliases = [] }) => [name, ...aliases])
    .map((name) => name.split('.')[0] ?? name);
  reader.warnOfUnknown(new Set(names));
  return { params: reader.ok ? params : null, problems: reader.problems };
}
