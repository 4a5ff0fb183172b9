import { REQUEST_SETTINGS, type RequestFormat } from '../../model/requestSettings.ts';
import { isRecord } from '../../util/unknown.ts';
import { eachMember, spanAt } from './slices.ts';

/**
 * The settings of the request at `path` of a record: JSON text of an object whose values are those recorded, byte for
 * byte, in their order; undefined if it has none. Settings that are null say nothing.
 */
export function settingsAt(
  format: RequestFormat,
  text: string,
  path: readonly string[],
  body: Readonly<Record<string, unknown>>,
): string | undefined {
  const names: readonly string[] = REQUEST_SETTINGS[format];
  const known = new Set(names.filter((name) => Object.hasOwn(body, name) && isSetting(name, body[name])));
  const span = known.size === 0 ? null : spanAt(text, path);
  if (span === null) return undefined;
  const values = new Map<string, string>();
  eachMember(text, span.start, (key, value) => {
    if (known.has(key)) values.set(key, text.slice(value.start, value.end));
  });
  return `{${[...values].map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

// Metadata of a request are texts; others are what the recording tool keeps for itself.
function isSetting(name: string, value: unknown): boolean {
  if (name !== 'metadata') return value !== null;
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}
