import { describe, expect, it } from 'vitest';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { MethodName, Params, ResultOf } from '../../core/protocol/methods.ts';
import { mockEngine } from '../../renderer/dev/mockEngine.ts';
import { MOCK_PRESETS } from '../../renderer/dev/mockLibrary.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import type { EngineClient } from '../../renderer/state/engine.ts';
import { RAW_SPEC } from '../../renderer/state/initial.ts';
import { SESSION_KEY } from '../../renderer/state/persist.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { AT_TOP } from './support.ts';

const RECLAIM: ProjectionSpec = MOCK_PRESETS.find((one) => one.name === 'clean_then_reclaim')?.spec ?? {
  version: 1,
  stages: [],
};

/** The mock engine, writing down what it is asked, and failing where told to. */
function watched(messages = 600) {
  const engine = mockEngine(messages);
  const calls: { readonly method: MethodName; readonly params: unknown }[] = [];
  const failing = new Set<MethodName>();
  const client: EngineClient = {
    on: engine.on,
    async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
      calls.push({ method, params });
      if (failing.has(method)) throw Object.assign(new Error('no room'), { code: 'test.failed', expected: true });
      return engine.call(method, params);
    },
  };
  return { client, calls, failing };
}

/** Waits until nothing is asked for any more. */
async function settled(app: App): Promise<void> {
  await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, info: {} });
}

async function opened(messages = 600) {
  const engine = watched(messages);
  const app = createApp(engine.client);
  await app.actions.start();
  await app.actions.open('t1', AT_TOP);
  await settled(app);
  return { app, ...engine };
}

describe('the filter of rows', () => {
  it('belongs to its transcript', async () => {
    const { app, calls } = await opened();
    const filter = () => app.store.getState().filter;
    app.actions.openFilter('role:user');
    await settled(app);
    calls.length = 0;
    await app.actions.open('t2');
    await settled(app);
    expect(filter()).toMatchObject({ isOpen: false, text: '' });
    const asked = calls.filter(({ method }) => method === 'projection.set').map(({ params }) => params);
    expect(JSON.stringify(asked)).not.toContain('role:user');
    app.actions.openFilter('role:tool');
    await app.actions.open('t1');
    await settled(app);
    expect(filter()).toMatchObject({ isOpen: true, text: 'role:user' });
    app.actions.closeFilter();
    await app.actions.open('t2');
    expect(filter()).toMatchObject({ isOpen: true, text: 'role:tool' });
    app.stop();
  });
});

describe('opening a transcript', () => {
  const of = (calls: readonly { readonly method: MethodName; readonly params: unknown }[]) =>
    calls.filter(({ method }) => method === 'transcript.open' || method === 'transcript.close');

  it('asks before anything is drawn, then leaves the one before', async () => {
    const { app, calls } = await opened();
    calls.length = 0;
    const before: number[] = [];
    const stop = app.store.subscribe(() => before.push(calls.length));
    const opening = app.actions.open('t2');
    stop();
    expect(before[0]).toBeGreaterThan(0);
    expect(of(calls)).toEqual([
      { method: 'transcript.open', params: { id: 't2' } },
      { method: 'transcript.close', params: { id: 't1' } },
    ]);
    await opening;
    app.stop();
  });

  it('that could not be opened leaves it before it asks again, and holds it then', async () => {
    const { app, calls, failing } = await opened();
    failing.add('transcript.open');
    await app.actions.open('t2');
    failing.clear();
    calls.length = 0;
    await app.actions.open('t2');
    expect(of(calls)).toEqual([
      { method: 'transcript.close', params: { id: 't2' } },
      { method: 'transcript.open', params: { id: 't2' } },
    ]);
    app.stop();
  });
});

