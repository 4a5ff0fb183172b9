import { describe, expect, it } from 'vitest';
import type { MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import type { BranchLink, ChildLink, Relatives } from '../../core/protocol/types.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { describeBranch, describeChild, relativesCount } from '../../renderer/relations/relationText.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import { NO_RELATIVES } from '../../renderer/state/noRelatives.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';

const branch = (id: string, at: number | null, more: Partial<BranchLink> = {}): BranchLink => ({
  ...{ id, title: id, active: false, at, messages: 600, lastText: 'last words', endedAt: null },
  ...more,
});

const child = (more: Partial<ChildLink> = {}): ChildLink => ({
  ...{
    id: 'c',
    title: 'agent',
    callId: 'call',
    callIndex: 40,
    part: 0,
    messages: 12,
    state: 'ready' as const,
    archived: false,
  },
  ...{ tokens: 8100, tokensProvenance: 'exact' as const },
  ...more,
});

describe('relatives in words', () => {
  it.each([
    [branch('b', 45), 'forks at #45 · 555 messages on'],
    [branch('b', 599), 'forks at #599 · 1 message on'],
    [branch('b', null), '600 messages'],
  ])('a branch: %j', (one, words) => expect(describeBranch(one)).toBe(words));

  it.each([
    [child(), '#40 · 12 messages · 8.1k tokens'],
    [child({ callIndex: null, tokens: null, messages: 1 }), '1 message'],
    [child({ tokensProvenance: 'estimated' }), '#40 · 12 messages · ~8.1k tokens'],
    [child({ tokens: null, state: 'importing' }), '#40 · 12 messages · being imported'],
  ])('a sub-agent: %j', (one, words) => expect(describeChild(one)).toBe(words));

  it('are counted without the one that is open', () => {
    expect(relativesCount(NO_RELATIVES)).toBe(0);
    expect(
      relativesCount({ ...NO_RELATIVES, branches: [branch('a', null), branch('b', 3)], children: [child()] }),
    ).toBe(2);
    expect(relativesCount({ ...NO_RELATIVES, continues: { id: 's', title: 's' } })).toBe(1);
  });
});

/** An app on the mock engine, in which transcripts have the relatives given by id. */
async function opened(relatives: Readonly<Record<string, Relatives>>) {
  const mock = mockEngine(600);
  const failing = new Set<MethodName>();
  const app = createApp({
    on: mock.on,
    async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      if (failing.has(method)) throw Object.assign(new Error('no room'), { code: 'test.failed', expected: true });
      const known = method === 'transcript.relatives' && 'id' in params ? relatives[String(params.id)] : undefined;
      // The mock's own answer is of the same type.
      return known === undefined ? mock.call(method, params) : (known as ResultOf<M>);
    },
  });
  await app.actions.start();
  await app.actions.open('t1');
  await settled(app);
  return { app, failing };
}

async function settled(app: App): Promise<void> {
  const isSettled = (): boolean => {
    const { projection, session } = app.store.getState();
    const isHere = session.relatives !== null || session.relativesError !== null;
    return !projection.pending && projection.info?.transcriptId === session.id && isHere;
  };
  await expect.poll(isSettled).toBe(true);
}

const FORKED = { t1: { ...NO_RELATIVES, branches: [branch('t1', null), branch('t2', 100), branch('t3', 300)] } };

describe('opening another branch', () => {
  it('brings the place where it leaves into sight, if that is elsewhere', async () => {
    const { app } = await opened(FORKED);
    await app.actions.openBranch(branch('t2', 100));
    await settled(app);
    const { projection, selection, session } = app.store.getState();
    expect(session.id).toBe('t2');
    expect(selection).toEqual({ kind: 'message', index: 100, part: 0 });
    expect(rowAt(projection.pages, projection.scroll.row)?.row.index).toBe(100);
  });

  it('leaves what both share where it is, if the place is in sight', async () => {
    const { app } = await opened(FORKED);
    await app.actions.goToMessage(100);
    const { row } = app.store.getState().projection.scroll;
    Object.assign(app.viewport, { topRow: row - 10, topOffset: -7, from: row - 10, to: row + 30, atTop: false });
    const first = rowAt(app.store.getState().projection.pages, row - 10)?.row;
    await app.actions.openBranch(branch('t2', 100));
    await settled(app);
    const { pages, scroll } = app.store.getState().projection;
    expect(rowAt(pages, scroll.row)?.row).toMatchObject({ index: first?.index, part: first?.part });
    expect(scroll.offset).toBe(-7);
  });

  it('steps through them in a ring', async () => {
    const all = (open: string) =>
      [branch('t1', 100), branch('t2', 100)].map((one) => (one.id === open ? { ...one, at: null } : one));
    const { app } = await opened({
      t1: { ...NO_RELATIVES, branches: all('t1') },
      t2: { ...NO_RELATIVES, branches: all('t2') },
    });
    await app.actions.stepBranch(1);
    await settled(app);
    expect(app.store.getState().session.id).toBe('t2');
    await app.actions.stepBranch(1);
    await settled(app);
    expect(app.store.getState().session.id).toBe('t1');
  });
});

describe('coming back from a sub-agent', () => {
  it('selects the very call', async () => {
    const parent = { id: 't2', title: 'parent', callIndex: 40, part: 1 };
    const { app } = await opened({ t1: { ...NO_RELATIVES, parent } });
    await app.actions.goToParent();
    await settled(app);
    expect(app.store.getState().session.id).toBe('t2');
    expect(app.store.getState().selection).toEqual({ kind: 'message', index: 40, part: 1 });
  });

  it('says so where nothing started it', async () => {
    const { app } = await opened({});
    await app.actions.goToParent();
    expect(app.store.getState().session.id).toBe('t1');
    expect(app.store.getState().toasts.at(-1)?.text).toContain('No transcript');
  });
});

it('relatives that cannot be read are an error, not none', async () => {
  const { app, failing } = await opened({});
  failing.add('transcript.relatives');
  await app.actions.loadRelatives();
  expect(app.store.getState().session.relativesError?.message).toBe('no room');
  failing.clear();
  await app.actions.loadRelatives();
  expect(app.store.getState().session).toMatchObject({ relatives: NO_RELATIVES, relativesError: null });
});
