import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ftsExpression } from '../../core/search/ftsExpression.ts';
import { isRunnable, parseQuery } from '../../core/search/parseQuery.ts';
import type { Expr } from '../../core/search/types.ts';

const NOW = { time: Date.UTC(2026, 10, 20, 12), zoneMinutes: 60 };
const parse = (text: string) => parseQuery(text, NOW);

/** An expression as a line. */
function line(expr: Expr): string {
  switch (expr.kind) {
    case 'all':
      return '*';
    case 'words':
      return `${expr.words.join('+')}${expr.prefix ? '…' : ''}`;
    case 'tag':
      return `${expr.tag}=${expr.value}${expr.prefix ? '…' : ''}`;
    case 'not':
      return `!${line(expr.of)}`;
    case 'and':
      return `(${expr.of.map(line).join(' ')})`;
    case 'or':
      return `(${expr.of.map(line).join('|')})`;
  }
}

describe('expressions', () => {
  it.each([
    ['one two', '(one two)'],
    ['one AND two', '(one two)'],
    ['"one two"', 'one+two'],
    ['one "two three" four', '(one two+three four)'],
    ['src/file.ts:42', 'src+file+ts+42'],
    ['http://x.y', 'http+x+y'],
    ['snake_case', 'snake+case'],
    ['全文', '全+文'],
    ['pre*', 'pre…'],
    ['"two wor"*', 'two+wor…'],
    ['检*', '检…'],
    ['-one two', '(!one two)'],
    ['NOT one two', '(!one two)'],
    ['one-two', 'one+two'],
    ['a OR b', '(a|b)'],
    ['x a OR b y', '(x (a|b) y)'],
    ['a OR b OR -c', '(a|b|!c)'],
    ['(a b) OR c', '((a b)|c)'],
    ['-(a OR b) c', '(!(a|b) c)'],
    ['foo(bar) baz', '(foo+bar baz)'],
    ['(foo(bar) baz)', '(foo+bar baz)'],
    ['a) b', '(a b)'],
    ['(a b', '(a b)'],
    ['role:user hello', '(role=user hello)'],
    ['ROLE:User', 'role=user'],
    ['tool:Bash OR tool:Read', '(tool=bash|tool=read)'],
    ['tool:mcp__*', 'tool=mcp__…'],
    ['tool:"My Tool"', 'tool=my tool'],
    ['-is:error', '!is=error'],
    ['has:signature', 'has=signature'],
    ['"role:user"', 'role+user'],
    ['"unclosed quote', 'unclosed+quote'],
    ['a OR', 'a'],
    ['OR a', 'a'],
    ['a OR OR b', '(a b)'],
    ['a OR => b', '(a b)'],
    ['or and not', '(or and not)'],
  ])('%s', (text, expected) => {
    expect(line(parse(text).expr)).toBe(expected);
  });

  it('marks what is wanted, not what is left out', () => {
    expect(parse('a -b "c d" -(e f)').terms.map(({ words }) => words.join(' '))).toEqual(['a', 'c d']);
  });
});

describe('scopes', () => {
  it.each([
    ['model:Opus x', [{ kind: 'model', value: 'opus', negated: false }]],
    ['-project:"/home/My App" x', [{ kind: 'project', value: '/home/my app', negated: true }]],
    [
      'is:injected in:abc',
      [
        { kind: 'flag', flag: 'injected', negated: false },
        { kind: 'in', value: 'abc', negated: false },
      ],
    ],
    // Midnight where the user is, an hour east.
    ['after:2026-01-05', [{ kind: 'after', time: Date.UTC(2026, 0, 4, 23), negated: false }]],
    ['before:2026-01', [{ kind: 'before', time: Date.UTC(2025, 11, 31, 23), negated: false }]],
    ['after:2026-01-05T10:30', [{ kind: 'after', time: Date.UTC(2026, 0, 5, 9, 30), negated: false }]],
    ['after:7d', [{ kind: 'after', time: NOW.time - 7 * 86_400_000, negated: false }]],
    ['after:today', [{ kind: 'after', time: Date.UTC(2026, 10, 19, 23), negated: false }]],
    ['before:3m', [{ kind: 'before', time: Date.UTC(2026, 7, 20, 12), negated: false }]],
  ])('%s', (text, expected) => {
    expect(parse(text).scopes).toEqual(expected);
  });
});

describe('what is wrong', () => {
  it.each([
    ['', 'error', 'nothing to search', 0, 0],
    ['   ', 'error', 'nothing to search', 0, 3],
    ['=>', 'error', 'holds no letter or digit', 0, 2],
    ['""', 'error', 'quotes are empty', 0, 2],
    ['a =>', 'warning', 'holds no letter or digit', 2, 4],
    ['a OR', 'warning', 'OR goes between', 2, 4],
    ['a -', 'warning', 'holds no letter', 2, 3],
    ['role:', 'error', 'needs a value, for example role:user', 0, 5],
    ['x role:', 'warning', 'needs a value', 2, 7],
    ['x role:human', 'error', 'user, assistant, tool, system', 2, 12],
    ['is:broken', 'error', 'error, injected', 0, 9],
    ['after:soon', 'error', 'takes a date', 0, 10],
    ['after:2026-02-31', 'error', 'takes a date', 0, 16],
    ['ab*', 'error', 'at least 3 letters', 0, 3],
    ['rol:user', 'warning', 'Did you mean role:', 0, 8],
    ['model:x OR b', 'error', 'holds for the whole query', 0, 7],
    ['(b after:7d)', 'error', 'holds for the whole query', 3, 11],
    [`${'a '.repeat(101)}`, 'error', 'at most 100', 200, 202],
    ['x'.repeat(1001), 'error', 'at most 1,000', 0, 1001],
  ])('%s', (text, severity, words, from, to) => {
    const { problems } = parse(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity, from, to });
    expect(problems[0]?.text).toContain(words);
    expect(isRunnable(parse(text))).toBe(severity !== 'error');
  });
});

describe('whatever is typed', () => {
  const PIECES = [
    'a',
    'foo',
    '"',
    '(',
    ')',
    '-',
    '*',
    'OR',
    'AND',
    'NOT',
    'NEAR(',
    ' ',
    ':',
    '^',
    '+',
    'role:',
    'tool:x',
    'in:',
    '{',
    '\\',
    "'",
    '検',
    '\u0000',
    '\ue000',
    '\ue001role',
    'before:1d',
  ];
  it('is read, and becomes an expression without anything typed in its syntax', () => {
    const query = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    const property = fc.property(query, (text) => {
      const parsed = parse(text);
      const outside = ftsExpression(parsed.expr)
        .replace(/"[^"]*"/g, '')
        .replace(/AND|OR|NOT|[()* ]/g, '');
      expect(outside).toBe('');
      for (const { from, to } of parsed.problems) expect(from <= to && to <= text.length).toBe(true);
    });
    fc.assert(property, { seed: 5, numRuns: 5000 });
  });
});
