// JSON texts and the JSON in their strings. Traces keep requests and answers as JSON inside strings; a message's text is
// then the exact stretch of the text inside. What has to be put together is put together from such stretches.

import { isRecord, ownAt } from '../../../util/unknown.ts';
import { parseJson } from '../../reading/record.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';

/** A JSON text and what it parses to. */
export interface Json {
  readonly text: string;
  readonly value: unknown;
}

type Path = readonly (string | number)[];

/** The value at a path with its exact text; null if there is none, or it is null. */
export function jsonAt(json: Json, ...path: Path): Json | null {
  let value = json.value;
  for (const step of path) {
    if (typeof step === 'string') value = isRecord(value) ? ownAt(value, step) : undefined;
    else value = Array.isArray(value) ? value[step] : undefined;
  }
  if (value === undefined || value === null) return null;
  const text = sliceAt(json.text, path);
  return text === null ? null : { text, value };
}

/** The elements of a list with their exact texts; none if it is not a list. */
export function jsonElements(json: Json | null): readonly Json[] {
  if (!json || !Array.isArray(json.value)) return [];
  const values: readonly unknown[] = json.value;
  const start = spanAt(json.text, [])?.start ?? 0;
  return elementSpans(json.text, start).map(({ start: from, end }, at) => ({
    text: json.text.slice(from, end),
    value: values[at],
  }));
}

const LAYERS = 3;

/** The object or list that a string holds as JSON, also if it was encoded more than once; anything else as it is. */
export function decoded(json: Json | null): Json | null {
  let inner = json;
  for (let layer = 0; layer <= LAYERS; layer++) {
    if (typeof inner?.value !== 'string') return inner;
    if (!/^\s*["[{]/.test(inner.value)) return json;
    const parsed = parseJson(inner.value);
    if (parsed.error) return json;
    inner = { text: inner.value, value: parsed.value };
  }
  return json;
}

/** An object of members with the texts of their values; those without are left out. */
export function joined(...members: readonly (readonly [string, string | null | undefined])[]): Json {
  const kept = members.filter(([, text]) => text !== null && text !== undefined);
  const text = `{${kept.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
  return parsed(text);
}

/** A text that is known to be JSON, with its value. */
export function parsed(text: string): Json {
  const value: unknown = JSON.parse(text);
  return { text, value };
}
