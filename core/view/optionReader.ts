import type { Problem } from '../model/problem.ts';
import { isRecord } from '../util/unknown.ts';
import type { ParamSchema } from './types.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Reads a stage's options by their schemas: aliases in order, null = absent, defaults filled in. Every fault becomes
 * a problem that names the option as it was written, what was given and what is accepted; reading goes on.
 */
export class OptionReader {
  readonly problems: Problem[] = [];
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** A whole number, 0 or more (schema.min if set); beyond 2^53 all are the same: more than there is of anything. */
  count(schema: ParamSchema): number {
    const given = this.#find(schema);
    const fallback = typeof schema.default === 'number' ? schema.default : 0;
    if (given === null) return fallback;
    const min = schema.min ?? 0;
    if (typeof given.value === 'number' && Number.isInteger(given.value) && given.value >= min) {
      return Math.min(given.value, Number.MAX_SAFE_INTEGER);
    }
    return this.#reject(given, `a whole number, ${min} or more`, fallback);
  }

  /** A boolean. */
  flag(schema: ParamSchema): boolean {
    const given = this.#find(schema);
    const fallback = schema.default === true;
    if (given === null) return fallback;
    if (typeof given.value === 'boolean') return given.value;
    return this.#reject(given, 'true or false', fallback);
  }

  /** A string; absent and empty = null. */
  text(schema: ParamSchema): string | null {
    const given = this.#find(schema);
    if (given === null || given.value === '') return null;
    if (typeof given.value === 'string') return given.value;
    return this.#reject(given, 'a string', null);
  }

  /** All strings inside a string, list or object, blank ones left out; anything else in there says nothing. */
  texts(schema: ParamSchema): readonly string[] {
    const given = this.#find(schema);
    if (given === null) return [];
    const { value } = given;
    if (typeof value === 'string' || Array.isArray(value) || isRecord(value)) return stringsIn(value);
    return this.#reject(given, 'a string, a list or an object', []);
  }

  /** Warns of options whose name is not among `known`: most likely misspelt, and without effect. */
  warnOfUnknown(known: ReadonlySet<string>): void {
    for (const name of Object.keys(this.#options)) {
      if (known.has(name)) continue;
      const text = `Option ${name} is not known and has no effect; known are ${[...known].sort().join(', ')}.`;
      this.problems.push({ code: 'spec.unknown_option', severity: 'warning', text, where: { path: name } });
    }
  }

  /** Adds an error about an option. */
  error(name: string, text: string): void {
    this.problems.push({ code: 'spec.bad_option', severity: 'error', text, where: { path: name } });
  }

  /** True if no error was found. */
  get ok(): boolean {
    return this.problems.every((problem) => problem.severity !== 'error');
  }

  #find(schema: ParamSchema): { readonly name: string; readonly value: unknown } | null {
    for (const name of [schema.name, ...(schema.aliases ?? [])]) {
      if (!Object.hasOwn(this.#options, name)) continue;
      const value = this.#options[name];
      if (value !== null && value !== undefined) return { name, value };
    }
    return null;
  }

  #reject<T>(given: { readonly name: string; readonly value: unknown }, accepted: string, fallback: T): T {
    this.error(given.name, `Option ${given.name} must be ${accepted}; given: ${describeValue(given.value)}.`);
    return fallback;
  }
}

function stringsIn(root: unknown): string[] {
  const found: string[] = [];
  const rest: unknown[] = [root];
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (typeof value === 'string') {
      if (value.trim() !== '') found.push(value);
    } else if (Array.isArray(value)) {
      for (const item of value.toReversed()) if (item !== undefined) rest.push(item);
    } else if (isRecord(value)) {
      for (const item of Object.values(value).reverse()) if (item !== undefined) rest.push(item);
    }
  }
  return found;
}

/** A value as an error text shows it: its JSON, shortened, and its type. */
export function describeValue(value: unknown): string {
  const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
  const json = JSON.stringify(value) ?? String(value);
  return `${json.length > 60 ? `${json.slice(0, 57)}…` : json} (${type})`;
}
