import { describe, expect, it } from 'vitest';
import { completeFilter } from '../../core/filter/complete.ts';
import { FIELDS } from '../../core/filter/fields.ts';
import { parseFilter } from '../../core/filter/parseFilter.ts';
import { valueFilter, withPiece } from '../../core/filter/pieces.ts';
import { printFilter } from '../../core/filter/printFilter.ts';
import type { FilterExpr } from '../../core/filter/types.ts';
import { parseQuery } from '../../core/search/parseQuery.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const NOW = { time: Date.UTC(2026, 10, 20, 12), zoneMinutes: 60 };
const SEED = Number(process.env.PARALLAX_SEED ?? 20_261_120);

const read = (text: string) => parseFilter(text, NOW);

describe('a filter', () => {
  it.each([
    ['fate:summarised used:later tokens>2000', 'fate:summarised used:later tokens>2000'],
    ['call:Read reread in:request', 'call:read use:reread in:request'],
    ['"reread"', '"reread"'],
    ['tokens>=2k OR chars<1.5m', 'tokens>=2000 OR chars<1500000'],
    ['turn:3', 'turn=3'],
    ['index = 4', 'index 4'],
    ['NOT is:error', '-is:error'],
    ['-(a OR b) c', '-(a OR b) c'],
    ['(a b) OR c', '(a b) OR c'],
    ['outcome:redacted', 'fate:cleared'],
    ['kind:tool_call', 'kind:call'],
    ['tool:mcp__*', 'tool:mcp__*'],
    ['tool:"My Tool"', 'tool:"my tool"'],
    ['after:7d x', 'after:7d x'],
    ['src/a.ts:42', '"src a ts 42"'],
    ['http://x.y', '"http x y"'],
    ['a>b', '"a b"'],
    ['', ''],
  ])('%s is read as %s', (text, printed) => {
    const { expr, problems } = read(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(printFilter(expr)).toBe(printed);
  });

  it.each([
    ['fate:sumarised', 'Did you mean fate:summarised?', 0, 14, 'fate:summarised'],
    ['fate:drop', 'Did you mean fate:dropped?', 0, 9, 'fate:dropped'],
    ['x tokns>3', 'Did you mean tokens?', 2, 9, 'tokens>3'],
    ['x tokns:3', 'Did you mean tokens?', 2, 9, 'tokens:3'],
    ['tokens>many', 'compared with a number, for example tokens>2000', 0, 11, undefined],
    ['fate>3', 'cannot be compared', 0, 6, 'fate:3'],
    ['used:', 'needs a value, for example used:later', 0, 5, undefined],
    ['used:sometimes', 'one of later, gone, never', 0, 14, undefined],
    ['after:soon', 'takes a date', 0, 10, undefined],
    ['a OR', 'OR goes between', 2, 4, undefined],
    ['=>', 'holds no letter or digit', 0, 2, undefined],
    [`${'a '.repeat(101)}`, 'at most 100', 200, 202, undefined],
    ['x'.repeat(1001), 'at most 1,000', 0, 1001, undefined],
  ])('%s: %s', (text, words, from, to, instead) => {
    const { problems } = read(text);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ from, to, text: expect.stringContaining(words) });
    expect(problems[0]?.instead).toBe(instead);
  });

  it('reads what search reads as search does', () => {
    for (const text of ['role:user is:error cache', 'a b OR c -"d e"', 'tool:Bash OR has:image', '-(x y*z) pre*']) {
      const inSearch = JSON.stringify(parseQuery(text, NOW).expr).replaceAll(
        '"kind":"tag","tag"',
        '"kind":"value","field"',
      );
      expect(JSON.stringify(read(text).expr)).toBe(inSearch);
    }
  });
});

const VALUES = FIELDS.flatMap((field) =>
  field.type === 'value' ? (field.values?.map(({ value }) => [field.name, value] as const) ?? []) : [],
);

