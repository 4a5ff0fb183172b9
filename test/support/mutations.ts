// Seeded damage to files, as disks, crashes, editors and tools do it.
import type { Rng } from '../../core/util/rng.ts';

/** The kinds of damage. */
export const MUTATIONS = [
  'cut',
  'swapped_bytes',
  'bad_utf8',
  'lost_newline',
  'repeated_line',
  'dropped_stretch',
  'nul_stretch',
  'deep_nesting',
  'huge_number',
  'duplicate_ids',
  'swapped_lines',
  'crlf',
  'cyclic_parents',
  'changed_type',
  'unknown_type',
  'lost_key',
  'twice_the_key',
  'lone_surrogate',
] as const;

/** One kind of damage. */
export type Mutation = (typeof MUTATIONS)[number];

const NEWLINE = 0x0a;

/** The bytes with one damage at a random place. Leaves the input as it is. */
export function mutate(bytes: Uint8Array, mutation: Mutation, rng: Rng): Uint8Array {
  const at = rng.below(bytes.length);
  const length = 1 + rng.below(20);
  switch (mutation) {
    case 'cut':
      return bytes.slice(0, at);
    case 'swapped_bytes':
      return replaced(bytes, at, length, bytes.slice(at, at + length).reverse());
    case 'bad_utf8':
      return replaced(bytes, at, 1, Uint8Array.of(0xff, 0xf0, 0x9f, 0xc3).subarray(0, 1 + (length % 4)));
    case 'lost_newline':
      return lostNewline(bytes, at);
    case 'repeated_line':
      return onLine(bytes, at, (line) => concat(line, line));
    case 'dropped_stretch':
      return replaced(bytes, at, length * 10, new Uint8Array(0));
    case 'nul_stretch':
      return replaced(bytes, at, length * 10, new Uint8Array(length * 10));
    case 'deep_nesting':
      return replaced(bytes, at, 0, ascii('['.repeat(200_000)));
    case 'huge_number':
      return inText(bytes, (text) => text.replace(/:\s*\d+(?=[,}])/, `:${'9'.repeat(400 + length)}`));
    case 'duplicate_ids':
      return duplicateIds(bytes);
    case 'swapped_lines':
      return swappedLines(bytes, rng);
    case 'crlf':
      return inText(bytes, (text) => text.replaceAll('\n', '\r\n'));
    case 'cyclic_parents':
      return cyclicParents(bytes, rng);
    case 'changed_type':
      return onMatch(bytes, SIMPLE_VALUE, rng, (found) => found.replace(/:\s*.*$/s, `:${rng.pick(OTHER_VALUES)}`));
    case 'unknown_type':
      return onMatch(bytes, TYPE, rng, () => `"type":"made-up-${length}"`);
    case 'lost_key':
      return onMatch(bytes, KEY, rng, (found) => found.replace('"', '"lost-'));
    case 'twice_the_key':
      return onMatch(bytes, TYPE, rng, (found) => `${found},${found.replace(/:.*$/s, ':"another"')}`);
    case 'lone_surrogate':
      return onMatch(bytes, TEXT, rng, (found) => `${found.slice(0, -1)}\\ud83d"`);
  }
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function concat(...pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

function replaced(bytes: Uint8Array, at: number, length: number, by: Uint8Array): Uint8Array {
  return concat(bytes.subarray(0, at), by, bytes.subarray(at + length));
}

function lostNewline(bytes: Uint8Array, from: number): Uint8Array {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline < 0 ? bytes.slice() : replaced(bytes, newline, 1, new Uint8Array(0));
}

function onLine(bytes: Uint8Array, at: number, change: (line: Uint8Array) => Uint8Array): Uint8Array {
  const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1;
  const newline = bytes.indexOf(NEWLINE, at);
  const end = newline < 0 ? bytes.length : newline + 1;
  return replaced(bytes, start, end - start, change(bytes.subarray(start, end)));
}

// By way of Latin-1, in which every byte is one character.
function inText(bytes: Uint8Array, change: (text: string) => string): Uint8Array {
  return new Uint8Array(Buffer.from(change(Buffer.from(bytes).toString('latin1')), 'latin1'));
}

const IDS = /("(?:id|uuid|tool_use_id|tool_call_id)"\s*:\s*)"[^"]*"/g;

function duplicateIds(bytes: Uint8Array): Uint8Array {
  return inText(bytes, (text) => text.replace(IDS, '$1"same"'));
}

const SIMPLE_VALUE = /"[a-zA-Z_]+"\s*:\s*(?:"[^"\\]{0,60}"|\d+|true|false|null)/g;
const OTHER_VALUES = [
  'null',
  '0',
  '-1e308',
  '"text"',
  '""',
  'true',
  '[]',
  '{}',
  '[[null]]',
  '{"a":{"b":[1]}}',
  '"__proto__"',
];
const TYPE = /"type"\s*:\s*"[^"\\]*"/g;
const KEY = /"[a-zA-Z_]+"\s*:/g;
const TEXT = /"[^"\\\n]{12,}"/g;

// Changes one of the matches, anywhere in the file.
function onMatch(bytes: Uint8Array, pattern: RegExp, rng: Rng, change: (found: string) => string): Uint8Array {
  return inText(bytes, (text) => {
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) return text;
    const match = rng.pick(found);
    return text.slice(0, match.index) + change(match[0]) + text.slice(match.index + match[0].length);
  });
}

const PARENTS = /("(?:parentUuid|parentId|parent_id|parentObservationId)"\s*:\s*)(?:"[^"]*"|null)/g;
const NAMES = /"(?:uuid|id|node_id)"\s*:\s*("[^"]*")/g;

// Some parents become any record of the file: itself, a later one, one that has it as its own ancestor.
function cyclicParents(bytes: Uint8Array, rng: Rng): Uint8Array {
  return inText(bytes, (text) => {
    const names = [...text.matchAll(NAMES)].map((match) => match[1] ?? 'null');
    if (names.length === 0) return text;
    return text.replace(PARENTS, (whole, key: string) => (rng.chance(0.3) ? key + rng.pick(names) : whole));
  });
}

function swappedLines(bytes: Uint8Array, rng: Rng): Uint8Array {
  return inText(bytes, (text) => {
    const lines = text.split('\n');
    const [a, b] = [rng.below(lines.length), rng.below(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    return lines.join('\n');
  });
}
