import { describe, expect, it } from 'vitest';
import type { EventName, Events } from '../../core/protocol/methods.ts';
import type { FollowInfo, JobInfo, LiveFile } from '../../core/protocol/types.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { agoText, followOf, followText, isMoving, placeText } from '../../renderer/follow/followText.ts';
import { progressText } from '../../renderer/library/progressText.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import type { EngineClient } from '../../renderer/state/engine.ts';

const NOW = Date.parse('2026-01-05T12:00:00.000Z');
const before = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

const live = (over: Partial<LiveFile> = {}): LiveFile => ({
  path: '/s/a.jsonl',
  transcriptIds: ['t1'],
  messages: 3,
  changedAt: before(3),
  waitingBytes: 0,
  progress: null,
  ...over,
});

const follow = (over: Partial<FollowInfo> = {}): FollowInfo => ({
  path: '/s',
  kind: 'folder',
  since: before(9999),
  state: 'following',
  files: 12,
  live: [],
  problem: null,
  ...over,
});

it.each([
  [0, 'now'],
  [3, '3 s ago'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3599, '59 min ago'],
  [7200, '2 h ago'],
  [86_400, '1 day ago'],
  [400_000, '4 days ago'],
  [-5, 'now'],
])('%i seconds are said as %s', (seconds, text) => {
  expect(agoText(before(seconds), NOW)).toBe(text);
});

it.each<[string, Partial<FollowInfo>, string]>([
  ['looked at for the first time', { state: 'starting' }, 'looking at it'],
  ['quiet', {}, '12 files, no new lines lately'],
  ['a file that grew', { kind: 'file', live: [live()] }, 'new lines 3 s ago'],
  ['being read', { state: 'reading', live: [live({ progress: 0.426 })] }, 'reading, 42 %'],
  ['gone', { state: 'missing' }, 'the folder is not there'],
  [
    'failed',
    { state: 'failed', problem: { code: 'follow.failed', severity: 'error', text: 'The disk is full.' } },
    'The disk is full.',
  ],
])('what a path is at: %s', (_what, over, text) => {
  expect(followText(follow(over), NOW)).toBe(text);
});

it('an import of many files says how many are done', () => {
  const job: JobInfo = {
    ...{ jobId: 'j', kind: 'import', title: 'Import s', state: 'running', transcriptIds: [], error: null },
    ...{ progress: 0.5, message: '12 of 340: /s/a.jsonl', bytesPerSecond: null, secondsLeft: null },
  };
  expect(progressText(job)).toBe('50 % · 12 of 340');
  expect(progressText({ ...job, message: '/s/2 of 3/a.jsonl' })).toBe('50 %');
});

it('a place says what lies in it', () => {
  const place = { tool: 'Codex', path: '/x', files: 1, bytes: 2_500_000, newestAt: before(7300) };
  expect(placeText(place, NOW)).toBe('1 file, 2.5 MB, last written 2 h ago');
});

describe('a transcript is followed', () => {
  it.each([
    ['by the file that grew', [follow({ live: [live()] })], { id: 't1', files: [] }, '/s'],
    ['by its folder', [follow()], { id: 't9', files: ['/s/deep/b.jsonl'] }, '/s'],
    ['by its path', [follow({ kind: 'file', path: '/s/b.jsonl' })], { id: 't9', files: ['/s/b.jsonl'] }, '/s/b.jsonl'],
    ['not by a folder whose name begins so', [follow()], { id: 't9', files: ['/sessions/b.jsonl'] }, null],
    ['not at all', [], { id: 't1', files: ['/s/a.jsonl'] }, null],
  ])('%s', (_how, follows, transcript, path) => {
    expect(followOf(follows, transcript)?.follow.path ?? null).toBe(path);
  });

  it('moves for a minute', () => {
    expect([isMoving(live(), NOW), isMoving(live({ changedAt: before(61) }), NOW), isMoving(null, NOW)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

async function settled(app: App): Promise<void> {
  await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, info: {} });
}

/** The app over sample data, and the way to say something in the engine's place. */
async function opened() {
  const engine = mockEngine(600);
  const listeners = new Map<EventName, ((payload: never) => void)[]>();
  const client: EngineClient = {
    call: engine.call,
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return () => {};
    },
  };
  const app = createApp(client);
  await app.actions.start();
  await app.actions.open('t1');
  await settled(app);
  const grow = (by: number, over: object = {}) => {
    const { info } = app.store.getState().session;
    if (info === null) throw new Error('nothing is open');
    const payload = { id: info.id, reason: 'grew', info: { ...info, messages: info.messages + by, ...over } };
    for (const tell of listeners.get('transcript') ?? []) tell(payload as never);
  };
  return { app, grow };
}

describe('while the open transcript grows', () => {
  it('who is at the end stays there', async () => {
    const { app, grow } = await opened();
    app.viewport.atEnd = true;
    const { seq } = app.store.getState().projection.scroll;
    grow(5);
    await settled(app);
    const { scroll, pages } = app.store.getState().projection;
    expect(scroll).toMatchObject({ seq: seq + 1, row: pages.total - 1 });
    expect(app.store.getState().session.fresh).toBe(0);
    app.stop();
  });

  it('who reads elsewhere stays where they are, and is told how much is new', async () => {
    const { app, grow } = await opened();
    app.viewport.atEnd = false;
    const { scroll } = app.store.getState().projection;
    grow(5);
    grow(2);
    await settled(app);
    expect(app.store.getState().session.fresh).toBe(7);
    expect(app.store.getState().projection.scroll).toEqual(scroll);
    app.actions.goToEnd();
    await settled(app);
    const { projection, session } = app.store.getState();
    expect([session.fresh, projection.at, projection.scroll.row]).toEqual([0, null, projection.pages.total - 1]);
    app.stop();
  });

  it('an earlier call point stays too; an import that goes on is not counted', async () => {
    const { app, grow } = await opened();
    app.viewport.atEnd = true;
    app.actions.setAt(100);
    await settled(app);
    grow(5);
    await settled(app);
    expect([app.store.getState().session.fresh, app.store.getState().projection.at]).toEqual([5, 100]);
    grow(5, { state: 'importing' });
    expect(app.store.getState().session.fresh).toBe(5);
    app.stop();
  });
});
