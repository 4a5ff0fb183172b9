// Answers that come when the person has gone on: one test for each way in which they used to have the last word.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { MethodName } from '../../core/protocol/methods.ts';
import { createApp } from '../../renderer/state/app.ts';
import { RAW_SPEC } from '../../renderer/state/initial.ts';
import { newestAnswers, oneByOne } from '../../renderer/state/inOrder.ts';
import { LIBRARY_KEY, SESSION_KEY, UI_KEY } from '../../renderer/state/persist.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { reader } from './reader.ts';
import { policy, slowEngine } from './slowEngine.ts';
import { AT_TOP } from './support.ts';

const realImmediate = setImmediate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SIZES = { a: 400, b: 90, c: 12 };

/** The app over an engine that answers when it is told to. */
async function begun(sizes: Readonly<Record<string, number>> = SIZES) {
  const engine = slowEngine(sizes);
  await engine.prepare();
  const app = createApp(engine.client);
  const list = reader(app);
  const settle = async () => {
    await new Promise<void>((done) => realImmediate(() => realImmediate(done)));
    list.draw();
    await new Promise<void>((done) => realImmediate(() => realImmediate(done)));
  };
  const give = async (method: MethodName, { lost = false, newest = false } = {}) => {
    const waiting = engine.waiting();
    const place = newest ? waiting.lastIndexOf(method) : waiting.indexOf(method);
    expect(waiting, `asked: ${waiting.join(', ')}`).toContain(method);
    engine.answer(place, lost);
    await settle();
  };
  const rest = async () => {
    while (engine.waiting().length > 0) {
      engine.answer(0);
      await settle();
    }
  };
  return { engine, app, list, actions: app.actions, get: app.store.getState, settle, give, rest };
}

/** With transcript `id` open and everything at rest. */
async function opened(id = 'a') {
  const all = await begun();
  void all.actions.start();
  await all.settle();
  await all.rest();
  void all.actions.open(id, AT_TOP);
  await all.settle();
  await all.rest();
  return all;
}

const errorsOf = (get: Awaited<ReturnType<typeof begun>>['get']) =>
  get()
    .toasts.filter(({ tone }) => tone === 'error')
    .map(({ text }) => text);

describe('the call point', () => {
  it('of another transcript is not moved by a step that was asked for before', async () => {
    const { actions, get, rest, settle } = await opened();
    actions.setAt(50);
    void actions.step(1, 'call');
    void actions.open('b');
    await settle();
    await rest();
    expect([get().session.id, get().projection.at]).toEqual(['b', null]);
  });

  it('goes on by every step, however quickly they come', async () => {
    const { actions, get, rest } = await opened();
    actions.setAt(50);
    void actions.step(1, 'call');
    void actions.step(1, 'call');
    void actions.step(1, 'call');
    await rest();
    expect(get().projection.info?.at).toBe(56);
  });

  it('stays where it was moved to while a step was on its way', async () => {
    const { actions, get, rest, settle } = await opened();
    actions.setAt(50);
    void actions.step(1, 'call');
    await settle();
    actions.setAt(7);
    await rest();
    expect([get().projection.at, get().projection.info?.at]).toEqual([7, 7]);
  });

  it('steps from the next request at once after going there', async () => {
    const { actions, get, rest } = await opened();
    actions.setAt(50);
    await rest();
    actions.setAt(null);
    void actions.step(-1, 'call');
    await rest();
    expect(get().projection.info?.at).toBe(398);
  });
});

