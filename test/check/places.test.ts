// Where a rule looks: each key that says so changes the answer, and a place where no request is, is not checked.
import { describe, expect, it, test } from 'vitest';
import { evidenceOf } from '../../core/check/evidence.ts';
import { judge, refusalKey, textKey } from '../../core/check/judge.ts';
import { readRulesText } from '../../core/check/readRulesText.ts';
import { ruleText } from '../../core/check/ruleText.ts';
import { RULES_SCHEMA, type Rule } from '../../core/check/schema.ts';
import type { CheckedText, SessionFacts } from '../../core/check/types.ts';

const TEXT: CheckedText = {
  ...{ first: 0, loss: null, places: [] },
  states: ['original', 'original', 'elsewhere', 'elsewhere', 'gone'],
};

/** Five requests, the last of which was not made; a compaction before the third. */
const FACTS: SessionFacts = {
  requests: [1, 4, 7, 8, 9].map((at, position) => ({ at, tokens: 100 * (position + 1), cost: at < 9 ? 0.5 : 7 })),
  ...{
    compactions: [7],
    cost: 2,
    unpriced: 0,
    cacheBreaks: 3,
    breaksAt: [4, 7, 9],
    usesGone: [4, 4, 9],
    findings: null,
  },
  texts: new Map([[textKey({ text: 'quay' }) ?? '', TEXT]]),
  refusals: new Map([1, 4, 7, 8, 9].map((at) => [refusalKey('openai', at), at < 9 ? [] : [{ index: 3, text: 'no' }]])),
  ...{ survival: null, secrets: null, rows: new Map(), record: null, budget: null },
};

type At = 'end' | 'calls' | 'compactions' | number;

const RULES: Readonly<Record<string, (at: At) => Rule>> = {
  text: (at) => ({ text: 'quay', at }),
  uses_gone: (at) => ({ uses_gone: { max: 0, at } }),
  tokens: (at) => ({ tokens: { max: 0, at } }),
  cost: (at) => ({ cost: { max: 0, at } }),
  cache_breaks: (at) => ({ cache_breaks: { max: 0, at } }),
  valid_for: (at) => ({ valid_for: 'openai', at }),
};

describe('at', () => {
  it('is read of each kind of rule that the schema lets have it', () => {
    const takes = RULES_SCHEMA.shape.rules.element.options.flatMap(({ shape }) => {
      const [kind] = Object.keys(shape).filter((name) => !['name', 'policy'].includes(name));
      return JSON.stringify(Object.values(shape).map((member) => member.toJSONSchema({}))).includes('"compactions"')
        ? [kind]
        : [];
    });
    expect(takes.toSorted()).toEqual(Object.keys(RULES).toSorted());
  });

  it.each(Object.entries(RULES))(
    '%s: another place, another answer; a place without a request is not checked',
    (_, rule) => {
      const found = (at: At) => judge(rule(at), FACTS, null);
      expect(found(1)).not.toEqual(found('end'));
      expect(found('compactions')).not.toEqual(found('end'));
      expect(found(5)).toMatchObject({ verdict: 'unchecked', found: 'there is no request at #5' });
      const none = judge(rule('compactions'), { ...FACTS, compactions: [] }, null);
      expect(none).toMatchObject({ verdict: 'unchecked', found: 'there is no compaction' });
      expect(ruleText(rule(1))).not.toBe(ruleText(rule('end')));
    },
  );

  it.each([
    ['uses_gone', 1, 'passed', '0'],
    ['uses_gone', 4, 'failed', '2: #4, #4'],
    ['uses_gone', 'compactions', 'failed', '2: #4, #4'],
    ['uses_gone', 'calls', 'failed', '3: #4, #4, #9'],
    ['cache_breaks', 4, 'failed', '1: #4'],
    ['cache_breaks', 'compactions', 'failed', '2: #4, #7'],
    ['cost', 1, 'failed', '$0.50'],
    ['cost', 'compactions', 'failed', '$1.50'],
    // The next request was not made, and cost nothing.
    ['cost', 9, 'failed', '$2.00'],
    ['cost', 'end', 'failed', '$2.00'],
  ] as const)('%s up to %s', (kind, at, verdict, said) => {
    expect(judge(RULES[kind]?.(at) ?? { cost: 0 }, FACTS, null)).toMatchObject({ verdict, found: said });
  });

  it('leaves requests without a price up to there unchecked', () => {
    const requests = FACTS.requests.map((request) => (request.at === 4 ? { ...request, cost: null } : request));
    const found = (at: At, max: number) => judge({ cost: { max, at } }, { ...FACTS, requests, unpriced: 1 }, null);
    expect(found(1, 1).verdict).toBe('passed');
    expect(found(4, 1).verdict).toBe('unchecked');
    expect(found(4, 0).verdict).toBe('failed');
  });

  it('is where evidence looks', () => {
    const { where, runs, places } = evidenceOf({ cache_breaks: { max: 0, at: 4 } }, FACTS, null);
    expect(where).toBe('up to the request at #4');
    expect(runs.slice(0, 3).map(({ from, looked, state }) => [from, looked, state])).toEqual([
      [1, true, 'clear'],
      [4, true, 'counted'],
      [7, false, 'counted'],
    ]);
    expect(places.map(({ at }) => at)).toEqual([4]);
    expect(evidenceOf({ uses_gone: 0 }, FACTS, null).where).toBeNull();
  });
});

test.each([
  ['60%', true],
  ['100%', true],
  ['100.0%', true],
  ['0.5%', true],
  ['160%', false],
  ['100.1%', false],
  ['-1%', false],
  [1.6, false],
])('a survival of at least %j is accepted: %s', (min, isOne) => {
  const read = readRulesText(`version: 1\nrules:\n  - survival: {class: paths, min: ${JSON.stringify(min)}}\n`);
  expect(read.ok ? [] : read.error.map(({ line }) => line)).toEqual(isOne ? [] : [3]);
});
