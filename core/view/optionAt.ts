// browser-safe
import { isRecord } from '../util/unknown.ts';

/** The value of an option by name; a name with a dot (`default.mode`) leads into an object. Undefined = not given. */
export function optionAt(options: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(options, name)) return options[name];
  const [head = '', ...rest] = name.split('.');
  const inner = rest.length > 0 && Object.hasOwn(options, head) ? options[head] : undefined;
  return isRecord(inner) ? optionAt(inner, rest.join('.')) : undefined;
}
