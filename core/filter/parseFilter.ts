// browser-safe
import type { Now } from '../search/types.ts';
import { ROW_LANGUAGE } from './fields.ts';
import { parseIn } from './parseIn.ts';
import type { ParsedFilter } from './types.ts';

export { FILTER_MAX_CHARS, isUsable } from './parseIn.ts';

/** Reads a filter of rows; an empty one asks for nothing. */
export function parseFilter(text: string, now: Now): ParsedFilter {
  return parseIn(ROW_LANGUAGE, text, now);
}
