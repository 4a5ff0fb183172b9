import { describe, expect, it } from 'vitest';
import type { SummaryInfo } from '../../core/protocol/types.ts';
import { bySource, valueText } from '../../renderer/context/metaText.ts';
import { specWithWindow } from '../../renderer/state/specWithWindow.ts';
import {
  describeSpan,
  describeState,
  estimatedTokens,
  parseSpan,
  writtenFor,
} from '../../renderer/summary/summaryText.ts';

const summary = (some: Partial<SummaryInfo>): SummaryInfo => ({
  from: 0,
  to: 3,
  content: 'text',
  version: 1,
  origin: 'written',
  state: 'here',
  writtenAt: null,
  tokens: 1,
  ...some,
});

describe('a summary', () => {
  it.each([
    ['0', '213', { from: 0, to: 214 }],
    ['#3', ' 3 ', { from: 3, to: 4 }],
    ['4', '3', null],
    ['0', '300', null],
    ['', '3', null],
    ['a', '3', null],
  ])('of %s to %s', (first, last, span) => expect(parseSpan(first, last, 300)).toEqual(span));

  it('is the newest that was written of just this span', () => {
    const list = [
      summary({ origin: 'recorded' }),
      summary({ version: 1 }),
      summary({ version: 2 }),
      summary({ to: 4, version: 3 }),
    ];
    expect(writtenFor(list, { from: 0, to: 3 })?.version).toBe(2);
    expect(writtenFor(list, { from: 1, to: 3 })).toBeNull();
  });

  it('says in words where it is from', () => {
    expect(describeSpan({ from: 0, to: 1 })).toBe('#0 – #0, 1 message');
    expect(describeState(summary({ origin: 'recorded' }))).toBe('recorded by the runtime');
    expect(describeState(summary({}))).toBe('written here');
    expect(describeState(summary({ version: 2 }))).toBe('written here, version 2');
    expect(describeState(summary({ state: 'gone' }))).toMatch(/applies nowhere/);
    expect(estimatedTokens('über')).toBe(1);
  });
});

describe('values of a context policy', () => {
  it('are told with their source, defaults last', () => {
    const values = (['default', 'request', 'workspace'] as const).map((source) => ({ name: source, value: 1, source }));
    expect(bySource(values).set.map(({ name }) => name)).toEqual(['request', 'workspace']);
    expect(bySource(values).defaults).toHaveLength(1);
    expect([null, true, 1200, ['a', 'b'], ''].map(valueText)).toEqual(['–', 'yes', '1,200', 'a, b', '–']);
  });
});

it('a window chosen on screen stands above that of the spec', () => {
  const spec = { version: 1 as const, stages: [], budget: { window: 10, reserve_output: 1 } };
  expect(specWithWindow(spec, null)).toBe(spec);
  expect(specWithWindow(spec, 20).budget).toEqual({ window: 20, reserve_output: 1 });
});