describe('the projection', () => {
  it('is pending until the newest was answered, and an older failure is not told', async () => {
    const { actions, get, give, settle } = await opened();
    actions.setSpec(policy(3));
    await settle();
    actions.setSpec(policy(4));
    await give('projection.set', { lost: true });
    expect([get().projection.pending, get().projection.error]).toEqual([true, null]);
    await give('projection.set');
    expect([get().projection.pending, get().projection.info?.spec.name]).toEqual([false, 'every 4']);
  });

  it('of an earlier visit to the same transcript is not shown', async () => {
    const { actions, get, give, rest, settle } = await opened();
    actions.setSpec(policy(3));
    await settle();
    void actions.open('b');
    void actions.open('a');
    await give('projection.set');
    expect(get().projection.info).toBeNull();
    await rest();
    expect(get().projection).toMatchObject({ info: { transcriptId: 'a', spec: policy(3) }, error: null });
  });

  it('does not blame a transcript for a visit before that failed', async () => {
    const { actions, get, give, rest, settle } = await opened('c');
    void actions.open('a');
    void actions.open('b');
    void actions.open('a');
    await settle();
    await give('transcript.open', { lost: true });
    await rest();
    expect(get().session).toMatchObject({ id: 'a', error: null, opening: false, fresh: 0 });
  });

  it('tells nothing of what is being opened as new', async () => {
    const { engine, actions, get, rest, settle } = await opened('b');
    void actions.open('a');
    await settle();
    engine.takeUpAll();
    engine.grow('a', 3);
    actions.setSpec(policy(4));
    await rest();
    expect(get().session).toMatchObject({ id: 'a', fresh: 0, info: { messages: 403 } });
  });

  it('a transcript that could not be opened can be opened again', async () => {
    const { actions, get, give, rest, settle } = await opened('b');
    void actions.open('a');
    await settle();
    await give('transcript.open', { lost: true });
    expect(get()).toMatchObject({ session: { error: { code: 'test.failed' } }, series: { computing: false } });
    void actions.open('a');
    await rest();
    expect(get().session).toMatchObject({ id: 'a', error: null, info: { id: 'a' } });
  });

  it('comes without what was selected if that is gone', async () => {
    const { actions, get, rest } = await opened('b');
    void actions.open('c', { at: 50, selection: { kind: 'message', index: 60, part: 0 } });
    await rest();
    expect(get()).toMatchObject({ selection: null, projection: { at: null, error: null, info: { at: 12 } } });
  });
});

describe('the reader', () => {
  it('who scrolls while the end is on its way is not taken there', async () => {
    const { actions, list, get, rest } = await opened();
    actions.setAt(300);
    await rest();
    actions.goToEnd();
    list.scrollTo(480);
    await rest();
    expect([get().projection.info?.at, list.top()]).toEqual([400, 480]);
  });

  it('who scrolls while a row is looked up has it selected, and stays', async () => {
    const { actions, list, get, rest, settle } = await opened();
    void actions.goToMessage(350);
    await settle();
    list.scrollTo(480);
    await rest();
    expect([get().selection, list.top()]).toEqual([{ kind: 'message', index: 350, part: 0 }, 480]);
  });

  it('who clicks while a message is looked up has the click', async () => {
    const { actions, list, get, rest } = await opened();
    void actions.goToMessage(350);
    const held = rowAt(get().projection.pages, 3);
    if (!held) throw new Error('no row');
    actions.selectRow(held.row);
    await rest();
    expect([get().selection, list.top()]).toEqual([{ kind: 'message', index: 3, part: 0 }, 0]);
  });

  it('goes on by every page, however quickly they come', async () => {
    const { actions, get, rest } = await opened();
    void actions.moveSelection(150);
    void actions.moveSelection(150);
    void actions.moveSelection(-10);
    await rest();
    expect(get().selection).toEqual({ kind: 'message', index: 289, part: 0 });
  });

  it('gets the message that was meant, not the one that has its row by now', async () => {
    const { engine, actions, get, give, rest, settle } = await opened();
    actions.setSpec(policy(4, true)); // a row more at the top
    await settle();
    void actions.moveSelection(300);
    engine.takeUpAll();
    await give('projection.set');
    await rest();
    expect(get()).toMatchObject({ selection: { index: 299 }, projection: { selectionRow: 300 } });
  });

  it('gets the message they went to before its rows were there', async () => {
    const { actions, list, get, rest, settle } = await opened('b');
    void actions.open('a');
    void actions.goToMessage(300);
    await settle();
    await rest();
    expect([get().selection, get().projection.selectionRow]).toEqual([{ kind: 'message', index: 300, part: 0 }, 300]);
    expect(list.top()).toBeGreaterThan(200 * 24);
  });

  it('is told of no failure of what they have left', async () => {
    const { actions, get, give, rest, settle } = await opened();
    void actions.goToMessage(350);
    await settle();
    actions.clearSelection();
    await give('projection.rowOf', { lost: true });
    await rest();
    expect(errorsOf(get)).toEqual([]);
  });
});

