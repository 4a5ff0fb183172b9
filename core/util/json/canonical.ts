// Canonical JSON from JSON text. One walk builds, for every container that is not canonical as it stands, a list of
// pieces; a container that is becomes one slice of the text. Nothing is joined before the end, so that deep
// nesting stays linear.

import { canonicalNumber, canonicalString, compareCodePoints, parseString } from './scalars.ts';
import { expectEnd, type JsonVisitor, walkJson } from './walk.ts';

type Piece = string | readonly Piece[];

interface Frame {
  readonly start: number;
  readonly isObject: boolean;
  /** Whether all children so far are canonical in the text itself. */
  clean: boolean;
  /** Length of all children so far; with separators it equals the source's if there is no white space. */
  length: number;
  readonly keys: string[];
  readonly values: Piece[];
}

/** How canonicalJson prints: `sortKeys: false` leaves members in the order of the text (as serde_json with preserve_order). */
export interface CanonicalOptions {
  readonly sortKeys?: boolean;
}

/**
 * The canonical form of a JSON text, as the prefix hash is taken over: keys sorted by code point at every level, of
 * equal keys the last, no white space, strings with the fewest escapes, numbers as serde_json prints them
 * (see canonicalNumber). Throws JsonSyntaxError.
 */
export function canonicalJson(text: string, options: CanonicalOptions = {}): string {
  const writer = new CanonicalWriter(text, options.sortKeys ?? true);
  expectEnd(text, walkJson(text, 0, writer));
  return joinPieces(writer.root);
}

/** A JSON text without white space: as canonicalJson, but members keep the order in which their keys first appear. Throws JsonSyntaxError. */
export function compactJson(text: string): string {
  return canonicalJson(text, { sortKeys: false });
}

/** True if two JSON texts are equal as JSON: same canonical form, so `1` and `1.0` differ and `1.0` and `1e0` do not. Throws JsonSyntaxError. */
export function jsonEqual(a: string, b: string): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

class CanonicalWriter implements JsonVisitor {
  root: Piece = '';
  readonly #text: string;
  readonly #sortKeys: boolean;
  readonly #frames: Frame[] = [];

  constructor(text: string, sortKeys: boolean) {
    this.#text = text;
    this.#sortKeys = sortKeys;
  }

  open(start: number, isObject: boolean): void {
    this.#frames.push({ start, isObject, clean: true, length: 0, keys: [], values: [] });
  }

  key(start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new Error('a key outside of an object');
    const literal = this.#text.slice(start, end);
    const canonical = canonicalString(literal);
    if (canonical !== literal) frame.clean = false;
    frame.length += literal.length;
    frame.keys.push(canonical);
  }

  scalar(start: number, end: number): void {
    const literal = this.#text.slice(start, end);
    const canonical = canonicalScalar(literal);
    this.#add(canonical, canonical === literal);
  }

  close(end: number): void {
    const frame = this.#frames.pop();
    if (frame === undefined) throw new Error('a close without an open');
    const order = frame.isObject ? memberOrder(frame.keys, this.#sortKeys) : null;
    const clean = frame.clean && order === null && sourceLength(frame) === end - frame.start;
    this.#add(clean ? this.#text.slice(frame.start, end) : containerPieces(frame, order), clean);
  }

  #add(value: Piece, clean: boolean): void {
    const parent = this.#frames.at(-1);
    if (parent === undefined) {
      this.root = value;
      return;
    }
    parent.values.push(value);
    if (!clean) parent.clean = false;
    parent.length += value.length; // only looked at while clean, and then it is a string
  }
}

function canonicalScalar(literal: string): string {
  const first = literal.charCodeAt(0);
  if (first === 0x22) return canonicalString(literal);
  return first === 0x2d || first <= 0x39 ? canonicalNumber(literal) : literal;
}

// Brackets, a comma between children, a colon in each member.
function sourceLength(frame: Frame): number {
  const count = frame.values.length;
  return 2 + frame.length + Math.max(0, count - 1) + (frame.isObject ? count : 0);
}

/** Where each member to print has its key and its value: of equal keys the first's place and the last's value. */
interface Member {
  readonly name: string;
  readonly key: number;
  value: number;
}

/** The members in the order to print, or null if that is how they stand. */
function memberOrder(keys: readonly string[], sortKeys: boolean): readonly Member[] | null {
  const names = keys.map((key) => parseString(key, 0, key.length));
  if (sortKeys && isStrictlySorted(names)) return null;
  if (!sortKeys && new Set(names).size === names.length) return null;
  const byName = new Map<string, Member>();
  for (const [index, name] of names.entries()) {
    const earlier = byName.get(name);
    if (earlier === undefined) byName.set(name, { name, key: index, value: index });
    else earlier.value = index;
  }
  const members = [...byName.values()];
  return sortKeys ? members.sort((a, b) => compareCodePoints(a.name, b.name)) : members;
}

function isStrictlySorted(names: readonly string[]): boolean {
  for (let i = 1; i < names.length; i++) {
    if (compareCodePoints(names[i - 1]!, names[i]!) >= 0) return false;
  }
  return true;
}

function containerPieces(frame: Frame, order: readonly Member[] | null): readonly Piece[] {
  const pieces: Piece[] = [];
  if (!frame.isObject) {
    for (const [i, value] of frame.values.entries()) pieces.push(i === 0 ? '[' : ',', value);
    pieces.push(pieces.length === 0 ? '[]' : ']');
    return pieces;
  }
  const count = order?.length ?? frame.values.length;
  for (let i = 0; i < count; i++) {
    const member = order?.[i];
    pieces.push(`${i === 0 ? '{' : ','}${frame.keys[member?.key ?? i]!}:`, frame.values[member?.value ?? i]!);
  }
  pieces.push(pieces.length === 0 ? '{}' : '}');
  return pieces;
}

function joinPieces(root: Piece): string {
  if (typeof root === 'string') return root;
  let out = ''; // the engine keeps a rope and flattens it once, faster than joining an array of small pieces
  const stack: { readonly pieces: readonly Piece[]; next: number }[] = [{ pieces: root, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const piece = top.pieces[top.next++];
    if (piece === undefined) stack.pop();
    else if (typeof piece === 'string') out += piece;
    else stack.push({ pieces: piece, next: 0 });
  }
  return out;
}
