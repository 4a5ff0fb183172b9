// Every event of the engine has a listener, and each does something that can be seen: a listener that is dropped is not
// missed by any test of what it calls.
import { describe, expect, it, vi } from 'vitest';
import type { EventName } from '../../core/protocol/methods.ts';
import type { FollowInfo, JobInfo, MarkInfo, Named } from '../../core/protocol/types.ts';
import { createApp } from '../../renderer/state/app.ts';
import { type Answers, spokenEngine } from '../support/spokenEngine.ts';
import { makePoint } from './support.ts';

/** Heard elsewhere: by the table that asked for the lines, as long as it is on screen. */
const HEARD_BY: Partial<Record<EventName, string>> = {
  preset: 'renderer/budget/usePresetFigures.ts',
  compare: 'renderer/compare/useAlong.ts',
  tune: 'renderer/tune/useSweep.ts',
  check: 'renderer/checks/useChecks.ts',
};

const MARK: MarkInfo = {
  transcriptId: 't1',
  title: 'title',
  index: 3,
  state: 'here',
  note: 'seen',
  notedAt: null,
  bookmarkedAt: null,
  label: 'user',
  text: 'text',
};

const JOB: JobInfo = {
  jobId: 'j1',
  kind: 'import',
  title: 'a.jsonl',
  state: 'running',
  progress: null,
  bytesPerSecond: null,
  secondsLeft: null,
  message: '',
  error: null,
  transcriptIds: [],
};

const FOLLOW: Named<FollowInfo> = {
  path: '/a',
  handle: 'a',
  kind: 'file',
  since: '2026-01-01T00:00:00.000Z',
  state: 'following',
  files: 1,
  live: [],
  problem: null,
};

const WATCHPOINT = { id: 'w1', text: 'heliotrope', matchCase: false, wholeWord: false, name: null, color: 0 };

async function opened(answers: Answers = {}) {
  const engine = spokenEngine(answers);
  const app = createApp(engine.client);
  await app.actions.open('t1');
  await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, info: {} });
  await expect.poll(() => app.store.getState().series.series).not.toBeNull();
  engine.calls.length = 0;
  const asked = () => engine.calls.map(({ method }) => method);
  return { app, asked, ...engine };
}

type Opened = Awaited<ReturnType<typeof opened>>;

/** For each event, what it does: the event is emitted, and what is awaited must come. */
const EFFECTS: Record<
  Exclude<EventName, 'preset' | 'compare' | 'tune' | 'check'>,
  (opened: Opened) => Promise<void>
> = {
  async job({ app, asked, emit }) {
    emit('job', JOB);
    expect(app.store.getState().jobs.j1).toEqual(JOB);
    expect(asked()).toEqual([]);
    emit('job', { ...JOB, transcriptIds: ['t2'] });
    await expect.poll(asked).toContain('library.list');
  },
  async library({ asked, emit }) {
    emit('library', {});
    await expect.poll(asked).toEqual(expect.arrayContaining(['library.list', 'tags.list', 'transcript.relatives']));
  },
  async marks({ app, asked, emit }) {
    emit('marks', { id: 't2' });
    expect(asked()).toEqual([]);
    emit('marks', { id: 't1' });
    await expect.poll(() => app.store.getState().marks).toMatchObject({ id: 't1', list: [MARK] });
  },
  async watchpoints({ app, asked, emit }) {
    emit('watchpoints', { id: 't2' });
    expect(asked()).toEqual([]);
    emit('watchpoints', { id: 't1' });
    await expect.poll(() => app.store.getState().watch).toMatchObject({ id: 't1', list: [WATCHPOINT] });
  },
  async summaries({ asked, emit }) {
    emit('summaries', { id: 't2' });
    expect(asked()).toEqual([]);
    emit('summaries', { id: 't1' });
    await expect.poll(asked).toContain('projection.set');
  },
  async transcript({ app, emit }) {
    const { info } = app.store.getState().session;
    if (info === null) throw new Error('a transcript is open');
    emit('transcript', { id: 't1', reason: 'grew', info: { ...info, messages: info.messages + 2 } });
    expect(app.store.getState().session.info?.messages).toBe(info.messages + 2);
  },
  async series({ app, emit }) {
    const { series } = app.store.getState().series;
    if (series === null) throw new Error('a series was computed');
    emit('series', { ...series, from: 0, points: [makePoint(1, [77])] });
    expect(app.store.getState().series.series?.points[0]).toEqual(makePoint(1, [77]));
  },
  async follow({ app, emit }) {
    emit('follow', { follows: [FOLLOW] });
    expect(app.store.getState().sources.follows).toEqual([FOLLOW]);
  },
};

