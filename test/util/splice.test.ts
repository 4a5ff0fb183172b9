import { describe, expect, test } from 'vitest';
import {
  elements,
  insertElements,
  isJsonText,
  JsonSyntaxError,
  jsonString,
  locate,
  members,
  parseJsonText,
  RawJson,
  removeElements,
  removeMember,
  replaceAt,
  setMember,
  skipValue,
  stringAtPath,
  stringifyWithRaw,
  valueTextAt,
} from '../../core/util/json/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';

const MESSAGE = String.raw` { "role" : "user", "n": 1.0, "content": [ {"type":"text","text":"a\/b"} , 12345678901234567890 ,"x" ], "role":"assistant" } `;

describe('reading in place', () => {
  test.each([
    [[], MESSAGE.trim()],
    [['role'], '"assistant"'],
    [['n'], '1.0'],
    [['content', 0, 'text'], String.raw`"a\/b"`],
    [['content', 1], '12345678901234567890'],
    [['content', 3], null],
    [['content', -1], null],
    [['content', 'length'], null],
    [['content', 0, 'text', 0], null],
    [['absent'], null],
    [[0], null],
    [['n', 'x'], null],
  ] as const)('the value at %j', (path, expected) => {
    expect(valueTextAt(MESSAGE, path)).toBe(expected);
  });

  test('spans, members and elements point at the text', () => {
    expect(locate(MESSAGE, ['n'])).toEqual({ start: MESSAGE.indexOf('1.0'), end: MESSAGE.indexOf('1.0') + 3 });
    expect(
      members(MESSAGE, 1).map(({ key, valueStart, valueEnd }) => [key, MESSAGE.slice(valueStart, valueEnd)]),
    ).toEqual([
      ['role', '"user"'],
      ['n', '1.0'],
      ['content', valueTextAt(MESSAGE, ['content'])],
      ['role', '"assistant"'],
    ]);
    const text = '[ 1 ,[2], {} ]';
    expect(elements(text, 0).map(({ start, end }) => text.slice(start, end))).toEqual(['1', '[2]', '{}']);
    expect(elements('[ ]', 0)).toEqual([]);
    expect(members('{ }', 0)).toEqual([]);
    expect(members('{"__proto__":1,"\\u0061":2}', 0).map(({ key }) => key)).toEqual(['__proto__', 'a']);
    expect(stringAtPath(MESSAGE, ['content', 0, 'text'])).toBe('a/b');
    expect(stringAtPath(MESSAGE, ['n'])).toBeNull();
  });

  test('a broken text is refused, not half read', () => {
    for (const broken of ['[1,]', '[1 2]', '[1', '[,1]'])
      expect(() => elements(broken, 0), broken).toThrow(JsonSyntaxError);
    for (const broken of ['{"a":1,}', '{"a":1 "b":2}', '{"a"}', '{1:2}', '{"a":1']) {
      expect(() => members(broken, 0), broken).toThrow(JsonSyntaxError);
    }
    expect(() => elements('{}', 0)).toThrow(JsonSyntaxError);
    expect(() => members('[]', 0)).toThrow(JsonSyntaxError);
  });

  test('depth costs no stack', () => {
    const deep = `${'[{"a":'.repeat(100_000)}1${'}]'.repeat(100_000)}`;
    expect(skipValue(deep, 0)).toBe(deep.length);
    expect(elements(deep, 0)).toEqual([{ start: 1, end: deep.length - 1 }]);
  });
});

