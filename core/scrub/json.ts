// Strings of a JSON text, keys included, where they are: what is searched, and what is written with something else in it.
import type { JsonPath } from '../model/message.ts';
import { parseString, walkJson } from '../util/json/index.ts';
import { secretUnder } from './assignments.ts';
import { type FindOptions, findIn, rewritten } from './findIn.ts';
import type { Found, StandInOf } from './types.ts';

/** One string of a JSON text. */
export interface JsonString {
  /** Offsets of what is between the quotes. */
  readonly start: number;
  readonly end: number;
  /** Of a key: the path of its object. */
  readonly path: JsonPath;
  readonly isKey: boolean;
  /** The name it is under: of an element of a list, that of the list. '' = none. */
  readonly key: string;
  /** Of a `value`: what the `name` or `key` before it in the same object says. */
  readonly label?: string;
}

/** Longer texts are not the names of values. Unit: characters. */
const MOST_LABEL = 80;

/** All strings of a JSON text in order. */
export function jsonStrings(text: string): readonly JsonString[] {
  const found: JsonString[] = [];
  const path: (string | number)[] = [];
  const open: { readonly isObject: boolean; count: number; key: string; label?: string }[] = [];
  const enter = (): void => {
    const top = open.at(-1);
    if (top !== undefined) path.push(top.isObject ? top.key : top.count++);
  };
  const labelOf = (start: number, end: number): void => {
    const top = open.at(-1);
    const isLabel = top?.isObject && (top.key === 'name' || top.key === 'key') && end - start < MOST_LABEL;
    if (isLabel) top.label = parseString(text, start, end);
  };
  walkJson(
    text,
    0,
    {
      open(_start, isObject) {
        enter();
        open.push({ isObject, count: 0, key: isObject ? '' : (open.at(-1)?.key ?? '') });
      },
      key(start, end) {
        const top = open.at(-1);
        const key = parseString(text, start, end);
        if (top !== undefined) top.key = key;
        found.push({ start: start + 1, end: end - 1, path: [...path], isKey: true, key: '' });
      },
      scalar(start, end) {
        enter();
        if (text.charCodeAt(start) === 0x22) {
          const { key = '', label } = open.at(-1) ?? {};
          const place = { start: start + 1, end: end - 1, path: [...path], isKey: false, key };
          found.push(key === 'value' && label !== undefined ? { ...place, label } : place);
          labelOf(start, end);
        }
        if (open.length > 0) path.pop();
      },
      close() {
        open.pop();
        if (open.length > 0) path.pop();
      },
    },
    true,
  );
  return found;
}

/** What was found in one string of a JSON text; offsets of `found` count from `string.start`. */
export interface FoundInString {
  readonly string: JsonString;
  readonly found: readonly Found[];
}

/** What is found in the strings of a JSON text. Strings of which nothing is found are left out. */
export function findInJson(text: string, options: Pick<FindOptions, 'detectors'> = {}): readonly FoundInString[] {
  return jsonStrings(text).flatMap((string) => {
    const found = findInString(text.slice(string.start, string.end), string, options);
    return found.length === 0 ? [] : [{ string, found }];
  });
}

/** What is found between the quotes of one string. */
export function findInString(
  raw: string,
  { key, isKey, label }: Pick<JsonString, 'key' | 'isKey' | 'label'>,
  options: Pick<FindOptions, 'detectors'> = {},
): readonly Found[] {
  if (raw.length < 4) return [];
  const found = findIn(raw, { ...options, isEscaped: true });
  if (isKey || key === '' || found.length > 0) return found;
  const value = raw.includes('\\') ? parseString(`"${raw}"`, 0, raw.length + 2) : raw;
  const named = secretUnder(label ?? key, value);
  return named === null ? [] : findIn(raw, { detectors: [() => [named]], isEscaped: true }).slice(0, 1);
}

/** The JSON text with each found stretch written with its stand-in. */
export function rewrittenJson(text: string, all: readonly FoundInString[], standIn: StandInOf): string {
  const moved = all.flatMap(({ string, found }) =>
    found.map((one): Found => ({ ...one, from: one.from + string.start, to: one.to + string.start })),
  );
  return rewritten(text, moved, standIn);
}
