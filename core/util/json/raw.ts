import { err, ok, type Result } from '../result.ts';
import { jsonString } from './scalars.ts';
import { expectEnd, JsonSyntaxError, skipValue } from './walk.ts';

declare const jsonTextBrand: unique symbol;

/** A string known to hold one valid JSON value. */
export type JsonText = string & { readonly [jsonTextBrand]: true };

/** Whether a text is one valid JSON value. Linear; builds nothing. */
export function isJsonText(text: string): text is JsonText {
  return syntaxErrorOf(text) === null;
}

/** The text as JsonText, or where it fails to be one. */
export function parseJsonText(text: string): Result<JsonText, JsonSyntaxError> {
  if (isJsonText(text)) return ok(text);
  return err(syntaxErrorOf(text) ?? new JsonSyntaxError('a value', text, 0));
}

function syntaxErrorOf(text: string): JsonSyntaxError | null {
  try {
    expectEnd(text, skipValue(text, 0));
    return null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
}

/** A JSON fragment that stringifyWithRaw prints as it stands, so that `1.0`, big integers and key order survive. Must be valid JSON. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Keeps plain JSON.stringify usable where a RawJson strays into it: a number keeps its digits where the host can write
   * them; what is in lists and objects does not.
   */
  toJSON(): unknown {
    const isNumber = /^[-\d]/.test(this.text);
    return isNumber && 'rawJSON' in JSON && typeof JSON.rawJSON === 'function'
      ? JSON.rawJSON(this.text)
      : JSON.parse(this.text);
  }
}

type Task =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'leave'; readonly container: object };

/**
 * As JSON.stringify without indent, but a RawJson inside is spliced verbatim and a bigint prints its digits.
 * Not recursive. Undefined and functions are left out of objects and null in arrays; cycles throw TypeError.
 */
export function stringifyWithRaw(value: unknown): string {
  const out: string[] = [];
  const inside = new Set<object>();
  const tasks: Task[] = [{ kind: 'value', value }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if (task.kind === 'text') out.push(task.text);
    else if (task.kind === 'leave') inside.delete(task.container);
    else writeValue(task.value, out, tasks, inside);
  }
  return out.join('');
}

function writeValue(given: unknown, out: string[], tasks: Task[], inside: Set<object>): void {
  const value = plain(given);
  if (value instanceof RawJson) {
    out.push(value.text);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    out.push(primitiveJson(value));
    return;
  }
  if (inside.has(value)) throw new TypeError('a cycle cannot be written as JSON');
  inside.add(value);
  const children = Array.isArray(value) ? arrayTasks(value) : objectTasks(value);
  children.push({ kind: 'leave', container: value });
  for (const child of children.reverse()) tasks.push(child);
}

function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value;
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function primitiveJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return jsonString(value);
  return JSON.stringify(value) ?? 'null';
}

function arrayTasks(values: readonly unknown[]): Task[] {
  const tasks: Task[] = [{ kind: 'text', text: '[' }];
  for (let i = 0; i < values.length; i++) {
    if (i > 0) tasks.push({ kind: 'text', text: ',' });
    tasks.push({ kind: 'value', value: values[i] });
  }
  tasks.push({ kind: 'text', text: ']' });
  return tasks;
}

function objectTasks(record: object): Task[] {
  const tasks: Task[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    tasks.push({ kind: 'text', text: `${tasks.length === 0 ? '{' : ','}${jsonString(key)}:` });
    tasks.push({ kind: 'value', value });
  }
  if (tasks.length === 0) tasks.push({ kind: 'text', text: '{' });
  tasks.push({ kind: 'text', text: '}' });
  return tasks;
}