describe('editing in place', () => {
  test.each([
    ['replace', replaceAt(MESSAGE, ['n'], '2.50'), MESSAGE.replace('1.0', '2.50')],
    ['set the one that counts', setMember(MESSAGE, [], 'role', '"tool"'), MESSAGE.replace('"assistant"', '"tool"')],
    ['append', setMember('{ "a": 1 }', [], 'b"', '2'), String.raw`{ "a": 1,"b\"":2 }`],
    ['append to nothing', setMember('{"a":{ }}', ['a'], 'b', '2'), '{"a":{"b":2 }}'],
    ['remove a member', removeMember('{ "a": 1 , "b" : 2 ,"c":3 }', [], 'b'), '{ "a": 1 ,"c":3 }'],
    ['remove the first', removeMember('{ "a": 1 , "b" : 2 }', [], 'a'), '{ "b" : 2 }'],
    ['remove all of a key', removeMember('{"a":1,"b":2,"a":3}', [], 'a'), '{"b":2}'],
    ['remove the only one', removeMember('{ "a": 1 }', [], 'a'), '{  }'],
    ['remove none', removeMember('{ "a": 1 }', [], 'b'), '{ "a": 1 }'],
    ['remove first', removeElements('[ 1 , 2 ,3 ]', [], new Set([0])), '[ 2 ,3 ]'],
    ['remove middle', removeElements('[ 1 , 2 ,3 ]', [], new Set([1])), '[ 1 ,3 ]'],
    ['remove last', removeElements('[ 1 , 2 ,3 ]', [], new Set([2, 7])), '[ 1 , 2 ]'],
    ['remove all', removeElements('[ 1 , 2 ,3 ]', [], new Set([0, 1, 2])), '[  ]'],
    ['remove from empty', removeElements('[ ]', [], new Set([0])), '[ ]'],
    ['insert first', insertElements('[ 1 ]', [], 0, ['0', '5']), '[ 0,5,1 ]'],
    ['insert last', insertElements('[ 1 ]', [], 1, ['2.0']), '[ 1,2.0 ]'],
    ['insert into empty', insertElements('{"a":[ ]}', ['a'], 0, ['{}']), '{"a":[{} ]}'],
    ['insert nothing', insertElements('[1]', [], 0, []), '[1]'],
  ])('%s', (_name, edited, expected) => {
    expect(edited).toBe(expected);
  });

  test('a path that leads nowhere is a mistake of the caller', () => {
    expect(() => replaceAt('{}', ['a'], '1')).toThrow(RangeError);
    expect(() => setMember('[]', [], 'a', '1')).toThrow(RangeError);
    expect(() => removeElements('{}', [], new Set())).toThrow(RangeError);
    expect(() => insertElements('[]', [], 1, ['1'])).toThrow(RangeError);
  });
});

const KEYS = ['a', 'b', 'é', '"', '😀', '__x', '10', ''];
const ATOMS = [
  '1.0',
  '-0',
  '1e5',
  '12345678901234567890',
  'null',
  'true',
  '"a\\/b"',
  '"\\u00e9"',
  '" , ] }"',
  '{}',
  '[ ]',
];

/** Random JSON text with white space anywhere, no duplicate keys. */
function randomJson(rng: Rng, depth: number): string {
  const gap = () => rng.pick(['', ' ', '\n\t']);
  const kind = depth === 0 ? 0 : rng.below(3);
  if (kind === 0) return rng.pick(ATOMS);
  if (kind === 1) {
    const items = Array.from({ length: rng.below(4) }, () => gap() + randomJson(rng, depth - 1) + gap());
    return `[${items.join(',')}]`;
  }
  const keys = rng.shuffle(KEYS).slice(0, rng.below(4));
  return `{${keys.map((key) => `${gap()}${jsonString(key)}${gap()}:${gap()}${randomJson(rng, depth - 1)}${gap()}`).join(',')}}`;
}

/** A way to a random value of the parsed text. */
function randomPath(rng: Rng, value: unknown): (string | number)[] {
  const path: (string | number)[] = [];
  let at: unknown = value;
  while (rng.chance(0.8)) {
    if (Array.isArray(at) && at.length > 0) {
      const index = rng.below(at.length);
      path.push(index);
      at = at[index];
    } else if (isRecord(at) && Object.keys(at).length > 0) {
      const key = rng.pick(Object.keys(at));
      path.push(key);
      at = at[key];
    } else break;
  }
  return path;
}