describe('changing the policy', () => {
  it('asks for numbers and rows in one call and shows them together', async () => {
    const { app, calls } = await opened();
    calls.length = 0;
    const seen: unknown[] = [];
    const stop = app.store.subscribe((now, before) => {
      if (now.projection.info !== before.projection.info) {
        const { info, pages } = now.projection;
        seen.push([info?.projectionId === pages.projectionId, rowAt(pages, 5)?.stale]);
      }
    });
    app.actions.setSpec(RECLAIM);
    await settled(app);
    stop();
    expect(calls.filter((one) => one.method.startsWith('projection.')).map((one) => one.method)).toEqual([
      'projection.set',
    ]);
    expect(seen).toEqual([[true, false]]);
    app.stop();
  });

  it('never has more than one projection under way, and ends with the newest', async () => {
    const { app, calls } = await opened();
    calls.length = 0;
    for (let root = 1; root <= 40; root++) {
      const stages = [{ kind: 'recorded_compaction' }, { kind: 'reachability_gc', options: { root_window: root } }];
      app.actions.setSpec({ version: 1, stages }, root === 1 ? 'push' : 'replace');
    }
    await settled(app);
    expect(calls.filter((one) => one.method === 'projection.set')).toHaveLength(2);
    const { info, past } = app.store.getState().projection;
    expect(info?.spec.stages[1]?.options).toEqual({ root_window: 40 });
    expect(past).toHaveLength(1);
    app.stop();
  });

  it('goes by the transcript until one is chosen for it', async () => {
    const { app } = await opened();
    const nameNow = () => app.store.getState().projection.spec.name;
    expect(nameNow()).toBe('as_recorded');
    await app.actions.open('t2');
    await settled(app);
    expect(nameNow()).toBe('raw');
    app.actions.setSpec(RECLAIM);
    await app.actions.open('t1');
    await settled(app);
    expect(nameNow()).toBe('as_recorded');
    await app.actions.open('t2');
    await settled(app);
    expect(nameNow()).toBe(RECLAIM.name);
    app.stop();
  });

  it('says of one transcript what is not recorded there: another has its own', async () => {
    const { app } = await opened();
    const overhead = () => app.store.getState().session.overhead;
    app.actions.setSpec({ ...RECLAIM, budget: { overhead: 21_340 } });
    app.actions.setPolicy(RAW_SPEC);
    expect(overhead()).toBe(21_340);
    await app.actions.open('t2');
    await settled(app);
    expect(overhead()).toBe(0);
    app.actions.undoSpec();
    expect(overhead()).toBe(0);
    await app.actions.open('t1');
    await settled(app);
    expect(overhead()).toBe(21_340);
    app.stop();
  });

  it('asks about the policy with the overhead of the session, and undoes each by itself', async () => {
    const { app, calls } = await opened();
    const asked = () => calls.findLast((one) => one.method === 'projection.set')?.params;
    const now = () => ({
      name: app.store.getState().projection.spec.name,
      overhead: app.store.getState().session.overhead,
    });
    app.actions.setOverhead(21_340);
    await settled(app);
    expect(asked()).toMatchObject({ spec: { name: 'as_recorded', budget: { overhead: 21_340 } } });
    app.actions.setPolicy({ ...RECLAIM, budget: { overhead: 5 } });
    await settled(app);
    expect(asked()).toMatchObject({ spec: { name: RECLAIM.name, budget: { overhead: 21_340 } } });
    expect(app.store.getState().projection.spec).toEqual(RECLAIM);
    app.actions.undoSpec();
    expect(now()).toEqual({ name: 'as_recorded', overhead: 21_340 });
    app.actions.undoSpec();
    expect(now()).toEqual({ name: 'as_recorded', overhead: 0 });
    await settled(app);
    expect(asked()).not.toMatchObject({ spec: { budget: {} } });
    app.actions.redoSpec();
    app.actions.redoSpec();
    expect(now()).toEqual({ name: RECLAIM.name, overhead: 21_340 });
    app.stop();
  });

  it('keeps what is said of a transcript with it, not only of the last one', async () => {
    const { app, client, calls } = await opened();
    const told = () => calls.filter((one) => one.method === 'transcript.setOverhead').map((one) => one.params);
    app.actions.setSpec({ ...RECLAIM, budget: { overhead: 21_340 } });
    app.actions.setPolicy(RAW_SPEC);
    expect(told()).toEqual([{ id: 't1', tokens: 21_340 }]);
    await app.actions.open('t2');
    await settled(app);
    app.stop();
    const again = createApp(client);
    const overhead = () => again.store.getState().session.overhead;
    await again.actions.open('t2');
    await settled(again);
    expect(overhead()).toBe(0);
    await again.actions.open('t1');
    expect(overhead()).toBe(21_340);
    expect(told()).toHaveLength(1);
    again.actions.setOverhead(0);
    expect(told().at(-1)).toEqual({ id: 't1', tokens: 0 });
    again.stop();
  });

  it('takes over what a policy says that was there before anything was open', async () => {
    const { client, calls } = watched(600);
    const app = createApp(client);
    await app.actions.start();
    app.actions.setSpec({ ...RECLAIM, budget: { overhead: 500 } });
    await app.actions.open('t1');
    await settled(app);
    expect(app.store.getState().session.overhead).toBe(500);
    expect(calls).toContainEqual({ method: 'transcript.setOverhead', params: { id: 't1', tokens: 500 } });
    app.stop();
  });

  it('can be undone and redone', async () => {
    const { app } = await opened();
    app.actions.setSpec(RECLAIM);
    app.actions.undoSpec();
    expect(app.store.getState().projection.spec.name).toBe('as_recorded');
    app.actions.redoSpec();
    expect(app.store.getState().projection.spec).toEqual(RECLAIM);
    await settled(app);
    app.stop();
  });

  it('keeps the row the reader looks at on its line, though rows appear above', async () => {
    const { app } = await opened();
    app.actions.setSpec(RAW_SPEC);
    await settled(app);
    await app.actions.goToMessage(300);
    const { scroll, pages } = app.store.getState().projection;
    Object.assign(app.viewport, {
      topRow: scroll.row - 5,
      topOffset: 0,
      from: scroll.row - 5,
      to: scroll.row + 20,
      atTop: false,
    });
    const before = rowAt(pages, scroll.row)?.row;
    app.actions.setSpec(RECLAIM);
    await settled(app);
    const after = app.store.getState().projection;
    expect(after.scroll.row).toBe(scroll.row + 1);
    expect(after.scroll.offset).toBe(5 * 24);
    expect(rowAt(after.pages, after.scroll.row)?.row.key).toBe(before?.key);
    expect(after.selectionRow).toBe(scroll.row + 1);
    app.stop();
  });

  it('projects again when the engine has forgotten the projection', async () => {
    const engine = watched();
    let forgotten = true;
    const client: EngineClient = {
      on: engine.client.on,
      async call<M extends MethodName>(method: M, params: Params<M>): Promise<ResultOf<M>> {
        if (method === 'projection.rows' && forgotten) {
          forgotten = false;
          throw Object.assign(new Error('no longer at hand'), { code: 'projection.unknown', expected: true });
        }
        return engine.client.call(method, params);
      },
    };
    const app = createApp(client);
    await app.actions.start();
    await app.actions.open('t1', AT_TOP);
    await settled(app);
    engine.calls.length = 0;
    app.actions.ensureRows(400, 420, 1);
    await expect.poll(() => engine.calls.map((one) => one.method)).toContain('projection.set');
    await settled(app);
    expect(app.store.getState().projection.error).toBeNull();
    app.stop();
  });

  it('keeps what is on screen when the engine refuses, and says so', async () => {
    const { app, failing } = await opened();
    const before = app.store.getState().projection;
    failing.add('projection.set');
    app.actions.setSpec(RECLAIM);
    await settled(app);
    const after = app.store.getState().projection;
    expect(after.info).toBe(before.info);
    expect(after.pages).toBe(before.pages);
    expect(after.error).toEqual({ code: 'test.failed', message: 'no room', expected: true });
    failing.clear();
    app.actions.reproject();
    await settled(app);
    expect(app.store.getState().projection.error).toBeNull();
    app.stop();
  });
});

