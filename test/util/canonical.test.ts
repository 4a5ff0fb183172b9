import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../core/util/hash.ts';
import {
  canonicalDouble,
  canonicalJson,
  compactJson,
  elements,
  JsonSyntaxError,
  jsonEqual,
  locate,
  stringAtPath,
  valueTextAt,
} from '../../core/util/json/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { sharedDir } from '../support/shared.ts';

describe('numbers are printed as serde_json prints them', () => {
  const table: readonly (readonly [string, string])[] = [
    ['0', '0'],
    ['-0', '-0.0'],
    ['-0.0', '-0.0'],
    ['0.0', '0.0'],
    ['0e5', '0.0'],
    ['1', '1'],
    ['-1', '-1'],
    ['1.0', '1.0'],
    ['1.50', '1.5'],
    ['1e0', '1.0'],
    ['1E2', '100.0'],
    ['1e+2', '100.0'],
    ['100e-2', '1.0'],
    ['0.1', '0.1'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['0.1000000000000000055511151231257827', '0.1'],
    ['0.00001', '0.00001'],
    ['1e-5', '0.00001'],
    ['0.0000123', '0.0000123'],
    ['0.0000099', '9.9e-6'],
    ['0.000001', '1e-6'],
    ['-1e-7', '-1e-7'],
    ['1e15', '1000000000000000.0'],
    ['9999999999999998.0', '9999999999999998.0'],
    ['1e16', '1e16'],
    ['12345678901234567.0', '1.2345678901234568e16'],
    ['1e21', '1e21'],
    ['1.5e300', '1.5e300'],
    ['-1.5E+300', '-1.5e300'],
    ['5e-324', '5e-324'],
    ['1e-999', '0.0'],
    ['-1e-999', '-0.0'],
    ['1.7976931348623157e308', '1.7976931348623157e308'],
    ['9007199254740993', '9007199254740993'],
    ['123456789012345', '123456789012345'],
    ['1234567890123456', '1234567890123456'],
    ['9223372036854775808', '9223372036854775808'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '1.8446744073709552e19'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['-9223372036854775809', '-9.223372036854776e18'],
    ['100000000000000000000', '1e20'],
    ['1E999', '1e999'],
  ];
  test.each(table)('%s → %s', (given, expected) => {
    expect(canonicalJson(given)).toBe(expected);
    expect(canonicalJson(` [ ${given} ] `)).toBe(`[${expected}]`);
    expect(compactJson(`{"b":${given},"a":0}`)).toBe(`{"b":${expected},"a":0}`);
    expect(canonicalJson(expected)).toBe(expected);
  });

  test('a double is read back unchanged from its digits, whatever its bits', () => {
    const rng = seededRng(11);
    const view = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < 20_000; i++) {
      view.setUint32(0, rng.below(2 ** 32));
      view.setUint32(4, rng.below(2 ** 32));
      const value = view.getFloat64(0);
      if (!Number.isFinite(value)) continue;
      const printed = canonicalDouble(value);
      expect(Object.is(Number(printed), value), printed).toBe(true);
      expect(printed).toMatch(/^-?(\d+\.\d+|\d(\.\d+)?e-?\d+)$/);
      const size = Math.abs(value);
      expect(printed.includes('e'), printed).toBe(value !== 0 && (size < 1e-5 || size >= 1e16));
    }
  });
});

describe('strings have the fewest escapes', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['plain', '"abc"', '"abc"'],
    ['slash', String.raw`"a\/b/c"`, '"a/b/c"'],
    ['quote and backslash', String.raw`"\"\\"`, String.raw`"\"\\"`],
    ['the same as \\u', String.raw`"\u0022\u005C"`, String.raw`"\"\\"`],
    ['short escapes', String.raw`"\b\f\n\r\t"`, String.raw`"\b\f\n\r\t"`],
    ['short escapes as \\u', String.raw`"\u0008\u000C\u000a\u000D\u0009"`, String.raw`"\b\f\n\r\t"`],
    ['controls in lower case', String.raw`"\u001F\u000B\u0000"`, String.raw`"\u001f\u000b\u0000"`],
    ['controls stay', String.raw`"\u001f\u000b\u0010"`, String.raw`"\u001f\u000b\u0010"`],
    ['DEL and C1 raw', String.raw`"\u007f\u0080"`, '"\u007f\u0080"'],
    ['accents raw', String.raw`"\u00e9\u00E9é"`, '"ééé"'],
    ['line separators raw', String.raw`"\u2028\u2029"`, '"\u2028\u2029"'],
    ['pair', String.raw`"\ud83d\uDE00"`, '"😀"'],
    ['pair beside an escape', String.raw`"😀\n"`, String.raw`"😀\n"`],
    ['lone surrogate', String.raw`"\uD800x\uDC00"`, String.raw`"\ud800x\udc00"`],
    ['lone surrogate, raw', '"\ud800"', String.raw`"\ud800"`],
    ['an escaped backslash before u', String.raw`"\\u0041\\\u0041"`, String.raw`"\\u0041\\A"`],
    ['letter as \\u', String.raw`"\u0041"`, '"A"'],
  ];
  test.each(table)('%s', (_name, given, expected) => {
    expect(canonicalJson(given)).toBe(expected);
    expect(canonicalJson(`{${given}:1}`)).toBe(`{${expected}:1}`);
    expect(canonicalJson(expected)).toBe(expected);
  });
});

