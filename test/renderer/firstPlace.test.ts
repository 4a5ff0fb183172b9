// A session opens where it is interesting, and what is folded opens where somebody goes into it. The app over the real
// engine, without a screen.
import { describe, expect, it, vi } from 'vitest';
import type { Params } from '../../core/protocol/methods.ts';
import { type App, createApp } from '../../renderer/state/app.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { goneText } from '../../renderer/timeline/rowText.ts';
import { sessionFile, testEngine } from '../engine/support.ts';
import { compactedSession } from '../support/compactedSession.ts';
import { reader } from './reader.ts';

const TURNS = 40;

async function imported(text: string) {
  const engine = testEngine();
  const id = await engine.add('session.jsonl', text);
  const client = engine.connect();
  const asked = vi.spyOn(client, 'call');
  const app = createApp(client);
  const list = reader(app);
  await app.actions.start();
  const settled = async () => {
    await expect.poll(() => app.store.getState().projection).toMatchObject({ pending: false, error: null });
    list.draw();
    await new Promise((resolve) => setTimeout(resolve, 20));
    list.draw();
  };
  const open = async (one = id) => {
    await app.actions.open(one);
    await expect.poll(() => app.store.getState().projection.info?.transcriptId).toBe(one);
    await settled();
  };
  return { engine, id, app, list, asked, open, settled };
}

const inSight = ({ store, viewport }: App) =>
  Array.from(
    { length: viewport.to - viewport.from },
    (_, n) => rowAt(store.getState().projection.pages, viewport.from + n)?.row,
  );

describe('a session nobody has read', () => {
  it('opens at its last compaction: one row for what is gone, the summary selected', async () => {
    const session = compactedSession(TURNS);
    const { app, open } = await imported(session.text);
    await open();
    const rows = inSight(app);
    const fold = rows.find((row) => row?.gone);
    expect(fold?.gone && goneText(fold.gone)).toMatch(
      new RegExp(`^${TURNS * 2} messages → summary #${session.summaryIndex}, [~≈]?[\\d.]+k? tok$`),
    );
    expect(rows.filter((row) => row?.fate === 'summarised')).toHaveLength(1);
    expect(app.store.getState().selection).toEqual({ kind: 'message', index: session.summaryIndex, part: 0 });
  });

  it('opens at its end where nothing was compacted', async () => {
    const messages = Array.from({ length: 120 }, (_, n) => ({
      role: n % 2 ? 'assistant' : 'user',
      content: `say ${n}`,
    }));
    const { app, open } = await imported(sessionFile(messages));
    await open();
    expect(inSight(app).at(-1)?.index).toBe(119);
    expect(app.viewport.atEnd).toBe(true);
  });

  it('asks for the rows that it draws, and for those around them with what the model sees', async () => {
    const { app, engine, asked, list, open } = await imported(compactedSession(400).text);
    const other = await engine.add('other.jsonl', sessionFile());
    // As the list does whenever it has drawn something else.
    app.screen.subscribe(() => queueMicrotask(() => list.draw()));
    await open(other);
    asked.mockClear();
    await open();
    const calls = asked.mock.calls.filter(([method]) => /^projection\.(set|rows)$/.test(method));
    expect(calls.slice(0, 2).map(([method]) => method)).toEqual(['projection.set', 'projection.set']);
    const [first, second] = calls.map(([, params]) => params as Params<'projection.set'>);
    const { height } = app.viewport;
    const drawn = Math.ceil(height / 24) + 16;
    expect(first).toMatchObject({ spec: { stages: [] }, hash: 'none', around: { before: drawn, after: drawn } });
    expect(second).toMatchObject({ spec: { stages: [{ kind: 'recorded_compaction' }] }, hash: 'later' });
    expect(second?.around?.after).toBeGreaterThan(drawn);
  });

  it('that was read opens where it was left, with what was unfolded there', async () => {
    const { app, list, open, settled, engine } = await imported(compactedSession(TURNS).text);
    const other = await engine.add('other.jsonl', sessionFile());
    await open();
    app.actions.unfold(0, TURNS * 2);
    await settled();
    app.actions.clearSelection();
    app.actions.scrolledByHand();
    list.scrollTo(24 * 30);
    await settled();
    const before = inSight(app)[0]?.key;
    expect(before).toMatch(/^m/);
    await open(other);
    const id = app.store.getState().library.transcripts?.find((one) => one.id !== other)?.id ?? '';
    await open(id);
    expect(inSight(app)[0]?.key).toBe(before);
  });
});

describe('a fold', () => {
  it('opens for who goes to a message in it, and stays open', async () => {
    const { app, open, settled } = await imported(compactedSession(TURNS).text);
    await open();
    await app.actions.goToMessage(11);
    await settled();
    const { projection, selection } = app.store.getState();
    expect(selection).toMatchObject({ kind: 'message', index: 11 });
    expect(rowAt(projection.pages, projection.selectionRow ?? 0)?.row).toMatchObject({ kind: 'part', index: 11 });
    expect(inSight(app).some((row) => row?.index === 11)).toBe(true);
    app.actions.clearSelection();
    app.actions.reproject();
    await settled();
    expect(app.store.getState().projection.info?.rowCount).toBeGreaterThan(TURNS * 3);
  });

  it('does not hide the message one looks at while the call point passes the compaction', async () => {
    const { app, open, settled } = await imported(compactedSession(TURNS).text);
    await open();
    app.actions.setAt(40);
    await app.actions.goToMessage(7);
    await settled();
    app.actions.setAt(null);
    await settled();
    const { projection } = app.store.getState();
    expect(rowAt(projection.pages, projection.selectionRow ?? 0)?.row).toMatchObject({
      kind: 'part',
      index: 7,
      fate: 'summarised',
    });
  });

  it('can be walked to and over by keys', async () => {
    const { app, open, settled } = await imported(compactedSession(TURNS).text);
    await open();
    const fold = inSight(app).find((row) => row?.gone);
    await app.actions.goToRow(fold?.row ?? 0);
    expect(app.store.getState().selection).toEqual({ kind: 'fold', index: 0, to: TURNS * 2 });
    await app.actions.moveSelection(1);
    expect(app.store.getState().projection.selectionRow).toBe((fold?.row ?? 0) + 1);
    await app.actions.moveSelection(-1);
    app.actions.unfold(0, TURNS * 2);
    await settled();
    expect(app.store.getState().selection).toEqual({ kind: 'message', index: 0, part: 0 });
  });
});
