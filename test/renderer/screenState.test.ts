// While a transcript opens the rows of the one before stay on screen, until the next has rows or it takes longer.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MethodName } from '../../core/protocol/methods.ts';
import { createApp } from '../../renderer/state/app.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { slowEngine } from './slowEngine.ts';
import { AT_TOP } from './support.ts';

const realImmediate = setImmediate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The app with transcript a open, at rest; each answer is given when a test says so. */
async function opened() {
  const engine = slowEngine({ a: 400, b: 90, c: 12 });
  await engine.prepare();
  const app = createApp(engine.client);
  const settle = () => new Promise<void>((done) => realImmediate(() => realImmediate(done)));
  const answer = async (method: MethodName, lost = false) => {
    expect(engine.waiting()).toContain(method);
    engine.answer(engine.waiting().indexOf(method), lost);
    await settle();
  };
  const rest = async () => {
    await settle();
    while (engine.waiting().length > 0) {
      engine.answer(0);
      await settle();
    }
  };
  void app.actions.start();
  await rest();
  void app.actions.open('a', AT_TOP);
  await rest();
  /** Whose rows are drawn; null = none. */
  const drawn = () => {
    const { projection, session } = app.screen.getState();
    const { pages } = projection;
    if (pages.projectionId === null) return null;
    const texts = Array.from({ length: pages.total }, (_, row) => rowAt(pages, row)?.row.raw?.text ?? '');
    const names = new Set(texts.filter((text) => text !== '').map((text) => text.split(' ')[0]));
    expect([...names]).toEqual([session.id]);
    return session.id;
  };
  return { engine, app, answer, rest, settle, drawn };
}

describe('while a transcript opens', () => {
  it('the rows before stay until its own are there, and the screen draws once', async () => {
    const { app, answer, drawn } = await opened();
    let draws = 0;
    app.screen.subscribe((now, before) => {
      if (now.projection !== before.projection || now.session !== before.session) draws++;
    });
    app.store.setState({ selection: { kind: 'message', index: 3, part: 0 } });
    const before = app.screen.getState();
    draws = 0;
    void app.actions.open('b', AT_TOP);
    expect(app.screen.getState().selection).toBe(before.selection);
    expect(app.store.getState().session.id).toBe('b');
    await answer('transcript.open');
    expect(app.screen.getState().projection).toBe(before.projection);
    expect(app.screen.getState().session).toBe(before.session);
    expect(draws).toBe(0);
    await answer('projection.set');
    expect(drawn()).toBe('b');
    expect(app.screen.getState()).toBe(app.store.getState());
  });

  it('what belongs to no transcript is drawn at once', async () => {
    const { app, drawn } = await opened();
    void app.actions.open('b');
    app.actions.toast({ tone: 'info', text: 'Copied.' });
    app.actions.setFilter('harbour');
    expect(app.screen.getState()).toMatchObject({ toasts: [{ text: 'Copied.' }], library: { filter: 'harbour' } });
    expect(drawn()).toBe('a');
  });

  it('what takes longer is shown as being opened', async () => {
    const { app, drawn } = await opened();
    void app.actions.open('b');
    vi.advanceTimersByTime(290);
    expect(drawn()).toBe('a');
    vi.advanceTimersByTime(20);
    expect(drawn()).toBeNull();
    expect(app.screen.getState().session).toMatchObject({ id: 'b', opening: true });
  });

  it('another one that is opened meanwhile does not make it longer', async () => {
    const { app, answer, rest, drawn } = await opened();
    void app.actions.open('b');
    vi.advanceTimersByTime(200);
    void app.actions.open('c');
    expect(drawn()).toBe('a');
    vi.advanceTimersByTime(90);
    expect(drawn()).toBe('a');
    vi.advanceTimersByTime(20);
    expect(app.screen.getState().session).toMatchObject({ id: 'c', opening: true });
    await answer('transcript.open');
    await rest();
    expect(drawn()).toBe('c');
  });

  it('the rows of one that was left do not end it', async () => {
    const { app, answer, rest, drawn } = await opened();
    void app.actions.open('b');
    await answer('transcript.open');
    void app.actions.open('c');
    await answer('projection.set');
    expect(drawn()).toBe('a');
    await rest();
    expect(drawn()).toBe('c');
  });

  it.each(['transcript.open', 'projection.set'] as const)('a failure of %s is shown', async (method) => {
    const { app, answer } = await opened();
    void app.actions.open('b');
    if (method === 'projection.set') await answer('transcript.open');
    await answer(method, true);
    const { session, projection } = app.screen.getState();
    expect(session.id).toBe('b');
    expect(session.error ?? projection.error).not.toBeNull();
  });

  it('what is closed is gone at once', async () => {
    const { app } = await opened();
    void app.actions.open('b');
    app.actions.close();
    expect(app.screen.getState().session.id).toBeNull();
  });

  it('a dialog or another mode over the rows does not keep them', async () => {
    const { app } = await opened();
    void app.actions.open('b');
    app.actions.setMode('checks');
    expect(app.screen.getState().session.id).toBe('b');
    void app.actions.open('a');
    expect(app.screen.getState().session.id).toBe('a');
  });
});