describe('what was removed', () => {
  it('is offered for as long as it can be restored, and no longer', async () => {
    const { actions, get, rest } = await opened();
    void actions.remove(['b']);
    await rest();
    expect(get().library.removed?.ids).toEqual(['b']);
    vi.advanceTimersByTime(59_000);
    expect(get().library.removed).toBeNull();
  });

  it('and is deleted by then: it says what to do instead', async () => {
    const { engine, actions, get, rest } = await opened();
    void actions.remove(['b']);
    await rest();
    const [offer] = get().toasts.filter(({ action }) => action?.label === 'Undo');
    engine.world.removed.clear();
    offer?.action?.run();
    await rest();
    expect(errorsOf(get)).toEqual(['Already deleted – import the file again.']);
  });
});

describe('what is opened by itself', () => {
  it('gives way to what the person opened meanwhile, and is offered', async () => {
    const { engine, actions, get, give, rest, settle } = await opened();
    void actions.importPaths(['x']);
    await settle();
    void actions.open('b');
    await give('import.start');
    const [job] = engine.asked('import.result');
    engine.emit('job', {
      jobId: job?.jobId ?? '',
      kind: 'import',
      title: 'x',
      state: 'running',
      progress: 0.5,
      bytesPerSecond: null,
      secondsLeft: null,
      message: '',
      transcriptIds: ['c'],
      error: null,
    });
    await rest();
    expect(get().session.id).toBe('b');
    const offer = get().toasts.find(({ text }) => text.startsWith('Imported'))?.action;
    expect(offer?.label).toBe('Open');
    offer?.run();
    await rest();
    expect(get().session.info?.messages).toBe(40);
  });

  it('is not what was imported while another is read: that is offered', async () => {
    const { actions, get, rest, settle } = await opened();
    void actions.importPaths(['x']);
    await rest();
    await settle();
    expect(get().session.id).toBe('a');
    const [offered] = get().toasts.filter(({ action }) => action?.label === 'Open');
    expect(offered?.text).toMatch(/^Imported 1 transcript/);
    offered?.action?.run();
    await rest();
    expect(get().session.id).toMatch(/^of job/);
  });

  it('is the later of two imports, whichever ends first', async () => {
    const { engine, actions, get, give, rest, settle } = await begun();
    void actions.importPaths(['x']);
    void actions.importPaths(['y']);
    await give('import.start');
    await give('import.start');
    const [, later] = engine.asked('import.result');
    await give('import.result', { newest: true });
    await rest();
    await settle();
    expect(get().session.id).toBe(`of ${later?.jobId}`);
  });

  it('the last session gives way to what was done while it was read', async () => {
    const { engine, actions, get, rest } = await begun();
    engine.world.settings.set(UI_KEY, { theme: 'dark', layout: 'raw', fold: true });
    engine.world.settings.set(LIBRARY_KEY, { view: { sort: 'title', descending: false, group: 'none' } });
    engine.world.settings.set(SESSION_KEY, { id: 'a' });
    engine.choices.set('a', { spec: policy(7), window: 1000, tokenizer: 'x' });
    void actions.start();
    actions.setTheme('light');
    void actions.open('b');
    actions.setSpec(policy(3));
    actions.setWindow(5000);
    await rest();
    expect(get().ui).toMatchObject({ theme: 'light', layout: 'raw', fold: true });
    expect(get().session.id).toBe('b');
    const asked = engine.projections.get(get().projection.info?.projectionId ?? '');
    expect(asked?.params).toMatchObject({ id: 'b', spec: policy(3), window: 5000, tokenizer: null });
  });
});

