// @vitest-environment happy-dom
// Strips of watched texts and their names: what they say, where clicks lead, and what they say when they fail.
import { fireEvent } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { WatchedRun, WatchedText, Watchpoint } from '../../core/protocol/watchTypes.ts';
import { FindBar } from '../../renderer/find/FindBar.tsx';
import { WatchpointDialog } from '../../renderer/watch/WatchpointDialog.tsx';
import { WatchStrips } from '../../renderer/watch/WatchStrips.tsx';
import { lostAt, nextChange, pointsOf, watchName } from '../../renderer/watch/words.ts';
import type { Answers } from '../support/spokenEngine.ts';
import { draw } from './support.tsx';

const run = (state: WatchedRun['state'], at: number, last: number): WatchedRun => ({ state, at, last, loss: null });
const RUNS = [run('not_yet', 1, 3), run('original', 5, 9), run('gone', 11, 15), run('elsewhere', 17, 60)];
const POINT: Watchpoint = { id: 'w1', text: 'heliotrope', matchCase: false, wholeWord: false, name: null, color: 2 };
const TEXT: WatchedText = {
  id: 'w1',
  runs: RUNS,
  totalRuns: RUNS.length,
  counts: { not_yet: 2, original: 3, elsewhere: 22, partly: 0, gone: 3 },
  first: { index: 4, part: 0 },
  firstLoss: {
    ...{ at: 11, turn: 3, place: '#4', fate: 'dropped', stage: 0, stageTitle: 'Sliding window' },
    ...{ rule: 'window', reason: 'behind the last 2 turns.' },
  },
};

async function drawn(answers: Answers = {}, strips = <WatchStrips />) {
  const { app, ...rest } = draw(strips, {
    'watch.list': () => ({ watchpoints: [POINT] }),
    'watch.states': () => ({ texts: [TEXT], sampled: false }),
    ...answers,
  });
  await app.actions.open('p0');
  await expect.poll(() => app.store.getState().projection.info).not.toBeNull();
  return { app, ...rest };
}

const nameOf = (container: HTMLElement) => container.querySelector('[data-testid="watch-name"]');

