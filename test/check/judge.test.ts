import { expect, test } from 'vitest';
import { judge, textKey } from '../../core/check/judge.ts';
import type { SessionFacts } from '../../core/check/types.ts';

const FACTS: SessionFacts = {
  requests: [{ at: 1, tokens: 95 }],
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
