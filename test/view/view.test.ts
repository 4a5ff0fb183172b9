import { describe, expect, it } from 'vitest';
import { countFates, mergeFates, UNTOUCHED } from '../../core/view/fates.ts';
import { buildSourceMap } from '../../core/view/sourceMap.ts';
import type { Fate, FateKind, RedactionPointer, View } from '../../core/view/types.ts';
import { countOf, grouped } from '../../core/view/words.ts';

describe('the source map', () => {
  // #0 #1 summarised; #2 stands; #3 dropped; #4 stands; a synthetic message; #5 dropped
  const view: View = {
    items: [
      { kind: 'synthetic', text: '{}', covers: { from: 0, to: 2 }, stage: 0 },
      { kind: 'source', index: 2 },
      { kind: 'source', index: 4, text: '{}' },
      { kind: 'synthetic', text: '{}', covers: { from: 5, to: 5 }, stage: 0 },
    ],
  };
  const map = buildSourceMap(view, 6);

  it.each([
    [0, null, 0, 1],
    [1, null, 0, 1],
    [2, 1, null, 1],
    [3, null, null, 2],
    [4, 2, null, 2],
    [5, null, null, 4],
  ])('#%i: at %j, covered by %j, its place %i', (index, position, covered, place) => {
    expect([map.positionOf(index), map.coveredBy(index), map.placeOf(index)]).toEqual([position, covered, place]);
  });

  it('leads back', () => {
    expect([0, 1, 2, 3, 4].map((position) => map.indexOf(position))).toEqual([null, 2, 4, null, null]);
  });
});

describe('fates of several stages', () => {
  const fate = (kind: FateKind, stage: number, more: Partial<Fate> = {}): Fate => ({
    kind,
    stage,
    rule: 'r',
    reason: `${kind} ${stage}`,
    ...more,
  });
  const pointer = (source: string): RedactionPointer => ({
    policy: 'p',
    source,
    source_index: 0,
    source_block_index: null,
    content_hash: 'sha256:',
    content_chars: 0,
    estimated_tokens_reclaimed: 0,
    tool_call_id: null,
    tool_name: null,
    reason: 'r',
  });

  it.each<[FateKind, FateKind, string]>([
    ['dropped', 'kept', 'dropped 1'],
    ['dropped', 'redacted', 'dropped 1'],
    ['summarised', 'dropped', 'summarised 1'],
    ['redacted', 'dropped', 'dropped 2'],
    ['redacted', 'kept', 'redacted 1'],
    ['kept', 'redacted', 'redacted 2'],
    ['kept', 'kept', 'kept 2'],
  ])('%s, then %s → %s', (first, second, expected) => {
    expect(mergeFates(fate(first, 1), fate(second, 2)).reason).toBe(expected);
  });

  it('two edits are told together', () => {
    const first = fate('redacted', 1, {
      pointers: [pointer('a')],
      parts: [{ part: 0, kind: 'redacted', reason: 'x' }],
    });
    const second = fate('rewritten', 2, { parts: [{ part: 1, kind: 'dropped', reason: 'y' }] });
    expect(mergeFates(first, second)).toMatchObject({
      kind: 'redacted',
      stage: 2,
      reason: 'redacted 1; then: rewritten 2',
      parts: [{ part: 0 }, { part: 1 }],
      pointers: [{ source: 'a' }],
    });
  });

  it('are counted by kind', () => {
    expect(countFates([UNTOUCHED, fate('dropped', 1), UNTOUCHED])).toEqual({ kept: 2, dropped: 1 });
  });
});

it.each([
  [0, '0 messages'],
  [1, '1 message'],
  [999, '999 messages'],
  [1000, '1,000 messages'],
  [1234567, '1,234,567 messages'],
])('%i → %s', (value, expected) => {
  expect(countOf(value, 'message')).toBe(expected);
  expect(`${grouped(value)} message${value === 1 ? '' : 's'}`).toBe(expected);
});
