// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import type { AreaTotals, TurnInfo } from '../../core/protocol/types.ts';
import { TurnLine } from '../../renderer/timeline/TurnLine.tsx';
import { draw } from './support.tsx';

const TURN: TurnInfo = {
  turn: 3,
  from: 0,
  to: 40,
  calls: { from: 0, to: 2 },
  models: ['one-model', 'turned\u202eledom'],
  begins: '2026-01-02T10:00:00.000Z',
  ends: '2026-01-02T10:00:05.000Z',
};

it('the line above the rows says turn, duration, models and requests, with characters that turn the order by their codes', async () => {
  const asked: unknown[] = [];
  const { app, findByTestId } = draw(<TurnLine />, {
    'transcript.turn': (params) => {
      asked.push(params);
      return TURN;
    },
  });
  await app.actions.open('t1');
  const line = await findByTestId('turn-line');
  await expect.poll(() => line.dataset.turn).toBe('3');
  expect(line.textContent).toContain('Turn 3');
  expect(line.textContent).toContain('5 s');
  expect(line.textContent).toContain('2 requests');
  expect(line.textContent).toContain('one-model, turnedU+202Eledom');
  expect(line.textContent).not.toContain('\u202e');
  expect(asked).toEqual([{ id: 't1', index: expect.any(Number) }]);
});

it('a message before the first turn has none', async () => {
  const { app, findByText } = draw(<TurnLine />, { 'transcript.turn': () => null });
  await app.actions.open('t1');
  await findByText('Before the first turn');
});

it('a turn without times shows none', async () => {
  const { app, findByTestId } = draw(<TurnLine />, {
    'transcript.turn': () => ({ ...TURN, models: [], begins: null, ends: null }),
  });
  await app.actions.open('t1');
  const line = await findByTestId('turn-line');
  await expect.poll(() => line.dataset.turn).toBe('3');
  expect(line.querySelector('time')).toBeNull();
  expect(line.textContent).toMatch(/^Turn 32 requests/);
});

it('a turn of one recorded time and without a request says that, and no duration', async () => {
  const { app, findByTestId } = draw(<TurnLine />, {
    'transcript.turn': () => ({ ...TURN, models: [], ends: TURN.begins, calls: { from: 2, to: 2 } }),
  });
  await app.actions.open('t1');
  const line = await findByTestId('turn-line');
  await expect.poll(() => line.dataset.turn).toBe('3');
  const time = line.querySelector('time')?.textContent ?? 'none';
  expect(line.textContent).toBe(`Turn 3${time}no requests`);
});

it('a turn of one request says so', async () => {
  const { app, findByTestId } = draw(<TurnLine />, {
    'transcript.turn': () => ({ ...TURN, calls: { from: 1, to: 2 } }),
  });
  await app.actions.open('t1');
  const line = await findByTestId('turn-line');
  await expect.poll(() => line.textContent).toMatch(/1 request$/);
});

it('a small window shows the line, too', async () => {
  const { app, findByTestId } = draw(<TurnLine />, { 'transcript.turn': () => TURN });
  app.actions.setRoom({ narrow: true, small: true, low: true });
  await app.actions.open('t1');
  await expect.poll(async () => (await findByTestId('turn-line')).dataset.turn).toBe('3');
});

it('a turn of which only the answers are recorded says so, and names no input', async () => {
  const recorded = {
    requests: 0,
    input: 0,
    read: 0,
    written: 0,
    output: 900,
    answers: 2,
    peak: 0,
    cost: null,
    priced: { requests: 0, answers: 0 },
  };
  const totals: AreaTotals = {
    ...{ calls: 2, hasNext: false, first: 0, last: 1, time: null, recorded },
    policy: {
      ...{ tokens: 0, peak: 0, peakAt: null, served: 0, written: 0, breaks: 0, refused: 0 },
      cost: null,
      unpriced: 0,
    },
  };
  const { app, findByTestId } = draw(<TurnLine />, {
    'transcript.turn': () => TURN,
    'series.area': () => ({ state: 'final', totals }),
  });
  await app.actions.open('t1');
  const line = await findByTestId('turn-line');
  await expect.poll(() => line.textContent).toContain('out 900');
  expect(line.textContent).not.toContain('no usage recorded');
  expect(line.textContent).not.toContain('in 0');
});

it('a turn says what it cost, and what that covers', async () => {
  const covered = async (answers: number) => {
    const recorded = { requests: 2, input: 50, read: 0, written: 0, output: 9, answers: 2, peak: 30 };
    const policy = {
      tokens: 0,
      peak: 0,
      peakAt: null,
      served: 0,
      written: 0,
      breaks: 0,
      refused: 0,
      cost: null,
      unpriced: 0,
    };
    const totals: AreaTotals = {
      ...{ calls: 2, hasNext: false, first: 0, last: 1, time: null, policy },
      recorded: { ...recorded, cost: 0.25, priced: { requests: 2, answers } },
    };
    const { app, findByTitle, unmount } = draw(<TurnLine />, {
      'transcript.turn': () => TURN,
      'series.area': () => ({ state: 'final', totals }),
    });
    await app.actions.open('t1');
    const text = (await findByTitle(/^Cost of .*by the price list$/)).textContent;
    unmount();
    return text;
  };
  expect(await covered(2)).toBe('$0.25');
  expect(await covered(0)).toBe('input $0.25');
});
