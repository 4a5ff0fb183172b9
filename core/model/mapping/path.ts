// browser-safe
// Paths into JSON, as people write them in a mapping: a small part of JSONPath, without search, filters and slices, so
// that a path shows by itself what it finds.
//
//   path  = [ "$" | "@" ] { step }        the root may be left out: `author.name` is `@.author.name`
//   step  = "." name | "." "*" | "[" "*" "]" | "[" digits "]" | "[" 'text' | "text" "]"
//
// `$` is the file (of JSON lines: one line), `@` is the value that the mapping speaks of at that place: a transcript, a
// message, a call, a result. `[*]` is every element of an array, `.*` every member of an object.

import { err, ok, type Result } from '../../util/result.ts';
import type { JsonPath } from '../message.ts';

/** One step: a member by name, an element by number, every element, or every member. */
export type PathStep = string | number | typeof EACH_ELEMENT | typeof EACH_MEMBER;

/** `[*]`. */
export const EACH_ELEMENT = Symbol('[*]');
/** `.*`. */
export const EACH_MEMBER = Symbol('.*');

/** A path, read. */
export interface MappingPath {
  readonly root: '$' | '@';
  readonly steps: readonly PathStep[];
}

/** What is wrong with a path's text. `column` counts UTF-16 units from 1. */
export interface PathError {
  readonly message: string;
  readonly column: number;
}

const NAME = /[^\s.[\]'"*$@(),?:\\]+/y;
const UNKNOWN: readonly (readonly [RegExp, string])[] = [
  [/\.\./y, '".." (search at any depth) is not supported: write every step'],
  [/\[\s*\?/y, 'filters "[?(…)]" are not supported'],
  [/\[\s*-/y, 'elements are counted from the start: negative numbers are not supported'],
  [/\[[^\]'"]*:/y, 'slices "[a:b]" are not supported: use "[*]" for all elements'],
  [/\[[^\]'"]*,/y, 'lists of steps "[a,b]" are not supported'],
];

/** Reads a path's text; the error names the column where it stops being one. `root` = where it begins if it names none. */
export function parsePath(text: string, root: '$' | '@' = '@'): Result<MappingPath, PathError> {
  const start = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  if (end <= start) return err({ message: 'the path is empty', column: 1 });
  const first = text.charAt(start);
  const named = first === '$' || first === '@';
  const steps: PathStep[] = [];
  let at = named ? start + 1 : start;
  if (!named && first !== '[' && first !== '.') {
    const name = match(NAME, text, at);
    if (name === null) return err(unexpected(text, at));
    steps.push(name);
    at += name.length;
  }
  while (at < end) {
    const read = readStep(text, at);
    if (!read.ok) return read;
    steps.push(read.value.step);
    at = read.value.end;
  }
  return ok({ root: named ? (first === '$' ? '$' : '@') : root, steps });
}

function readStep(text: string, at: number): Result<{ readonly step: PathStep; readonly end: number }, PathError> {
  for (const [pattern, message] of UNKNOWN)
    if (match(pattern, text, at) !== null) return err({ message, column: at + 1 });
  const c = text.charAt(at);
  if (c === '.') {
    if (text.charAt(at + 1) === '*') return ok({ step: EACH_MEMBER, end: at + 2 });
    const name = match(NAME, text, at + 1);
    if (name === null) return err({ message: 'after "." a name or "*" is expected', column: at + 2 });
    return ok({ step: name, end: at + 1 + name.length });
  }
  if (c !== '[') return err(unexpected(text, at));
  const all = match(/\[\s*\*\s*\]/y, text, at);
  if (all !== null) return ok({ step: EACH_ELEMENT, end: at + all.length });
  const number = match(/\[\s*\d{1,9}\s*\]/y, text, at);
  if (number !== null) return ok({ step: Number(number.replace(/[[\]\s]/g, '')), end: at + number.length });
  const quoted = match(/\[\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*\]/y, text, at);
  if (quoted !== null) return ok({ step: unquote(quoted), end: at + quoted.length });
  return err({ message: 'in brackets a number, "*" or a quoted name is expected, and a "]" after it', column: at + 1 });
}

function unquote(text: string): string {
  return text.slice(1, -1).trim().slice(1, -1).replace(/\\(.)/g, '$1');
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function unexpected(text: string, at: number): PathError {
  const found = JSON.stringify(text.charAt(at));
  return {
    message: `${found} is not expected here: steps are ".name", "[*]", "[0]", "['a name']" and ".*"`,
    column: at + 1,
  };
}

/** A path as text, in its plainest form: what {@link parsePath} reads as the same path. */
export function pathText({ root, steps }: MappingPath): string {
  return root + steps.map(stepText).join('');
}

/** One step as text. */
export function stepText(step: PathStep): string {
  if (step === EACH_ELEMENT) return '[*]';
  if (step === EACH_MEMBER) return '.*';
  if (typeof step === 'number') return `[${step}]`;
  if (typeof step !== 'string') return '';
  const plain = match(NAME, step, 0) === step;
  return plain ? `.${step}` : `['${step.replace(/[\\']/g, '\\$&')}']`;
}

/** Where the steps lead in a value: the places that are there, in the order of the text. Own properties only. */
export function findPlaces(value: unknown, steps: readonly PathStep[]): readonly JsonPath[] {
  let found: { readonly path: JsonPath; readonly value: unknown }[] = [{ path: [], value }];
  for (const step of steps) {
    found = found.flatMap(({ path, value: here }) =>
      children(here, step).map(([key, child]) => ({ path: [...path, key], value: child })),
    );
  }
  return found.map(({ path }) => path);
}

function children(value: unknown, step: PathStep): readonly (readonly [string | number, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    if (step === EACH_ELEMENT) return value.map((child, index) => [index, child] as const);
    return typeof step === 'number' && step < value.length ? [[step, value[step]]] : [];
  }
  if (step === EACH_MEMBER) return Object.entries(value);
  if (typeof step !== 'string' || !Object.hasOwn(value, step)) return [];
  return [[step, Reflect.get(value, step)]];
}