describe('the library', () => {
  it('does not bring back what was removed since it was asked for', async () => {
    const { engine, actions, get, give, rest } = await opened();
    engine.grow('b', 1);
    void actions.refresh();
    engine.takeUpAll();
    void actions.remove(['b']);
    await give('library.remove');
    await give('library.list', { newest: true });
    await rest();
    expect(get().library.transcripts?.map(({ id }) => id)).toEqual(['a', 'c']);
  });

  it('keeps what was chosen while others were removed; each message brings back its own', async () => {
    const { actions, get, give, rest } = await opened('c');
    actions.select(new Set(['a']));
    void actions.remove(['a']);
    actions.select(new Set(['a', 'b']));
    await give('library.remove');
    expect(get().library.selected).toEqual(new Set(['b']));
    await rest();
    void actions.remove(['b']);
    await rest();
    const [first] = get().toasts.filter(({ action }) => action?.label === 'Undo');
    first?.action?.run();
    await rest();
    expect(get().library.transcripts?.map(({ id }) => id)).toContain('a');
    expect(get().library).toMatchObject({ removed: { ids: ['b'] } });
  });

  it('shows the newest tags', async () => {
    const { actions, get, give, rest, engine } = await opened();
    void actions.loadTags();
    engine.takeUpAll();
    void actions.applyTags(['a'], ['new'], []);
    await give('tags.apply');
    await give('tags.list');
    await rest();
    expect(get().library.tags.map(({ name }) => name)).toEqual(['new']);
  });

  it('shows what is followed now, though folders are still looked through', async () => {
    const { engine, actions, get, give } = await opened();
    void actions.loadSources();
    engine.takeUpAll();
    const follow = { path: '/x', kind: 'file' } as (typeof engine.world.follows)[number];
    engine.world.follows = [follow];
    engine.emit('follow', { follows: engine.world.follows });
    await give('follow.list');
    expect(get().sources.follows).toEqual([follow]);
    await give('discover.list');
    expect(get().sources.follows).toEqual([follow]);
  });
});

describe('marks', () => {
  it('go to the transcript they were made in', async () => {
    const { engine, actions, get, rest } = await opened();
    void actions.open('b');
    void actions.setMark('a', 5, { bookmarked: true });
    await rest();
    expect([engine.world.bookmarks.get('a'), engine.world.bookmarks.get('b')]).toEqual([new Set([5]), undefined]);
    expect(get().marks).toMatchObject({ id: 'b', list: [] });
  });

  it('are given and taken back by two presses', async () => {
    const { engine, actions, get, rest } = await opened();
    void actions.goToMessage(5);
    await rest();
    void actions.toggleBookmark();
    void actions.toggleBookmark();
    await rest();
    expect([engine.world.bookmarks.get('a'), get().marks.list]).toEqual([new Set(), []]);
    void actions.toggleBookmark();
    await rest();
    expect(get().marks.list).toHaveLength(1);
  });
});

describe('the rows of a long transcript', () => {
  it('come before its figures, and those of a short one with them', async () => {
    for (const [id, asked] of [
      ['long', ['none', 'later']],
      ['short', ['later']],
    ] as const) {
      const { engine, actions, get, settle, rest } = await begun({ long: 20_000, short: 19_999 });
      const call = vi.spyOn(engine.client, 'call');
      void actions.start();
      await settle();
      await rest();
      void actions.open(id, AT_TOP);
      await settle();
      await rest();
      const hashes = call.mock.calls.flatMap(([method, params]) =>
        method === 'projection.set' && 'hash' in params ? [params.hash] : [],
      );
      expect(hashes, id).toEqual(asked);
      expect(get().projection).toMatchObject({ pending: false, info: { transcriptId: id } });
    }
  });
});

