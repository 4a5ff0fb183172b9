// Tool ids as providers accept them. Source: hygiene facts, 3.2 and 3.3; hashes are SHA-256.
import type { IdMode } from './types.ts';

/** Longest strict id. */
export const STRICT_LENGTH = 40;

const HASH_LENGTH = 8;
const NINE = 9;

/** What is remembered while ids are given out, message by message. */
export interface IdMemory {
  readonly taken: IdSet;
  /** How many calls so far had a raw id. */
  readonly repeats: Table<number>;
  /** For results that answer no call. Asked once all calls have their ids, and only if there are such results. */
  orphans(): { readonly taken: IdSet; readonly given: Table<string> };
}

/** Ids, as a Set has them. */
export interface IdSet {
  has(id: string): boolean;
  add(id: string): unknown;
  delete(id: string): unknown;
}

/** Values by id, as a Map has them. */
export interface Table<T> {
  get(id: string): T | undefined;
  set(id: string, value: T): unknown;
}

/** An empty memory. */
export function idMemory(): IdMemory {
  const taken = new Set<string>();
  const given = new Map<string, string>();
  return { taken, repeats: new Map(), orphans: () => ({ taken, given }) };
}

/** Gives out ids that are valid for a mode and distinct: the same raw id asked twice gets two. */
export class IdAllocator {
  readonly #taken: IdSet;
  readonly #mode: IdMode;
  readonly #maxLength: number;
  readonly #sha256: (text: string) => string;

  constructor(mode: IdMode, maxLength: number, sha256: (text: string) => string, taken: IdSet = new Set()) {
    this.#mode = mode;
    this.#maxLength = maxLength;
    this.#sha256 = sha256;
    this.#taken = taken;
  }

  /** Marks an id as taken; false if it was. */
  take(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }

  /** A free id made of a raw one; the raw one itself if it is valid and free. */
  allocate(raw: string): string {
    if (this.#mode === 'keep' && isKeepable(raw, this.#maxLength) && this.take(raw)) return raw;
    return this.#mode === 'strict9' ? this.#nine(raw) : this.#strict(raw);
  }

  #strict(raw: string): string {
    const base = strictBase(raw);
    if (this.take(base)) return base;
    const hashed = `${base.slice(0, STRICT_LENGTH - HASH_LENGTH)}${this.#sha256(raw).slice(0, HASH_LENGTH)}`;
    if (this.take(hashed)) return hashed;
    for (let n = 2; ; n++) {
      const suffix = `x${n}`;
      const candidate = `${hashed.slice(0, STRICT_LENGTH - suffix.length)}${suffix}`;
      if (this.take(candidate)) return candidate;
    }
  }

  #nine(raw: string): string {
    const base = nineBase(raw, this.#sha256);
    if (this.take(base)) return base;
    for (let n = 0; ; n++) {
      const candidate = this.#sha256(`${raw}:${n}`).slice(0, NINE);
      if (this.take(candidate)) return candidate;
    }
  }
}

/** Whether `keep` leaves an id alone. `call_…|fc_…` is two ids, each of which counts for itself. */
export function isKeepable(raw: string, maxLength: number): boolean {
  return raw !== '' && raw.split('|').every((each) => each.length <= maxLength);
}

/** Whether an id is valid under a mode. */
export function isValidId(id: string, mode: IdMode, maxLength: number): boolean {
  if (mode === 'keep') return isKeepable(id, maxLength);
  return mode === 'strict9' ? /^[A-Za-z0-9]{9}$/.test(id) : id.length <= STRICT_LENGTH && /^[A-Za-z0-9]+$/.test(id);
}

function strictBase(raw: string): string {
  if (raw === '') return 'defaulttoolid';
  return raw.replace(/[^A-Za-z0-9]/g, '').slice(0, STRICT_LENGTH) || 'sanitizedtoolid';
}

function nineBase(raw: string, sha256: (text: string) => string): string {
  if (raw === '') return 'defaultid';
  const letters = raw.replace(/[^A-Za-z0-9]/g, '');
  if (letters.length >= NINE) return letters.slice(0, NINE);
  return sha256(letters === '' ? 'sanitized' : letters).slice(0, NINE);
}