/** The edited copy, made on the parsed value: the obvious way. */
function edited(value: unknown, path: readonly (string | number)[], edit: (target: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return edit(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? edited(item, rest, edit) : item));
  if (isRecord(value)) return { ...value, [step]: edited(value[step], rest, edit) };
  throw new Error('no such path');
}

function elementTexts(text: string, start: number): string[] {
  return elements(text, start).map((span) => text.slice(span.start, span.end));
}

test('random edits equal the same edits on the parsed value, and leave all other bytes', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const rng = seededRng(seed);
    const text = randomJson(rng, 4);
    const value: unknown = JSON.parse(text);
    const path = randomPath(rng, value);
    const span = locate(text, path) ?? { start: -1, end: -1 };
    const note = `seed ${seed}: ${JSON.stringify(path)} in ${text}`;
    const target: unknown = JSON.parse(text.slice(span.start, span.end));
    let result = replaceAt(text, path, '{"new":1.0}');
    let expected = edited(value, path, () => ({ new: 1 }));
    if (Array.isArray(target)) {
      const gone = new Set(target.map((_, index) => index).filter(() => rng.chance()));
      result = removeElements(text, path, gone);
      expected = edited(value, path, () => target.filter((_, index) => !gone.has(index)));
      const kept = elementTexts(text, span.start).filter((_, index) => !gone.has(index));
      expect(elementTexts(result, span.start), note).toEqual(kept);
    } else if (isRecord(target)) {
      const key = rng.pick(KEYS);
      const set = rng.chance();
      result = set ? setMember(text, path, key, '[7.0]') : removeMember(text, path, key);
      const left = Object.entries(target).filter(([name]) => name !== key);
      expected = edited(value, path, () => Object.fromEntries(set ? [...left, [key, [7]]] : left));
    }
    expect(JSON.parse(result), note).toEqual(expected);
    expect(result.startsWith(text.slice(0, span.start)), note).toBe(true);
    expect(result.endsWith(text.slice(span.end)), note).toBe(true);
  }
});

describe('stringifyWithRaw', () => {
  test('splices raw fragments verbatim', () => {
    const raw = new RawJson('{"b": 1.0, "a": 12345678901234567890}');
    expect(stringifyWithRaw({ z: [raw, raw], n: 10n ** 20n })).toBe(
      `{"z":[${raw.text},${raw.text}],"n":100000000000000000000}`,
    );
    expect(stringifyWithRaw(raw)).toBe(raw.text);
    expect(JSON.stringify({ raw: new RawJson('[1.0]') })).toBe('{"raw":[1]}');
  });

  test.each([
    [{ a: undefined, b: [undefined, () => 1, Number.NaN], c: null, 'd"': 'é\n' }],
    [[[], {}, '', 0, -0, true]],
    [{ when: new URL('https://example.org/'), x: { a: undefined } }],
    ['text'],
    [null],
  ])('equals JSON.stringify: %j', (value) => {
    expect(stringifyWithRaw(value)).toBe(JSON.stringify(value));
  });

  test('refuses a cycle but not a value met twice', () => {
    const shared = { a: 1 };
    expect(stringifyWithRaw([shared, shared])).toBe('[{"a":1},{"a":1}]');
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => stringifyWithRaw(cycle)).toThrow(TypeError);
  });

  test('depth costs no stack', () => {
    let value: unknown = 1;
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(stringifyWithRaw(value)).toBe(`${'['.repeat(100_000)}1${']'.repeat(100_000)}`);
  });
});

test('a text is checked before it counts as JSON', () => {
  expect(isJsonText(' [1.0] ')).toBe(true);
  expect(isJsonText('[1.0] x')).toBe(false);
  expect(parseJsonText('[')).toMatchObject({ ok: false, error: { offset: 1 } });
  expect(parseJsonText('{}')).toEqual({ ok: true, value: '{}' });
});