describe('figures at all call points', () => {
  it('are not ended by the failure of what was asked before', async () => {
    const { engine, actions, get, give, rest } = await opened();
    vi.advanceTimersByTime(300);
    actions.setSpec(policy(3));
    await rest();
    vi.advanceTimersByTime(300);
    actions.setSpec(policy(4));
    await give('series.start', { lost: true });
    expect(get().series).toMatchObject({ computing: true, error: null });
    vi.advanceTimersByTime(300);
    await rest();
    engine.completeSeries();
    expect(get().series).toMatchObject({ computing: false, error: null });
  });

  it('are asked for once the rows are there, however long those take', async () => {
    const { engine, app, actions, give, settle, rest } = await begun();
    void actions.start();
    await settle();
    await rest();
    void actions.open('a', AT_TOP);
    await settle();
    await give('transcript.open');
    while (engine.waiting().some((method) => method !== 'projection.set')) {
      await give(engine.waiting().find((method) => method !== 'projection.set') ?? 'engine.info');
    }
    vi.advanceTimersByTime(5_000);
    await settle();
    expect(engine.waiting()).not.toContain('series.start');
    await give('projection.set');
    expect(engine.waiting()).toContain('series.start');
    await rest();
    expect(app.store.getState().series.error).toBeNull();
  });

  it('are not asked for of a transcript that was left while its rows were waited for', async () => {
    const { engine, actions, give, settle, rest } = await begun();
    void actions.start();
    await settle();
    await rest();
    void actions.open('a', AT_TOP);
    await settle();
    await give('transcript.open');
    vi.advanceTimersByTime(5_000);
    actions.close();
    await settle();
    await rest();
    vi.advanceTimersByTime(5_000);
    await settle();
    expect(engine.waiting()).not.toContain('series.start');
  });

  it('do not complain if an older one could not be ended', async () => {
    const { actions, get, give, rest } = await opened();
    vi.advanceTimersByTime(300);
    await rest();
    actions.setSpec(policy(4));
    await give('series.stop', { lost: true });
    expect(get().series).toMatchObject({ computing: true, error: null });
  });
});

describe('the search', () => {
  async function searched() {
    const all = await opened('b');
    all.actions.openSearch();
    all.actions.setSearchQuery('lamp');
    vi.advanceTimersByTime(200);
    await all.rest();
    return all;
  }

  it('stays at the hit that was chosen while it was asked again', async () => {
    const { actions, get, rest } = await searched();
    actions.refreshSearch();
    vi.advanceTimersByTime(1000);
    actions.selectHit(7);
    await rest();
    expect(get().search).toMatchObject({ selected: 7, isLoading: false });
  });

  it('keeps as many hits as were shown, also beyond the largest page', async () => {
    const { actions, get, rest } = await searched();
    for (let page = 0; page < 4; page++) {
      void actions.moreHits();
      await rest();
    }
    const { length } = get().search.hits;
    actions.selectHit(length - 1);
    actions.refreshSearch();
    vi.advanceTimersByTime(1000);
    await rest();
    expect(get().search.hits.length).toBe(length);
    expect(get().search.selected).toBe(length - 1);
  });

  it('does not go on to the next page if another hit was chosen meanwhile', async () => {
    const { actions, get, rest, settle } = await searched();
    void actions.openHit(49);
    await rest();
    void actions.stepHit(1);
    await settle();
    void actions.openHit(3);
    await rest();
    expect([get().search.selected, get().search.hits.length, get().selection]).toEqual([
      3,
      100,
      { kind: 'message', index: 3, part: 0 },
    ]);
  });
});

