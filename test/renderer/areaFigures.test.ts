import { expect, it } from 'vitest';
import type { AreaTotals } from '../../core/protocol/types.ts';
import { areaFigures } from '../../renderer/scrubber/areaFigures.ts';

const POLICY: AreaTotals['policy'] = {
  ...{ tokens: 0, peak: 0, peakAt: null, served: 0, written: 0, breaks: 0, refused: 0 },
  cost: null,
  unpriced: 0,
};
const NO_PRICE = { requests: 0, answers: 0 };
const NOTHING = {
  requests: 0,
  input: 0,
  read: 0,
  written: 0,
  output: 0,
  answers: 0,
  peak: 0,
  cost: null,
  priced: NO_PRICE,
};

function figuresOf(recorded: Partial<AreaTotals['recorded']>) {
  const totals: AreaTotals = {
    ...{ calls: 2, hasNext: false, first: 0, last: 1, time: null, policy: POLICY },
    recorded: { ...NOTHING, ...recorded },
  };
  const figures = areaFigures(totals, 'exact', '');
  return (name: string) => figures.find((one) => one.name === name) ?? null;
}

it('an area of which only answers are recorded shows their output, and says that no input is recorded', () => {
  const figure = figuresOf({ output: 900, answers: 2 });
  expect(figure('Input, recorded')).toMatchObject({ value: '–', note: 'no input recorded' });
  expect(figure('Output, recorded')).toMatchObject({ value: '900', note: 'thinking included' });
  expect(figure('Cost, recorded')).toBeNull();
});

it('an output that only some of the calls record says of how many it is', () => {
  const figure = figuresOf({ requests: 2, input: 50, peak: 30, output: 900, answers: 1 });
  expect(figure('Output, recorded')?.note).toBe('1 of 2 calls · thinking included');
  expect(figure('Input, recorded')?.note).toBe('peak 30');
});

it('a cost says what it covers', () => {
  const covers = (requests: number, answers: number) =>
    figuresOf({ requests: 2, input: 50, cost: 0.5, priced: { requests, answers } })('Cost, recorded')?.note;
  expect(covers(2, 2)).toBe('input and output · by the price list');
  expect(covers(2, 1)).toBe('input, and output of 1 of 2 requests · by the price list');
  expect(covers(2, 0)).toBe('input alone · by the price list');
});

it('an area of one recorded time has no duration', () => {
  const [begins, ends] = [Date.UTC(2026, 0, 2, 10), Date.UTC(2026, 0, 2, 10)];
  const time = { begins, ends, answering: 0, tools: 0, waiting: 0 };
  const totals: AreaTotals = {
    ...{ calls: 1, hasNext: false, first: 0, last: 1, time, policy: POLICY, recorded: NOTHING },
  };
  const [, duration] = areaFigures(totals, 'exact', '');
  expect(duration).toMatchObject({ name: 'Duration', value: '–', note: 'one time recorded' });
});

it('an area without any usage says so, and shows no output', () => {
  const figure = figuresOf({});
  expect(figure('Input, recorded')).toMatchObject({ value: '–', note: 'no usage recorded' });
  expect(figure('Output, recorded')).toBeNull();
});
