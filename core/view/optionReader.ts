import type { Problem } from '../model/problem.ts';
import { assert } from '../util/assert.ts';
import { isRecord } from '../util/unknown.ts';
import { optionAt } from './optionAt.ts';
import type { ParamSchema } from './types.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Reads a stage's options by their schemas: aliases in order, null = absent, defaults filled in. Every fault becomes
 * a problem that names the option as it was written, what was given and what is accepted; reading continues.
 */
export class OptionReader {
  readonly problems: Problem[] = [];
  readonly #options: Options;
  readonly #prefix: string;

  /** `prefix` stands before option names in problems: a row's own path. */
  constructor(options: Options, prefix = '') {
    this.#options = options;
    this.#prefix = prefix;
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

  /** A number with decimals, `schema.min` (default 0) or more. */
  number(schema: ParamSchema): number {
    const given = this.#find(schema);
    const fallback = typeof schema.default === 'number' ? schema.default : 0;
    if (given === null) return fallback;
    const min = schema.min ?? 0;
    if (typeof given.value === 'number' && Number.isFinite(given.value) && given.value >= min) return given.value;
    return this.#reject(given, `a number, ${min} or more`, fallback);
  }

  /** One of the schema's choices, as the caller's own type; `values` must be those of the schema. `:none` is `none`. */
  choice<T extends string>(schema: ParamSchema, values: readonly T[]): T {
    const given = this.#find(schema);
    const fallback = values.find((value) => value === schema.default) ?? values[0];
    assert(fallback !== undefined, `option ${schema.name} has no choices`);
    if (given === null || given.value === '') return fallback;
    const name = typeof given.value === 'string' ? given.value.replace(/^:(?=\w)/, '') : given.value;
    const meant = schema.choices?.find(({ aliases }) => aliases?.some((alias) => alias === name))?.value;
    const found = values.find((value) => value === (meant ?? name));
    return found ?? this.#reject(given, `one of ${values.join(', ')}`, fallback);
  }

  /** A list of strings, blank ones and repetitions left out; one string is split at commas and white space, unless `whole`. */
  list(schema: ParamSchema): readonly string[] {
    const given = this.#find(schema);
    if (given === null) return Array.isArray(schema.default) ? schema.default : [];
    const { value } = given;
    const texts: readonly unknown[] | null =
      typeof value === 'string'
        ? schema.whole === true
          ? [value]
          : value.split(/[\s,]+/)
        : Array.isArray(value)
          ? value
          : null;
    if (texts === null || !texts.every((text) => typeof text === 'string')) {
      return this.#reject(given, 'a list of strings', []);
    }
    return [...new Set(texts.filter((text) => text.trim() !== ''))];
  }

  /**
   * Rows by name. `read` reads one row with its own reader, whose problems name the row. `short` turns a row that
   * is not an object into one (a number, a word); null = not accepted.
   */
  rules<T>(
    schema: ParamSchema,
    read: (row: OptionReader, name: string) => T,
    short: (value: unknown) => Options | null = () => null,
  ): ReadonlyMap<string, T> {
    const given = this.#find(schema);
    const rows = new Map<string, T>();
    const value = given?.value ?? schema.default ?? {};
    if (!isRecord(value)) {
      if (given !== null) this.#reject(given, 'an object with a row for each name', null);
      return rows;
    }
    for (const [name, row] of Object.entries(value)) {
      const at = `${given?.name ?? schema.name}.${name}`;
      const fields = isRecord(row) ? row : short(row);
      if (fields === null) {
        this.error(at, `Option ${at} must be an object; given: ${describeValue(row)}.`);
        continue;
      }
      const reader = new OptionReader(fields, `${this.#prefix}${at}.`);
      rows.set(name, read(reader, name));
      this.problems.push(...reader.problems);
    }
    return rows;
  }

  /** Source indices: whole numbers, 0 or more, or texts of them; a text may hold several. Repetitions are left out. */
  indices(schema: ParamSchema): readonly number[] {
    const given = this.#find(schema);
    if (given === null) return [];
    const values = Array.isArray(given.value) ? given.value : [given.value];
    const read = values.flatMap((value): readonly number[] => {
      if (typeof value === 'number') return [value];
      return typeof value === 'string' ? (value.match(/[^\s,]+/g) ?? []).map(indexIn) : [Number.NaN];
    });
    if (read.every((index) => Number.isSafeInteger(index) && index >= 0)) return [...new Set(read)];
    return this.#reject(given, 'a list of message numbers, from 0', []);
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

  /** Warns of options whose name is not among `known`: most likely misspelt, and without effect. `read` are read, and not reported. */
  warnOfUnknown(known: ReadonlySet<string>, read: ReadonlySet<string> = known): void {
    for (const name of Object.keys(this.#options)) {
      if (known.has(name) || read.has(name)) continue;
      const text = `Option ${this.#prefix}${name} is not known and has no effect; known are ${[...known].sort().join(', ')}.`;
      this.problems.push({
        code: 'spec.unknown_option',
        severity: 'warning',
        text,
        where: { path: `${this.#prefix}${name}` },
      });
    }
  }

  /** Adds an error about an option. */
  error(name: string, text: string): void {
    this.problems.push({ code: 'spec.bad_option', severity: 'error', text, where: { path: `${this.#prefix}${name}` } });
  }

  /** True if no error was found. */
  get ok(): boolean {
    return this.problems.every((problem) => problem.severity !== 'error');
  }

  #find(schema: ParamSchema): { readonly name: string; readonly value: unknown } | null {
    for (const name of [schema.name, ...(schema.aliases ?? [])]) {
      const value = optionAt(this.#options, name);
      if (value !== null && value !== undefined) return { name, value };
    }
    return null;
  }

  #reject<T>(given: { readonly name: string; readonly value: unknown }, accepted: string, fallback: T): T {
    this.error(
      given.name,
      `Option ${this.#prefix}${given.name} must be ${accepted}; given: ${describeValue(given.value)}.`,
    );
    return fallback;
  }
}

// A number, with the sign that people write before it.
function indexIn(text: string): number {
  return /^#?\d+$/.test(text) ? Number(text.replace('#', '')) : Number.NaN;
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