describe('members', () => {
  test.each([
    ['white space', ' {\t"a" :\r\n[ 1 , { } , [ ] ] } ', '{"a":[1,{},[]]}'],
    ['sorted at every level', '{"b":{"d":1,"c":2},"a":[{"z":1,"y":2}]}', '{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}'],
    ['number-like keys as text', '{"10":1,"9":2,"1":3}', '{"1":3,"10":1,"9":2}'],
    ['prefix first', '{"ab":1,"a":2,"":3}', '{"":3,"a":2,"ab":1}'],
    ['code points, not UTF-16 units', '{"😀":1,"\uffff":2,"\ue000":3,"z":4}', '{"z":4,"\ue000":3,"\uffff":2,"😀":1}'],
    ['the last of equal keys', '{"a":1,"b":2,"a":{"x":[3]}}', '{"a":{"x":[3]},"b":2}'],
    ['equal keys in different spelling', String.raw`{"a":1,"\u0061":2}`, '{"a":2}'],
    ['equal neighbours in order', '{"a":1,"a":2}', '{"a":2}'],
    ['__proto__ is a key like any other', '{"b":1,"__proto__":{"c":2}}', '{"__proto__":{"c":2},"b":1}'],
  ])('%s', (_name, given, expected) => {
    expect(canonicalJson(given)).toBe(expected);
  });

  test('compactJson keeps the order of first appearance and the last value', () => {
    expect(compactJson('{ "b" : 1, "a" : 2.0 , "b" : [ 3 ] }')).toBe('{"b":[3],"a":2.0}');
    expect(compactJson('{"10":1,"9":"\\u0041"}')).toBe('{"10":1,"9":"A"}');
  });
});

test.each([
  ['', 0],
  ['  ', 2],
  ['[1,]', 3],
  ['[1 2]', 3],
  ['{"a":1,}', 7],
  ['{"a" 1}', 5],
  ['{a:1}', 1],
  ['[', 1],
  ['{"a":', 5],
  ['"abc', 4],
  ['"a\nb"', 2],
  [String.raw`"\x"`, 2],
  [String.raw`"\u12G4"`, 5],
  ['01', 1],
  ['1.', 1],
  ['-', 0],
  ['+1', 0],
  ['.5', 0],
  ['nul', 0],
  ['NaN', 0],
  ['[]]', 2],
  ['\ufeff[]', 0],
  ["['a']", 1],
])('%j is refused at offset %i', (text, offset) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(() => canonicalJson(text)).toThrow(JsonSyntaxError);
  try {
    canonicalJson(text);
  } catch (error) {
    expect(error).toMatchObject({ offset });
  }
});

test('jsonEqual compares as JSON', () => {
  expect(jsonEqual('{"a":1,"b":[1.0]}', ' { "b" : [ 1e0 ], "a" : 1 }')).toBe(true);
  expect(jsonEqual('1', '1.0')).toBe(false);
  expect(jsonEqual('9007199254740993', '9007199254740992')).toBe(false);
});