describe('what is said of one transcript', () => {
  it('is not said of the next: policy, undo and what is not recorded stay where they belong', async () => {
    const { engine, actions, get, rest } = await opened();
    actions.setSpec({ ...policy(3), budget: { overhead: 21_340 } });
    actions.setPolicy(policy(4));
    void actions.open('b');
    await rest();
    actions.undoSpec();
    actions.redoSpec();
    await rest();
    expect(get().projection).toMatchObject({ chosen: false, spec: RAW_SPEC, past: [], future: [] });
    void actions.open('a');
    await rest();
    expect([get().projection.spec, get().session.overhead]).toEqual([policy(4), 21_340]);
    actions.undoSpec();
    await rest();
    expect([get().projection.spec, get().session.overhead]).toEqual([policy(3), 21_340]);
    expect(engine.overheads).toEqual(new Map([['a', 21_340]]));
  });

  it('window and tokenizer too; they come along when asked, without what is not recorded', async () => {
    const { engine, actions, get, rest } = await opened();
    actions.setSpec({ ...policy(3), budget: { overhead: 500 } });
    actions.setWindow(200_000);
    actions.setTokenizer('o200k_base');
    void actions.open('b');
    await rest();
    const own = { window: null, tokenizer: null, chosen: false, spec: RAW_SPEC };
    expect(get().projection).toMatchObject(own);
    const asked = engine.projections.get(get().projection.info?.projectionId ?? '');
    expect(asked?.params).toMatchObject({ id: 'b', window: null, tokenizer: null });
    expect(get().projection.elsewhere).toMatchObject({ id: 'a' });
    actions.takeOver();
    await rest();
    expect(get().projection).toMatchObject({ window: 200_000, tokenizer: 'o200k_base', spec: policy(3) });
    actions.undoSpec();
    expect(get().projection.spec).toEqual(RAW_SPEC);
    vi.advanceTimersByTime(1000);
    await rest();
    expect(engine.choices.get('a')).toEqual({
      spec: policy(3),
      window: 200_000,
      tokenizer: 'o200k_base',
    });
    expect(engine.choices.get('b')).toMatchObject({ window: 200_000, spec: RAW_SPEC });
  });

  it('is there again after a restart, and what the next one has is its own', async () => {
    const { engine, app, actions, get, rest } = await opened();
    actions.setWindow(200_000);
    actions.setSpec(policy(3));
    app.flush();
    await rest();
    app.stop();
    const again = createApp(engine.client);
    const now = () => again.store.getState().projection;
    void again.actions.open('b');
    await rest();
    expect(now()).toMatchObject({ window: null, chosen: false });
    void again.actions.open('a');
    await rest();
    expect(now()).toMatchObject({ window: 200_000, chosen: true, spec: policy(3) });
    expect(get().session.id).toBe('a');
    again.stop();
  });

  it('is not taken from a transcript by what was chosen before its answer came', async () => {
    const { engine, actions, get, rest } = await begun();
    engine.choices.set('b', { spec: policy(7), window: 1000, tokenizer: null });
    void actions.open('b');
    actions.setWindow(5000);
    await rest();
    expect(get().projection).toMatchObject({ window: 5000, chosen: false });
  });
});

describe('what survives a restart', () => {
  it('is unsaved until it was written, also what was changed meanwhile', async () => {
    const { actions, get, give, rest } = await opened();
    vi.advanceTimersByTime(1000);
    await rest();
    expect(get().unsaved).toBe(false);
    actions.setTheme('dark');
    expect(get().unsaved).toBe(true);
    vi.advanceTimersByTime(1000);
    actions.setTheme('light');
    await give('settings.set');
    expect(get().unsaved).toBe(true);
    vi.advanceTimersByTime(1000);
    await give('settings.set', { lost: true });
    expect(get().unsaved).toBe(false);
    expect(errorsOf(get)).toEqual(['Settings are not being saved.']);
  });

  it('is written at once when the window goes', async () => {
    const { engine, app, actions, rest } = await opened();
    vi.advanceTimersByTime(1000);
    await rest();
    actions.setTheme('dark');
    app.flush();
    expect(engine.asked('settings.set')).toMatchObject([{ key: UI_KEY, value: { theme: 'dark' } }]);
    app.flush();
    expect(engine.asked('settings.set')).toHaveLength(1);
    await rest();
  });
});

describe('answers in order', () => {
  it('an answer older than one that was shown is not', () => {
    const ask = newestAnswers();
    const [first, second, third] = [ask(), ask(), ask()];
    expect([second(), first(), third(), third(), second()]).toEqual([true, false, true, true, false]);
  });

  it('one at a time; those who wait share the next', async () => {
    const ends: (() => void)[] = [];
    const run = oneByOne(() => new Promise((end) => ends.push(end)));
    const done: number[] = [];
    for (const number of [1, 2, 3]) void run().then(() => done.push(number));
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.waitFor(() => expect(ends).toHaveLength(2));
    expect(done).toEqual([1]);
    ends[1]?.();
    await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
    void run();
    expect(ends).toHaveLength(3);
  });
});
