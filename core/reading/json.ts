// browser-safe
import { parseExact, RawJson } from '../util/json/index.ts';
import { isRecord } from '../util/unknown.ts';

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Where a text that was cut can be closed: after a whole value, with what is open there. */
interface Place {
  readonly end: number;
  readonly open: readonly string[];
}

/**
 * A JSON object whose text was cut off, as far as it goes: a string that was cut ends where the text does, any other value,
 * and a key, is left out if it is not whole. Null: not an object.
 */
export function readCutJson(text: string): Readonly<Record<string, unknown>> | null {
  const { open, isInString, whole } = scan(text);
  if (isInString) {
    const words = withoutHalfEscape(text);
    const value = parsedJson(`${words}"${closing(open)}`);
    if (isRecord(value)) return value;
  }
  const value = whole === null ? null : parsedJson(`${text.slice(0, whole.end)}${closing(whole.open)}`);
  return isRecord(value) ? value : null;
}

function scan(text: string): {
  readonly open: readonly string[];
  readonly isInString: boolean;
  readonly whole: Place | null;
} {
  const open: string[] = [];
  let whole: Place | null = null;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (isInString) {
      if (char === '\\') at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === ',') whole = { end: at, open: [...open] };
    else if (char === '{' || char === '[') {
      open.push(char);
      whole = { end: at + 1, open: [...open] };
    } else if (char === '}' || char === ']') {
      open.pop();
      whole = { end: at + 1, open: [...open] };
    }
  }
  return { open, isInString, whole };
}

function closing(open: readonly string[]): string {
  return open
    .map((one) => CLOSERS[one] ?? '')
    .reverse()
    .join('');
}

/** Cut within `\n` or `\u00e9` the letters before it are whole. */
function withoutHalfEscape(text: string): string {
  const [backslashes = ''] = /\\*$/.exec(text) ?? [];
  if (backslashes.length % 2 === 1) return text.slice(0, -1);
  const [half] = /\\u[\da-fA-F]{0,3}$/.exec(text) ?? [];
  if (half === undefined) return text;
  const before = /\\*$/.exec(text.slice(0, -half.length))?.[0].length ?? 0;
  return before % 2 === 0 ? text.slice(0, -half.length) : text;
}

/** The value as a number, also where it is written otherwise than JavaScript writes it; null = it is none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  return value instanceof RawJson ? Number(value.text) : null;
}

/** The value of a JSON text, numbers with their digits (see parseExact); undefined for what is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