/** The slow obvious way, good wherever doubles suffice and no lone surrogates are keys. */
function oracle(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oracle).join(',')}]`;
  if (isRecord(value)) {
    const keys = Object.keys(value).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    return `{${keys.map((key) => `${JSON.stringify(key)}:${oracle(value[key])}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

const ALPHABET = [
  'a',
  'B',
  '"',
  '\\',
  '/',
  '\n',
  '\u0001',
  '\u007f',
  'é',
  '\u2028',
  '\ue000',
  '\uffff',
  '😀',
  '1',
  ' ',
];

function randomText(rng: Rng): string {
  return Array.from({ length: rng.below(6) }, () => rng.pick(ALPHABET)).join('');
}

function randomValue(rng: Rng, depth: number): unknown {
  const kind = rng.below(depth > 0 ? 8 : 5);
  if (kind === 0) return rng.below(2 ** 31) - 2 ** 30;
  if (kind === 1) return rng.next() - 0.5 || 0.25;
  if (kind === 2) return rng.pick([true, false, null]);
  if (kind <= 4) return randomText(rng);
  if (kind <= 5) return Array.from({ length: rng.below(5) }, () => randomValue(rng, depth - 1));
  return Object.fromEntries(Array.from({ length: rng.below(6) }, () => [randomText(rng), randomValue(rng, depth - 1)]));
}

/** The same value in another spelling: white space and needless escapes. */
function respell(json: string, rng: Rng): string {
  const spaced = rng.chance() ? JSON.stringify(JSON.parse(json), null, 2) : json;
  return rng.chance()
    ? spaced.replaceAll('/', '\\/').replaceAll('a', '\\u0061').replaceAll('f\\u0061lse', 'false')
    : spaced;
}

test('equals the slow oracle on random values', () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const rng = seededRng(seed);
    const value = randomValue(rng, 4);
    const text = respell(JSON.stringify(value), rng);
    expect(canonicalJson(text), `seed ${seed}: ${text}`).toBe(oracle(value));
    expect(compactJson(text), `seed ${seed}: ${text}`).toBe(JSON.stringify(value));
  }
});

describe('depth costs no stack', () => {
  const depth = 200_000;
  test.each([
    ['arrays', '[', '1', ']'],
    ['spaced arrays', '[ ', '1', ' ]'],
    ['objects to be sorted', '{"b":1,"a":', '1', '}'],
    ['deep first', '{"a":', '1', ',"A":0}'],
  ])('%s', (_name, open, core, close) => {
    const printed = canonicalJson(open.repeat(depth) + core + close.repeat(depth));
    const child = canonicalJson(`${open}"CORE"${close}`);
    const [head = '', tail = ''] = child.split('"CORE"');
    expect(printed === head.repeat(depth) + core + tail.repeat(depth)).toBe(true);
  });

  test('an error deep inside is still found', () => {
    expect(() => canonicalJson('['.repeat(depth))).toThrow(JsonSyntaxError);
  });
});

describe('the prefix hash', () => {
  const hash = (text: string) => `sha256:${sha256Hex(canonicalJson(text))}`;

  test('known hashes', () => {
    expect(hash('[ ]')).toMatch(/^sha256:4f53cda18c2b/);
    expect(hash('[{"role":"user","content":"hi"},{"role":"assistant","content":"hey"}]')).toBe(
      'sha256:d0cadcf58715725099c29327fbf5aedf83c82f85323344650901377b6e4e4c8b',
    );
  });

  // Read from the vectors' own text: parsing it first would lose what the hash is about.
  const dir = sharedDir();
  const text = dir === null ? '{"vectors":[]}' : readFileSync(join(dir, 'vectors', 'harn-projection.json'), 'utf8');
  const vectors = elements(text, locate(text, ['vectors'])?.start ?? 0).map(({ start, end }) => text.slice(start, end));

  test.skipIf(dir === null)('every raw vector (skipped: no shared test material)', () => {
    const raw = vectors.filter((vector) => stringAtPath(vector, ['options', 'policy']) === 'raw');
    expect(raw.length).toBeGreaterThan(1);
    for (const vector of raw) {
      expect(hash(mustHave(valueTextAt(vector, ['input']))), vector).toBe(
        stringAtPath(vector, ['accept', 0, 'prefix_hash']),
      );
    }
  });

  test.skipIf(dir === null)('every projection the vectors print (skipped: no shared test material)', () => {
    let checked = 0;
    for (const vector of vectors) {
      const accepted = locate(vector, ['accept']);
      if (accepted === null || vector[accepted.start] !== '[') continue;
      for (const { start, end } of elements(vector, accepted.start)) {
        const outcome = vector.slice(start, end);
        const messages = valueTextAt(outcome, ['projected_messages']);
        if (messages === null) continue;
        expect(hash(messages), outcome).toBe(stringAtPath(outcome, ['prefix_hash']));
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(5);
  });
});

function mustHave(text: string | null): string {
  if (text === null) throw new Error('a vector without input');
  return text;
}