function randomExpr(rng: Rng, depth: number): FilterExpr {
  const kind = rng.pick(depth > 0 ? ['and', 'or', 'not', 'leaf', 'leaf'] : ['leaf']);
  const some = () => Array.from({ length: 2 + rng.below(2) }, () => randomExpr(rng, depth - 1));
  if (kind === 'and' || kind === 'or') return { kind, of: some() };
  if (kind === 'not') return { kind: 'not', of: randomExpr(rng, depth - 1) };
  switch (rng.below(5)) {
    case 0: {
      const words = rng.pick([['cache'], ['reread'], ['große'], ['src', 'a', 'ts'], ['检', '索'], ['or']]);
      return { kind: 'words', words, prefix: rng.chance(0.3) };
    }
    case 1: {
      const [field, value] = rng.pick(VALUES);
      return { kind: 'value', field, value, prefix: false };
    }
    case 2: {
      const value = rng.pick(['bash', 'my tool', 'a(b)', 'mcp__x', 'ends*']);
      return { kind: 'value', field: rng.pick(['tool', 'call', 'result', 'rule']), value, prefix: rng.chance(0.3) };
    }
    case 3: {
      const is = rng.pick(['=', '<', '<=', '>', '>='] as const);
      return {
        kind: 'number',
        field: rng.pick(['tokens', 'turn', 'uses']),
        is,
        than: rng.pick([0, 3, 1.5, 2_000_000]),
      };
    }
    default: {
      const time = Date.UTC(2026, 0, 4, 23);
      return { kind: 'time', field: rng.pick(['after', 'before']), text: '2026-01-05', time };
    }
  }
}

describe('print and read', () => {
  it('are each other’s inverse', () => {
    for (let run = 0; run < 3000; run++) {
      const seed = SEED + run;
      const expr = randomExpr(seededRng(seed), 3);
      const text = printFilter(expr);
      // Longer ones are refused.
      if (text.length > 1000) continue;
      expect({ seed, text, expr: read(text).expr }).toEqual({ seed, text, expr });
    }
  });

  it('never fails, whatever is typed', () => {
    const rng = seededRng(SEED);
    const pieces = [
      'fate:',
      'tokens>',
      '"',
      '(',
      ')',
      '-',
      ' OR ',
      'NOT ',
      ':',
      '>',
      '=',
      'a',
      '*',
      '2k',
      '\\n',
      '检',
      ' ',
    ];
    for (let run = 0; run < 5000; run++) {
      const text = Array.from({ length: rng.below(12) }, () => rng.pick(pieces)).join('');
      const { expr, problems } = read(text);
      for (const { from, to } of problems) {
        expect(from).toBeLessThanOrEqual(to);
        expect(to).toBeLessThanOrEqual(text.length);
      }
      expect(read(printFilter(expr)).expr).toEqual(expr);
    }
  });
});

describe('completion', () => {
  const counts = {
    tool: [
      { value: 'Bash', count: 40 },
      { value: 'Read', count: 7 },
    ],
    fate: [{ value: 'dropped', count: 3 }],
  };
  const complete = (text: string) => completeFilter(text, text.length, counts);

  it('offers fields, then their values with counts', () => {
    expect(complete('us').map(({ text }) => text)).toEqual(['used:', 'use:', 'uses>']);
    expect(complete('x tool:r')).toEqual([{ text: 'tool:Read', from: 2, to: 8, help: '', count: 7 }]);
    expect(complete('fate:')[0]).toMatchObject({ text: 'fate:dropped', count: 3 });
    expect(complete('fate:su').map(({ text }) => text)).toEqual(['fate:summarised']);
    expect(complete('').length).toBe(FIELDS.length);
    expect(complete('tokens>')).toEqual([]);
  });

  it('puts what it offers in the place of what was typed', () => {
    const [first] = complete('a -fate:dr');
    expect(first).toMatchObject({ from: 3, to: 10, text: 'fate:dropped' });
  });
});

describe('a value that is clicked', () => {
  it('joins the filter once', () => {
    expect(valueFilter('tool', 'My Tool')).toBe('tool:"My Tool"');
    expect(withPiece('', 'fate:kept')).toBe('fate:kept');
    expect(withPiece('a ', 'fate:kept')).toBe('a fate:kept');
    expect(withPiece('fate:kept a', 'fate:kept')).toBe('fate:kept a');
  });
});
