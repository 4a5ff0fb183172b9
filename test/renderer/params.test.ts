// Values of options that are lists, rules and choices, as the controls hold them.
import { describe, expect, it } from 'vitest';
import type { ParamSchema } from '../../core/view/types.ts';
import { parseNumber } from '../../renderer/policy/params/NumberParam.tsx';
import { applies, isChanged, isQuiet, rowsOf, setOption, shownValue } from '../../renderer/state/editSpec.ts';

const MODE: ParamSchema = { name: 'mode', aliases: ['default.mode'], type: 'choice', default: 'age', help: '' };
const VALUE: ParamSchema = {
  ...{ name: 'value', type: 'integer', default: 6, help: '' },
  when: { param: 'mode', is: ['age', 'count'] },
};
const NAMES: ParamSchema = { name: 'off', type: 'list', default: [], help: '' };
const TEXT: ParamSchema = { name: 'text', type: 'text', default: null, help: '' };
const ROLE: ParamSchema = {
  ...{ name: 'role', type: 'choice', default: 'user', help: '' },
  choices: [
    { value: 'user', help: '' },
    { value: 'never', help: '' },
  ],
};
const RULES: ParamSchema = { name: 'per_tool', type: 'rules', default: {}, fields: [MODE, VALUE], help: '' };
const SHARE: ParamSchema = { name: 'share', type: 'number', default: 0.5, help: '' };
const stage = (options: Readonly<Record<string, unknown>>) => ({ kind: 'x', options });
const optionsAfter = (options: Readonly<Record<string, unknown>>, param: ParamSchema, value: ParamSchema['default']) =>
  setOption({ version: 1, stages: [stage(options)] }, 0, param, value).stages[0]?.options;

describe('lists', () => {
  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a, b\nc', ['a', 'b', 'c']],
    // Numbers of messages are a list too.
    [
      ['a', 7, ' '],
      ['a', '7'],
    ],
    [{ a: 1 }, []],
  ])('%j is shown as %j', (given, shown) => {
    expect(shownValue(stage({ off: given }), NAMES)).toEqual(shown);
  });

  it('an empty one is the default, and is not written', () => {
    expect(isChanged(stage({ off: [] }), NAMES)).toBe(false);
    expect(isChanged(stage({ off: ['a'] }), NAMES)).toBe(true);
    expect(optionsAfter({ off: ['a'] }, NAMES, [])).toBeUndefined();
    expect(optionsAfter({}, NAMES, ['a'])).toEqual({ off: ['a'] });
  });

  it('stays folded away while it is empty; choices and numbers never do', () => {
    expect([NAMES, RULES, MODE, SHARE, VALUE].map((param) => isQuiet(stage({}), param))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('rules', () => {
  it('are rows by name; what is no value in them is not shown', () => {
    const given = { read: { mode: 'count', value: 2, odd: [1] }, run: 'never_evict' };
    expect(rowsOf(shownValue(stage({ per_tool: given }), RULES))).toEqual({
      read: { mode: 'count', value: 2 },
      run: {},
    });
    expect(rowsOf(null)).toEqual({});
  });

  it.each([
    ['what is said', { text: 'what is said' }],
    ['never_evict', { role: 'never' }],
    [7, {}],
  ])('a row that is %j is shown as %j', (row, shown) => {
    const rules: ParamSchema = { ...RULES, fields: [TEXT, ROLE] };
    expect(rowsOf(shownValue(stage({ per_tool: { a: row } }), rules))).toEqual({ a: shown });
  });

  it('none are the default', () => {
    expect(optionsAfter({ per_tool: { read: {} } }, RULES, {})).toBeUndefined();
  });
});

describe('an option given inside another', () => {
  it('is shown', () => {
    expect(shownValue(stage({ default: { mode: 'count' } }), MODE)).toBe('count');
    expect(isChanged(stage({ default: { mode: 'count' } }), MODE)).toBe(true);
  });

  it('is overruled by its own name, and by its default too', () => {
    const given = { default: { mode: 'count', value: 3 } };
    expect(optionsAfter(given, MODE, 'never')).toEqual({ ...given, mode: 'never' });
    expect(optionsAfter(given, MODE, 'age')).toEqual({ ...given, mode: 'age' });
    expect(optionsAfter({ mode: 'count' }, MODE, 'age')).toBeUndefined();
  });
});

describe('an option that depends on another', () => {
  it.each([
    [{}, true],
    [{ mode: 'count' }, true],
    [{ mode: 'never' }, false],
    [{ default: { mode: 'never' } }, false],
  ])('with %j is seen: %s', (options, seen) => {
    expect(applies(stage(options), [MODE, VALUE], VALUE)).toBe(seen);
  });

  it('on one that is not there is seen', () => {
    expect(applies(stage({}), [VALUE], VALUE)).toBe(true);
  });
});

describe('numbers with decimals', () => {
  it.each([
    ['0.35', 0.35],
    ['.5', 0.5],
    ['7', 7],
    ['7.', 7],
    ['-1', null],
    ['1e3', null],
    ['', null],
    ['.', null],
  ])('%j', (text, number) => {
    expect(parseNumber(text, 0)).toBe(number);
  });

  it('are not below the least', () => {
    expect([parseNumber('0.5', 1), parseNumber('1', 1)]).toEqual([null, 1]);
  });
});
