// What an outcome rests on, read out of facts.
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../core/check/evidence.ts';
import { textKey } from '../../core/check/judge.ts';
import { readRulesText } from '../../core/check/readRulesText.ts';
import type { Rule } from '../../core/check/schema.ts';
import type { CheckedText, SessionFacts } from '../../core/check/types.ts';

const FACTS: SessionFacts = {
  requests: [1, 4, 7, 9].map((at, position) => ({ at, tokens: 100 * (position + 1), cost: null })),
  ...{
    compactions: [7],
    cost: null,
    unpriced: 0,
    cacheBreaks: 1,
    breaksAt: [7],
    texts: new Map(),
    usesGone: [4, 4],
    findings: null,
  },
  ...{ survival: null, secrets: null, refusals: new Map(), rows: new Map(), record: null, budget: null },
};

const of = (rule: Rule, facts: Partial<SessionFacts> = {}) => evidenceOf(rule, { ...FACTS, ...facts }, null);

const runs = (rule: Rule, facts: Partial<SessionFacts> = {}) =>
  of(rule, facts).runs.map(({ from, to, calls, state, looked, holds }) => [from, to, calls, state, looked, holds]);

function said(rule: Rule): Partial<SessionFacts> {
  const text: CheckedText = {
    states: ['not_yet', 'original', 'gone', 'elsewhere'],
    loss: { at: 7, words: 'since #7, a stage' },
    first: 2,
    places: [],
  };
  return { texts: new Map([[textKey(rule) ?? '', text]]) };
}

describe('the requests along the session', () => {
  it('have the state of a text, and where the rule looks', () => {
    const watch = { watch: 'quay' };
    expect(runs(watch, said(watch))).toEqual([
      [1, 1, 1, 'not_yet', true, null],
      [4, 4, 1, 'original', true, true],
      [7, 7, 1, 'gone', true, false],
      [9, 9, 1, 'elsewhere', true, true],
    ]);
    const original = { text: 'quay', state: 'original', at: 'compactions' } as const;
    expect(runs(original, said(original)).map((run) => run.slice(4))).toEqual([
      [false, null],
      [false, true],
      [true, false],
      [false, false],
    ]);
    const absent = { text: 'quay', state: 'absent', at: 7 } as const;
    expect(runs(absent, said(absent))[2]).toEqual([7, 7, 1, 'gone', true, true]);
  });

  it('are within a limit or over it; those alike are one run', () => {
    expect(runs({ tokens: 200 })).toEqual([
      [1, 4, 2, 'within', true, true],
      [7, 9, 2, 'over', true, false],
    ]);
    expect(runs({ tokens: { max: 200, at: 'end' } }).map((run) => run[4])).toEqual([false, false, true]);
    expect(runs({ fits: true })).toEqual([]);
    // A margin of a tenth, where counts may be too low.
    expect(runs({ fits: 310 }).map((run) => [run[2], run[3]])).toEqual([
      [2, 'within'],
      [2, 'over'],
    ]);
  });

  it('are marked where something counts against a limit of the whole session, and judged by none alone', () => {
    expect(runs({ cache_breaks: 0 })).toEqual([
      [1, 4, 2, 'clear', true, null],
      [7, 7, 1, 'counted', true, null],
      [9, 9, 1, 'clear', true, null],
    ]);
    expect(runs({ cost: 1 })).toEqual([]);
  });
});

describe('places', () => {
  it('are those that are over a limit, or the largest where none is', () => {
    const over = of({ tokens: 200 }).places.map(({ at, what }) => [at, what]);
    expect(over).toEqual([
      [7, '300 tokens'],
      [9, '400 tokens, the largest'],
    ]);
    expect(of({ tokens: 900 }).places).toMatchObject([{ at: 9, what: '400 tokens, the largest' }]);
  });

  it('of secrets have kind and tier, never a value; those a rule does not count are left out', () => {
    const secrets = [
      { kind: 'email', tier: 'definite', at: 3 },
      { kind: 'github-token', tier: 'definite', at: null },
    ] as const;
    const found = of({ secrets: { max: 0, kind: 'personal' } }, { secrets }).places;
    expect(found.map(({ index }) => index)).toEqual([3]);
  });

  it('are listed up to fifty', () => {
    const rows = new Map([['role:user', Array.from({ length: 60 }, (_, at) => at)]]);
    const { places, more } = of({ filter: 'role:user', rows: { max: 1 } }, { rows });
    expect([places.length, more]).toEqual([50, 10]);
  });
});

describe('a file of rules', () => {
  it('is refused with all its faults, in the order of its lines', () => {
    const text = `version: 1
rules:
  - tokens: many
  - txt: a
  - text: a
    state: orignal
  - findings: {kind: forgoten, max: 0}
  - cost: 1
`;
    const read = readRulesText(text);
    const faults = read.ok ? [] : read.error;
    expect(faults.map(({ line }) => line)).toEqual([3, 4, 6, 7]);
    expect(faults.map(({ text: words }) => /Did you mean (\w+)\?/.exec(words)?.[1])).toEqual([
      ...[undefined, 'text', 'original', 'forgotten'],
    ]);
  });

  it('says from which line to which a rule is written', () => {
    const read = readRulesText('version: 1\nrules:\n  - name: a\n    text: b\n\n  # behind it\n  - cost: 1\n');
    if (!read.ok) throw new Error('refused');
    expect(read.value.reported.map(({ line }) => line)).toEqual([3, 7]);
    expect(read.value.lastLines).toEqual([4, 7]);
    const json = readRulesText('{"version":1,"rules":[{"cost":1}]}');
    expect(json.ok && json.value.lastLines).toEqual([1]);
  });
});