describe('every event of the engine', () => {
  const answers: Answers = {
    'marks.list': ({ id }) => ({ marks: id === 't1' ? [MARK] : [] }),
    'watch.list': ({ id }) => ({ watchpoints: id === 't1' ? [WATCHPOINT] : [] }),
  };

  it.each(Object.keys(EFFECTS) as (keyof typeof EFFECTS)[])('%s has an effect on what is shown', async (event) => {
    const here = await opened();
    expect(here.listens(event)).toBe(true);
    here.app.stop();
    const marked = await opened(event === 'marks' || event === 'watchpoints' ? answers : {});
    marked.app.store.setState(({ marks, watch }) => ({
      marks: { ...marks, list: [] },
      watch: { ...watch, list: [] },
    }));
    await EFFECTS[event](marked);
    marked.app.stop();
    expect(marked.listens(event)).toBe(false);
  });

  it('is heard here or by what is named', () => {
    expect(Object.keys(HEARD_BY)).toEqual(['preset', 'compare', 'tune', 'check']);
  });
});

describe('what follows a change of the state', () => {
  it('notes are read as soon as another transcript is open', async () => {
    const { app, asked } = await opened({ 'marks.list': ({ id }) => ({ marks: id === 't2' ? [MARK] : [] }) });
    await app.actions.open('t2');
    await expect.poll(() => app.store.getState().marks).toMatchObject({ id: 't2', list: [MARK] });
    expect(asked()).toContain('marks.list');
    app.stop();
  });

  it('and so are its watched texts', async () => {
    const { app } = await opened({ 'watch.list': ({ id }) => ({ watchpoints: id === 't2' ? [WATCHPOINT] : [] }) });
    await app.actions.open('t2');
    await expect.poll(() => app.store.getState().watch).toMatchObject({ id: 't2', list: [WATCHPOINT] });
    app.stop();
  });

  it.each([
    ['the screen', 'workspace.ui', (app) => app.actions.showDrawer('notes'), { drawerTab: 'notes' }],
    ['the call point', 'workspace.session', (app) => app.actions.setAt(12), { at: 12 }],
    [
      'the order of the library',
      'workspace.library',
      (app) => app.actions.sortBy('title'),
      { view: { sort: 'title' } },
    ],
  ] as const satisfies readonly (readonly [string, string, (app: Opened['app']) => void, object])[])(
    '%s is saved when it changes',
    async (_what, key, change, saved) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const { app, calls } = await opened();
      await vi.advanceTimersByTimeAsync(1000);
      calls.length = 0;
      change(app);
      app.flush();
      const written = calls.find(
        ({ method, params }) => method === 'settings.set' && Reflect.get(params as object, 'key') === key,
      );
      expect(written?.params).toMatchObject({ key, value: saved });
      app.stop();
      vi.useRealTimers();
    },
  );

  it.each([
    ['the policy', (app) => app.actions.setSpec({ version: 1, stages: [] }), { spec: { version: 1 } }],
    ['the window', (app) => app.actions.setWindow(65_000), { window: 65_000 }],
    ['the tokenizer', (app) => app.actions.setTokenizer('cl100k'), { tokenizer: 'cl100k' }],
    // That a policy was chosen at all is a change of its own.
    [
      'another policy',
      (app) => app.actions.setSpec({ version: 1, stages: [{ kind: 'hygiene' }] }),
      { spec: { stages: [{ kind: 'hygiene' }] } },
      true,
    ],
  ] as const satisfies readonly (readonly [string, (app: Opened['app']) => void, object, boolean?])[])(
    '%s is kept with the transcript when it changes',
    async (_what, change, choice, isChosen?: boolean) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
      const { app, calls } = await opened();
      if (isChosen) app.actions.setSpec({ version: 1, stages: [] });
      // What is left to write is written: it would take this change along.
      await vi.advanceTimersByTimeAsync(1000);
      expect(app.store.getState().unsaved).toBe(false);
      calls.length = 0;
      change(app);
      expect(app.store.getState().unsaved).toBe(true);
      app.flush();
      const written = calls.find(({ method }) => method === 'transcript.setChoice');
      expect(written?.params).toMatchObject({ id: 't1', choice });
      app.stop();
      vi.useRealTimers();
    },
  );
});
