import { describe, expect, test } from 'vitest';
import { findPlaces, parsePath, pathText } from '../../core/model/mapping/path.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import { valueAt } from '../../core/model/partText.ts';

const DOC = {
  a: { b: [{ c: 1 }, { c: 2 }, { d: 3 }, 4], 'odd key': true, 'with.dot': 5 },
  table: { x: { v: 'one' }, y: { v: 'two' } },
  list: [[1, 2], [3]],
  none: null,
  '': 'empty name',
};

const found = (text: string, root: '$' | '@' = '$'): unknown[] => {
  const path = parsePath(text, root);
  if (!path.ok) throw new Error(path.error.message);
  return findPlaces(DOC, path.value.steps).map((place) => valueAt(DOC, place));
};

describe('a path finds', () => {
  test.each<[path: string, values: readonly unknown[]]>([
    ['$', [DOC]],
    ['@', [DOC]],
    ['a.b[0].c', [1]],
    ['$.a.b[*].c', [1, 2]],
    ['@.a.b[*].c', [1, 2]],
    ['$.a.b[*]', [{ c: 1 }, { c: 2 }, { d: 3 }, 4]],
    ['$.a.b[ * ].d', [3]],
    ['$.a.b[9]', []],
    ["$.a['odd key']", [true]],
    ['$.a["with.dot"]', [5]],
    ["$['']", ['empty name']],
    ['$.table.*.v', ['one', 'two']],
    ['$.table.*', [{ v: 'one' }, { v: 'two' }]],
    ['$.list[*][*]', [1, 2, 3]],
    ['$.list[1][0]', [3]],
    ['$.none', [null]],
    ['$.none.deeper', []],
    ['$.a.b.c', []],
    ['$.a[*]', []],
    ['$.list.*', []],
    ['$.constructor', []],
    ['$.a.__proto__', []],
    ['  $.none  ', [null]],
  ])('%s', (path, values) => {
    expect(found(path)).toEqual(values);
  });
});

describe('a text that is no path says so, and where', () => {
  test.each<[path: string, column: number, message: string]>([
    ['', 1, 'empty'],
    ['   ', 1, 'empty'],
    ['$..a', 2, '".."'],
    ['$.a..b', 4, '".."'],
    ['$.a[?(@.b)]', 4, 'filters'],
    ['$.a[-1]', 4, 'negative'],
    ['$.a[0:2]', 4, 'slices'],
    ['$.a[0,1]', 4, 'lists of steps'],
    ['$.', 3, 'after "."'],
    ['$.a.', 5, 'after "."'],
    ['$.a[x]', 4, 'in brackets'],
    ['$.a[0', 4, 'in brackets'],
    ["$.a['b]", 4, 'in brackets'],
    ['$a', 2, 'not expected'],
    ['$.a b', 4, 'not expected'],
    ['$.a]', 4, 'not expected'],
  ])('%j', (path, column, message) => {
    const read = parsePath(path);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.error.column).toBe(column);
    expect(read.error.message).toContain(message);
  });
});

test.each(['$', '$.a.b[*].c', "$['odd key'].x", "$['it\\'s']['back\\\\slash']", '@[0][*].*', "$['']"])(
  'a path written out reads as itself: %s',
  (text) => {
    const path = parsePath(text);
    if (!path.ok) throw new Error(path.error.message);
    expect(pathText(path.value)).toBe(text);
  },
);

const RULE = { role: { path: '@.r' }, text: '@.t' };
const MAPPING = { mapping: 1, name: 'M', at: '$[*]', messages: [RULE] };

describe('a mapping that is none names the field', () => {
  test.each<[what: string, value: unknown, field: string, text: string]>([
    ['no object', [], '', 'is a JSON object'],
    ['no version', { at: '$' }, 'mapping', '"mapping": 1'],
    ['a newer version', { ...MAPPING, mapping: 2 }, 'mapping', 'newer'],
    ['no place', { ...MAPPING, at: undefined }, 'at', 'the path of the messages'],
    ['a place from the message', { ...MAPPING, at: '@.x' }, 'at', 'begins at the file'],
    ['no rules', { ...MAPPING, messages: [] }, 'messages', 'missing'],
    ['too many rules', { ...MAPPING, messages: [RULE, RULE, RULE, RULE, RULE] }, 'messages', 'more than 4'],
    ['no role', { ...MAPPING, messages: [{ text: '@.t' }] }, 'messages[0].role', 'missing'],
    [
      'an odd role',
      { ...MAPPING, messages: [{ ...RULE, role: { constant: 'bot' } }] },
      'messages[0].role.constant',
      '"bot" is not a role',
    ],
    [
      'an odd meaning',
      { ...MAPPING, messages: [{ ...RULE, role: { path: '@.r', values: { b: 'bot' } } }] },
      'messages[0].role.values.b',
      'roles are user',
    ],
    [
      'a field from the file',
      { ...MAPPING, messages: [{ ...RULE, text: '$.t' }] },
      'messages[0].text',
      'begins at the message',
    ],
    [
      'a path that is none',
      { ...MAPPING, messages: [RULE, { ...RULE, time: '@.a[' }] },
      'messages[1].time',
      'column 4',
    ],
    ['nothing to say', { ...MAPPING, messages: [{ role: { path: '@.r' } }] }, 'messages[0].text', 'missing'],
    ['a field nobody knows', { ...MAPPING, messages: [{ ...RULE, txet: '@.t' }] }, 'messages[0].txet', 'no such field'],
    [
      'calls nowhere',
      { ...MAPPING, messages: [{ ...RULE, calls: { id: '@.id' } }] },
      'messages[0].calls.at',
      'missing',
    ],
    ['transcripts elsewhere', { ...MAPPING, transcripts: { at: '$.x[*]' } }, 'transcripts.at', 'has to begin with'],
  ])('%s', (_what, value, field, text) => {
    const { mapping, faults } = readMapping(value);
    expect(mapping).toBeNull();
    expect(faults.map((one) => one.field)).toContain(field);
    expect(faults.find((one) => one.field === field)?.text).toContain(text);
  });
});
