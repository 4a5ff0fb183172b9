import { expect, test } from 'vitest';
import { judge, textKey } from '../../core/check/judge.ts';
import type { SessionFacts } from '../../core/check/types.ts';
import type { TextState } from '../../core/insight/text/types.ts';

const FACTS: SessionFacts = {
  requests: [{ at: 1, tokens: 95, cost: null }],
  ...{
    compactions: [],
    cost: null,
    unpriced: 0,
    cacheBreaks: 0,
    breaksAt: [],
    texts: new Map(),
    usesGone: null,
    findings: null,
  },
  ...{ survival: null, secrets: null, refusals: new Map(), rows: new Map(), record: null, budget: null },
};

test.each([
  ['counts that are the provider\u2019s', { total: 100, margin: 0 }, true, 'passed'],
  ['counts that may be too low by a tenth', { total: 100, margin: 0.1 }, true, 'failed'],
  ['a window that is given, with the margin of the counts', { total: 1000, margin: 0.1 }, 100, 'failed'],
  ['a window that is given, with counts that are the provider\u2019s', { total: 1000, margin: 0 }, 100, 'passed'],
  ['no window', null, true, 'unchecked'],
] as const)('fits: %s', (_what, budget, fits, verdict) => {
  expect(judge({ fits }, { ...FACTS, budget }, null).verdict).toBe(verdict);
});

test.each([
  ['gone', 'elsewhere', 'present: elsewhere, word for word at #1'],
  ['absent', 'elsewhere', 'present: elsewhere, word for word at #1'],
  ['absent', 'original', 'present: original at #1'],
  ['gone', 'partly', 'only partly at #1'],
  ['original', 'elsewhere', 'elsewhere, word for word at #1'],
  ['present', 'gone', 'gone at #1'],
] as const)('a text that should be %s and is %s', (state, is, said) => {
  const text = { first: 0, states: [is], loss: null, places: [] };
  const rule = { text: 'quay', state } as const;
  const texts = new Map([[textKey(rule) ?? '', text]]);
  expect(judge(rule, { ...FACTS, texts }, null)).toMatchObject({ verdict: 'failed', found: said });
});

test.each([
  [[], 'there is no compaction'],
  [[{}], 'no compaction covers any'],
  [[null], 'what the compaction put in place cannot be read'],
  [[null, null], 'what compactions put in place cannot be read'],
  [[null, {}], 'no compaction that can be read covers any'],
])('survival without anything to be held against: %j', (all, said) => {
  const survival = all.map((classes, nth) => ({ at: nth + 1, classes }));
  const rule = { survival: { class: 'paths', min: 0.5 } };
  expect(judge(rule, { ...FACTS, survival }, null)).toMatchObject({ verdict: 'unchecked', found: said });
});

test('a text that came back and went again is gone since then', () => {
  const requests = [1, 3, 5, 7, 9].map((at) => ({ at, tokens: 9, cost: null }));
  const rule = { text: 'quay', state: 'present', at: 'end' } as const;
  const found = (...states: TextState[]) => {
    const text = { first: 0, states, loss: { at: 3, words: 'since #3, a stage' }, places: [] };
    return judge(rule, { ...FACTS, requests, texts: new Map([[textKey(rule) ?? '', text]]) }, null).found;
  };
  expect(found('original', 'gone', 'gone', 'gone', 'gone')).toBe('gone at #9: since #3, a stage');
  expect(found('original', 'gone', 'elsewhere', 'gone', 'gone')).toBe(
    'gone at #9: since #7; the first time since #3, a stage',
  );
});
