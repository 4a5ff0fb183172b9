import { describe, expect, it } from 'vitest';
import type { JobInfo } from '../../core/protocol/types.ts';
import { createApp } from '../../renderer/state/app.ts';
import { INITIAL_STATE } from '../../renderer/state/initial.ts';
import { readUi, savedUi } from '../../renderer/state/persist.ts';
import { DRAWER_TABS } from '../../renderer/state/tabs.ts';
import { type Answers, spokenEngine } from '../support/spokenEngine.ts';
import { makePoint } from './support.ts';

async function opened(answers: Answers = {}) {
  const engine = spokenEngine(answers);
  const app = createApp(engine.client);
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, info: {} });
  return { app, ...engine };
}

describe('what is kept over a restart', () => {
  it.each(DRAWER_TABS)('has the tab %s', (drawerTab) => {
    const ui = { ...INITIAL_STATE.ui, drawerTab };
    const other = { ...INITIAL_STATE.ui, drawerTab: drawerTab === 'why' ? 'json' : 'why' } as const;
    expect(readUi(JSON.parse(JSON.stringify(savedUi(ui))), other)).toEqual(ui);
  });
});

describe('what is chosen for a transcript', () => {
  it('is there again when one comes back to it, and not elsewhere', async () => {
    const { app } = await opened();
    const chosen = () => {
      const { window, tokenizer } = app.store.getState().projection;
      return { window, tokenizer };
    };
    app.actions.setWindow(65_000);
    app.actions.setTokenizer('cl100k');
    await app.actions.open('t2');
    expect(chosen()).toEqual({ window: null, tokenizer: null });
    await app.actions.open('t1');
    expect(chosen()).toEqual({ window: 65_000, tokenizer: 'cl100k' });
    app.stop();
  });
});

describe('jobs', () => {
  const job = (state: JobInfo['state']): JobInfo => ({
    jobId: 'j1',
    kind: 'tokens',
    title: 'Count tokens',
    state,
    progress: null,
    bytesPerSecond: null,
    secondsLeft: null,
    message: '',
    error: null,
    transcriptIds: [],
  });

  it.each([
    ['queued', true],
    ['running', true],
    ['failed', true],
    ['done', false],
    ['cancelled', false],
  ] as const)('one that is %s is listed: %s', async (state, isListed) => {
    const { app, emit } = await opened();
    emit('job', job('running'));
    emit('job', job(state));
    expect(Object.keys(app.store.getState().jobs)).toEqual(isListed ? ['j1'] : []);
    app.stop();
  });
});

describe('a series', () => {
  it('takes each piece where it belongs, not at its beginning', async () => {
    const { app, emit } = await opened();
    await expect.poll(() => app.store.getState().series.series).not.toBeNull();
    const { series } = app.store.getState().series;
    if (series === null) throw new Error('a series was computed');
    const before = series.points;
    expect(before.length).toBeGreaterThan(5);
    const piece = [makePoint(901, [1]), makePoint(902, [2])];
    emit('series', { ...series, from: 3, points: piece });
    expect(app.store.getState().series.series?.points).toEqual([...before.slice(0, 3), ...piece, ...before.slice(5)]);
    app.stop();
  });
});

describe('a step of a slider', () => {
  it('says once that the series is being computed: what is said again is no change', async () => {
    const { app, emit } = await opened();
    await expect.poll(() => app.store.getState().series.series?.complete).toBe(true);
    const { series } = app.store.getState().series;
    if (series === null) throw new Error('a series was computed');
    const { spec } = app.store.getState().projection;
    app.actions.setSpec({ ...spec, name: 'first' });
    const { series: computing } = app.store.getState();
    expect(computing.computing).toBe(true);
    app.actions.setSpec({ ...spec, name: 'second' });
    emit('series', { ...series, seriesId: 'of nobody' });
    expect(app.store.getState().series).toBe(computing);
    app.stop();
  });
});

describe('toasts', () => {
  const texts = (app: Awaited<ReturnType<typeof opened>>['app']) =>
    app.store.getState().toasts.map(({ text, detail }) => `${text}${detail ?? ''}`);

  it('what is said again takes the place of itself', async () => {
    const { app } = await opened();
    app.actions.toast({ tone: 'info', text: 'a' });
    app.actions.toast({ tone: 'info', text: 'b' });
    app.actions.toast({ tone: 'info', text: 'a', detail: '2' });
    app.actions.toast({ tone: 'info', text: 'a' });
    expect(texts(app)).toEqual(['b', 'a2', 'a']);
    app.stop();
  });

  it('four stay, the newest', async () => {
    const { app } = await opened();
    for (const text of ['a', 'b', 'c', 'd', 'e']) app.actions.toast({ tone: 'info', text });
    expect(texts(app)).toEqual(['b', 'c', 'd', 'e']);
    app.stop();
  });
});

describe('a transcript that went back', () => {
  it.each([
    [42, true],
    [41, false],
  ])('to %i messages: #41 is still selected and open: %s', async (messages, isThere) => {
    const { app, emit } = await opened();
    const { info } = app.store.getState().session;
    if (info === null) throw new Error('a transcript is open');
    const place = { key: 'm41', kind: 'part', index: 41, part: 0, row: 41, below: 36 } as const;
    app.store.setState(({ projection }) => ({
      selection: { kind: 'message', index: 41, part: 0 },
      projection: { ...projection, at: messages, open: [place], selectionRow: 41 },
    }));
    emit('transcript', { id: 't1', reason: 'changed', info: { ...info, messages } });
    const { selection, projection } = app.store.getState();
    expect(selection !== null).toBe(isThere);
    expect(projection.open.map(({ index }) => index)).toEqual(isThere ? [41] : []);
    // A call point at the end is the next request.
    expect(projection.at).toBeNull();
    app.stop();
  });
});