describe('moving about', () => {
  it('steps by call points and ends at the next request', async () => {
    const { app } = await opened();
    app.actions.setAt(3);
    await app.actions.step(1, 'call');
    await settled(app);
    expect(app.store.getState().projection.info?.at).toBe(5);
    await app.actions.step(10_000, 'call');
    await settled(app);
    expect(app.store.getState().projection.at).toBeNull();
    app.stop();
  });

  it('goes to the next change and back', async () => {
    const { app } = await opened();
    app.actions.setSpec(RECLAIM);
    await settled(app);
    await app.actions.goToMessage(100);
    await app.actions.goToChange(1);
    const forward = app.store.getState().projection.selectionRow;
    const row = forward === null ? null : rowAt(app.store.getState().projection.pages, forward)?.row;
    expect(row?.fate).not.toBe('kept');
    expect(row?.index).toBeGreaterThan(100);
    app.stop();
  });

  it('comes back to its place after a restart', async () => {
    const engine = watched();
    const first = createApp(engine.client);
    await first.actions.start();
    await first.actions.open('t1');
    first.actions.setSpec(RECLAIM);
    first.actions.setAt(231);
    await settled(first);
    await first.actions.goToMessage(214);
    const place = expect.objectContaining({ at: 231, selection: { index: 214, part: 0 } });
    const params = { key: SESSION_KEY, value: place };
    await expect.poll(() => engine.calls).toContainEqual({ method: 'settings.set', params });
    first.stop();
    const second = createApp(engine.client);
    await second.actions.start();
    await settled(second);
    const { session, projection, selection } = second.store.getState();
    expect(session.id).toBe('t1');
    expect(projection.info?.at).toBe(231);
    expect(projection.spec).toEqual(RECLAIM);
    expect(selection).toEqual({ kind: 'message', index: 214, part: 0 });
    expect(projection.scroll.row).toBe(projection.selectionRow);
    second.stop();
  });

  it('keeps a transcript that cannot be opened apart from an empty one', async () => {
    const engine = watched();
    engine.failing.add('transcript.open');
    const app = createApp(engine.client);
    await app.actions.start();
    await app.actions.open('t1');
    expect(app.store.getState().session).toMatchObject({ id: 't1', opening: false, error: { message: 'no room' } });
    app.stop();
  });

  it('says that the library could not be read instead of showing an empty one', async () => {
    const engine = watched();
    engine.failing.add('library.list');
    const app = createApp(engine.client);
    await app.actions.start();
    expect(app.store.getState().library).toMatchObject({ transcripts: null, error: { message: 'no room' } });
    app.stop();
  });
});
