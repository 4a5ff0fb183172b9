// A text that is taken out whole, because of something it says. Of a string that holds JSON the strings in it are: a call keeps
// its arguments.
import { isJsonText, parseString } from '../util/json/index.ts';
import { type JsonString, jsonStrings, rewrittenJson } from './json.ts';
import type { Found, StandInOf } from './types.ts';

/** The kind under which stand-ins of whole texts are made. */
export const TAKEN_OUT = 'taken_out';

/** One string of a JSON text as a single stretch that is written over. */
export function takenOut(json: string, { start, end }: JsonString): readonly Found[] {
  const raw = json.slice(start, end);
  const value = raw.includes('\\') ? parseString(`"${raw}"`, 0, raw.length + 2) : raw;
  const write = (standIn: StandInOf): string => JSON.stringify(written(value, standIn)).slice(1, -1);
  return [{ kind: TAKEN_OUT, tier: 'definite', from: 0, to: end - start, value, write }];
}

function written(value: string, standIn: StandInOf): string {
  if (!/^\s*[[{]/.test(value) || !isJsonText(value)) return standIn(TAKEN_OUT, value);
  const strings = jsonStrings(value).filter(({ isKey, start, end }) => !isKey && end > start);
  const found = strings.map((string) => ({ string, found: takenOut(value, string) }));
  return rewrittenJson(value, found, standIn);
}
