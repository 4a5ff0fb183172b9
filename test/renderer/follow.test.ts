import { describe, expect, it } from 'vitest';
import type { EventName, Events, MethodName } from '../../core/protocol/methods.ts';
import type { FollowInfo, JobInfo, LiveFile } from '../../core/protocol/types.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { agoText, followOf, followText, isMoving, placeText } from '../../renderer/follow/followText.ts';
import { progressText } from '../../renderer/library/progressText.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import type { EngineClient } from '../../renderer/state/engine.ts';
import { inSight, rowTop } from '../../renderer/ui/rowLayout.ts';
import { AT_TOP } from './support.ts';

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
  ['being read', { state: 'reading', live: [live({ progress: 0.426 })] }, 'reading, 42%'],
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
  expect(progressText(job)).toBe('50% · 12 of 340');
  expect(progressText({ ...job, message: '/s/2 of 3/a.jsonl' })).toBe('50%');
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

/** The app over a sample transcript that can grow and be told of, and whose answers can be held back. */
async function opened() {
  let messages = 500;
  const engine = mockEngine(600);
  const listeners = new Map<EventName, ((payload: never) => void)[]>();
  const held: { what: MethodName; give(): void }[] = [];
  let isHolding = false;
  const client: EngineClient = {
    async call(method, params) {
      const asked =
        method === 'projection.set' ? { ...params, at: (params as { at: number | null }).at ?? messages } : params;
      const answer = await engine.call(method, asked);
      if (isHolding) await new Promise<void>((give) => held.push({ what: method, give }));
      return method === 'transcript.open' ? { ...answer, messages } : answer;
    },
    on<E extends EventName>(event: E, listener: (payload: Events[E]) => void) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return () => {};
    },
  };
  const app = createApp(client);
  await app.actions.start();
  await app.actions.open('t1', AT_TOP);
  await settled(app);
  const tell = (reason: 'grew' | 'counted', over: object = {}) => {
    const { info } = app.store.getState().session;
    if (info === null) throw new Error('nothing is open');
    const payload = { id: info.id, reason, info: { ...info, messages, ...over } };
    for (const listener of listeners.get('transcript') ?? []) listener(payload as never);
  };
  return {
    app,
    tell,
    grow(by: number, over: object = {}) {
      messages += by;
      tell('grew', over);
    },
    hold() {
      isHolding = true;
    },
    /** Lets go of the answer to `method` as soon as it is there; the rest stays held. */
    async give(method: MethodName) {
      await expect.poll(() => held.some(({ what }) => what === method)).toBe(true);
      held
        .splice(
          held.findIndex(({ what }) => what === method),
          1,
        )[0]
        ?.give();
    },
    release() {
      isHolding = false;
      for (const { give } of held.splice(0)) give();
    },
    /** What the list reports when the reader scrolls. */
    scrollTo(from: number, to: number) {
      const { total } = app.store.getState().projection.pages;
      const wasAtEnd = app.viewport.atEnd;
      Object.assign(app.viewport, { topRow: from, topOffset: 0, from, to, atTop: from === 0, atEnd: to >= total });
      if (app.viewport.atEnd) app.actions.sawEnd();
      else if (wasAtEnd) app.actions.leftEnd();
    },
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

function scrollToEnd({ app, scrollTo }: Opened): void {
  const { total } = app.store.getState().projection.pages;
  scrollTo(total - 20, total);
}

const scrollOf = (app: App) => app.store.getState().projection.scroll;
const freshOf = (app: App) => app.store.getState().session.fresh;

describe('while the open transcript grows', () => {
  it('who is at the end stays there', async () => {
    const reader = await opened();
    const { app, grow } = reader;
    scrollToEnd(reader);
    const { seq } = scrollOf(app);
    grow(5);
    await settled(app);
    expect(scrollOf(app)).toMatchObject({ seq: seq + 1, row: app.store.getState().projection.pages.total - 1 });
    expect(freshOf(app)).toBe(0);
    app.stop();
  });

  it('stays there too when the next answer comes before the list has moved', async () => {
    const reader = await opened();
    const { app } = reader;
    scrollToEnd(reader);
    reader.grow(5);
    await settled(app);
    reader.tell('counted'); // the list has not reported where it stands now
    await settled(app);
    const { projection } = app.store.getState();
    const { scroll, pages } = projection;
    const top = rowTop(scroll.row, { line: 24, open: [] }) - scroll.offset;
    expect(inSight(top, app.viewport.height, pages.total, { line: 24, open: [] })).toMatchObject({
      to: pages.total,
      atEnd: true,
    });
    reader.grow(5);
    await settled(app);
    expect(scrollOf(app).row).toBe(app.store.getState().projection.pages.total - 1);
    expect(freshOf(app)).toBe(0);
    app.stop();
  });

  it('who scrolls up while it is on its way stays there, and is told', async () => {
    const reader = await opened();
    const { app } = reader;
    scrollToEnd(reader);
    const before = scrollOf(app);
    reader.hold();
    reader.grow(5);
    reader.scrollTo(0, 30);
    expect(freshOf(app)).toBe(5);
    reader.release();
    await settled(app);
    expect([scrollOf(app), freshOf(app)]).toEqual([before, 5]);
    reader.grow(7);
    await settled(app);
    expect([scrollOf(app), freshOf(app)]).toEqual([before, 12]);
    app.stop();
  });

  it('who scrolls up after a growth of nothing was told stays there', async () => {
    const reader = await opened();
    const { app } = reader;
    scrollToEnd(reader);
    const before = scrollOf(app);
    reader.hold();
    reader.grow(0);
    reader.scrollTo(0, 30);
    reader.release();
    await settled(app);
    expect([scrollOf(app), freshOf(app)]).toEqual([before, 0]);
    reader.grow(7);
    await settled(app);
    expect([scrollOf(app), freshOf(app)]).toEqual([before, 7]);
    app.stop();
  });

  it('who scrolls away while places are looked up is not pulled back', async () => {
    const reader = await opened();
    const { app } = reader;
    scrollToEnd(reader);
    const before = scrollOf(app);
    reader.hold();
    reader.tell('counted');
    reader.scrollTo(300, 330); // the rows asked for were those at the end
    await reader.give('projection.set');
    reader.scrollTo(0, 30);
    reader.release();
    await settled(app);
    expect(scrollOf(app)).toEqual(before);
    app.stop();
  });

  it('who went to the end while something older was on its way gets there', async () => {
    const reader = await opened();
    const { app } = reader;
    reader.hold();
    app.actions.setAt(100);
    app.actions.goToEnd();
    reader.release();
    await settled(app);
    const { projection } = app.store.getState();
    expect([projection.at, projection.info?.at, projection.scroll.row]).toEqual([
      null,
      500,
      projection.pages.total - 1,
    ]);
    app.stop();
  });

  it('who goes to an earlier call point while it is on its way is told too', async () => {
    const reader = await opened();
    const { app } = reader;
    scrollToEnd(reader);
    reader.hold();
    reader.grow(5);
    app.actions.setAt(100);
    reader.release();
    await settled(app);
    expect([freshOf(app), app.store.getState().projection.info?.at]).toEqual([5, 100]);
    app.stop();
  });

  it('who reads elsewhere stays where they are, and is told how much is new', async () => {
    const { app, grow } = await opened();
    const scroll = scrollOf(app);
    grow(5);
    grow(2);
    await settled(app);
    expect([scrollOf(app), freshOf(app)]).toEqual([scroll, 7]);
    app.actions.goToEnd();
    await settled(app);
    const { projection, session } = app.store.getState();
    expect([session.fresh, projection.at, projection.scroll.row]).toEqual([0, null, projection.pages.total - 1]);
    app.stop();
  });

  it('an earlier call point stays too; an import that goes on is not counted', async () => {
    const reader = await opened();
    const { app, grow } = reader;
    scrollToEnd(reader);
    app.actions.setAt(100);
    await settled(app);
    grow(5);
    await settled(app);
    expect([freshOf(app), app.store.getState().projection.at]).toEqual([5, 100]);
    grow(5, { state: 'importing' });
    expect(freshOf(app)).toBe(5);
    app.stop();
  });
});