describe('watched texts', () => {
  it('are not offered to be changed where they are only shown', async () => {
    const { container } = await drawn();
    await expect.poll(() => nameOf(container)?.querySelector('[data-testid="watch-edit"]')).not.toBeNull();
    const shown = await drawn({}, <WatchStrips isReadOnly />);
    await expect.poll(() => nameOf(shown.container)?.textContent).toBe('1heliotropeelsewhere since #17');
    expect(shown.container.querySelector('[data-testid="watch-edit"]')).toBeNull();
  });

  it('draw nothing while there are none', async () => {
    const { container } = await drawn({ 'watch.list': () => ({ watchpoints: [] }) });
    expect(container.querySelector('[data-testid="watch"]')).toBeNull();
  });

  it('say what is so at the call point shown, and why the first was lost', async () => {
    const { container, app } = await drawn();
    await expect.poll(() => nameOf(container)?.textContent).toBe('1heliotropeelsewhere since #17');
    app.actions.setAt(12);
    await expect.poll(() => nameOf(container)?.textContent).toBe('1heliotropegone since #11');
    expect(nameOf(container)?.getAttribute('data-state')).toBe('gone');
    expect(nameOf(container)?.querySelector('button')?.title).toBe(
      'heliotrope\nIn 25 of 28 requests since it was said\nFirst lost at #11: stage 1, Sliding window (window): behind the last 2 turns',
    );
  });

  it('say so where no message says the text', async () => {
    const nowhere = { ...TEXT, first: null, firstLoss: null, runs: [run('not_yet', 1, 60)], totalRuns: 1 };
    const counts = { not_yet: 30, original: 0, elsewhere: 0, partly: 0, gone: 0 };
    const { container } = await drawn({
      'watch.states': () => ({ texts: [{ ...nowhere, counts }], sampled: false }),
    });
    await expect.poll(() => nameOf(container)?.textContent).toBe('1heliotropeno message says it');
    expect(nameOf(container)?.querySelector('button')?.disabled).toBe(true);
  });

  it('lead to the next change, and round again', async () => {
    const { container, app } = await drawn();
    app.actions.setAt(5);
    await expect.poll(() => nameOf(container)?.textContent).toBe('1heliotropein this request');
    const click = () => fireEvent.click(nameOf(container)?.querySelector('button') ?? container);
    click();
    await expect.poll(() => app.store.getState().projection.at).toBe(11);
    click();
    await expect.poll(() => app.store.getState().projection.at).toBe(17);
    click();
    await expect.poll(() => app.store.getState().projection.at).toBe(1);
  });

  it('say that they could not be followed, and stay named', async () => {
    const { container } = await drawn({
      'watch.states': () => Promise.reject(Object.assign(new Error('the projector threw'), { code: 'custom.threw' })),
    });
    await expect
      .poll(() => container.querySelector('[data-testid="watch-error"]')?.textContent)
      .toMatch(/^The watched texts could not be followed: /);
    expect(nameOf(container)?.textContent).toBe('1heliotropenot known yet');
  });

  it('are pinned from the find bar, compared as the bar compares', async () => {
    const { app, container, engine } = draw(<FindBar />, {
      'watch.add': () => ({ watchpoints: [POINT], watchpoint: 'w1' }),
    });
    await app.actions.open('p0');
    app.actions.openFind('heliotrope');
    app.actions.setFindOption({ wholeWord: true });
    await expect.poll(() => container.querySelector('[data-testid="find-watch"]')).not.toBeNull();
    fireEvent.click(container.querySelector('[data-testid="find-watch"]') ?? container);
    await expect.poll(() => app.store.getState().watch.list).toEqual([POINT]);
    expect(engine.calls.find(({ method }) => method === 'watch.add')?.params).toEqual({
      ...{ id: 'p0', text: 'heliotrope', matchCase: false, wholeWord: true },
    });
  });

  it('are named, and an empty name is that of the text', async () => {
    const { app, engine } = draw(
      <WatchpointDialog dialog={{ kind: 'watchpoint', id: 'w1' }} onClose={() => undefined} />,
      {
        'watch.list': () => ({ watchpoints: [{ ...POINT, name: 'the word' }] }),
        'watch.set': () => ({ watchpoints: [POINT] }),
      },
    );
    await app.actions.open('p0');
    const field = () => document.querySelector<HTMLInputElement>('[data-testid="watchpoint-name"]');
    await expect.poll(() => field()?.value).toBe('the word');
    fireEvent.change(field() ?? document.body, { target: { value: ' ' } });
    fireEvent.submit(document.querySelector('#watchpoint') ?? document.body);
    await expect
      .poll(() => engine.calls.find(({ method }) => method === 'watch.set')?.params)
      .toEqual({ id: 'p0', watchpoint: 'w1', name: null });
  });
});

describe('words of a strip', () => {
  it('lead a click to where the text was lost', () => {
    expect([lostAt(RUNS, 13, 13), lostAt(RUNS, 9, 11), lostAt(RUNS, 5, 9), lostAt(RUNS, 20, 60)]).toEqual([
      ...[11, 11, null, null],
    ]);
  });

  it('keep the end of each run, so that a bar shows the worst of its call points', () => {
    expect(pointsOf(RUNS.slice(0, 2)).map(({ at, state }) => `${at} ${state}`)).toEqual([
      ...['1 not_yet', '3 not_yet', '5 original', '9 original'],
    ]);
    expect(nextChange(RUNS.slice(0, 1), 1)).toBeNull();
  });

  it('are one line', () => {
    expect(watchName({ name: null, text: 'one\n  two' })).toBe('one two');
    expect(watchName({ name: null, text: 'x'.repeat(99) })).toHaveLength(60);
    expect(watchName({ name: 'short', text: 'x'.repeat(99) })).toBe('short');
  });
});
