// What a person does, what the engine tells, and answers that come late, in any order or not at all, in random
// interleavings over the whole state: once everything is at rest, what is shown must belong to what was done last.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type App, createApp } from '../../renderer/state/app.ts';
import { rowAt } from '../../renderer/state/rowPages.ts';
import { OF_TRANSCRIPT } from '../../renderer/state/screenState.ts';
import type { AppState } from '../../renderer/state/types.ts';
import { rowTop } from '../../renderer/ui/rowLayout.ts';
import { seeded } from '../tokens/oracle.ts';
import { type Reader, reader } from './reader.ts';
import { policy, rowOf, type SlowEngine, slowEngine } from './slowEngine.ts';
import { AT_TOP } from './support.ts';

const SIZES = { a: 400, b: 90, c: 12 };
const STEPS = 120;
const REPLAY = process.env.PARALLAX_REPLAY;
const SEEDS = REPLAY === undefined ? Array.from({ length: 300 }, (_, seed) => seed) : [Number(REPLAY)];

const realImmediate = setImmediate;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Everything that needs no answer has happened. */
const calm = () => new Promise<void>((done) => realImmediate(() => realImmediate(done)));

/** What the person did last of each kind; null = nothing that can be told for sure. */
interface Wanted {
  session: string | null;
  at: number | null | undefined;
  selected: string | null | undefined;
}

interface Run {
  readonly engine: SlowEngine;
  readonly app: App;
  readonly list: Reader;
  readonly wanted: Wanted;
  readonly log: string[];
  readonly random: (below: number) => number;
  /** The person asked for the list to be moved, has not scrolled since, and it may still be on its way. */
  mayMove: boolean;
}

const said = (_done: unknown): string => '';

type Step = readonly [weight: number, name: string, act: (run: Run) => string | undefined];

const pick = <T>(run: Run, all: readonly T[]): T | undefined => all[run.random(all.length)];
const ids = (run: Run) => [...run.engine.world.transcripts.keys()];

/** What is to be seen once a hit was opened. */
function wantHit({ app, wanted }: Run, number: number): string | undefined {
  const hit = app.store.getState().search.hits[number];
  if (hit === undefined) return;
  if (wanted.session !== hit.transcriptId) wanted.at = null;
  Object.assign(wanted, { session: hit.transcriptId, selected: `m${hit.index}.0` });
  return `${hit.transcriptId} ${hit.index}`;
}

const STEPS_OF: readonly Step[] = [
  [
    4,
    'open',
    (run) => {
      const id = pick(run, ids(run));
      if (id === undefined) return;
      void run.app.actions.open(id);
      if (run.wanted.session !== id) Object.assign(run.wanted, { session: id, at: undefined, selected: undefined });
      return id;
    },
  ],
  [
    1,
    'close',
    ({ app, wanted }) => {
      app.actions.close();
      Object.assign(wanted, { session: null, at: undefined, selected: null });
      return '';
    },
  ],
  [
    6,
    'policy',
    (run) => {
      const spec = policy(2 + run.random(5), run.random(2) === 0);
      run.app.actions.setSpec(spec);
      return spec.name;
    },
  ],
  [2, 'undo', ({ app }) => said(app.actions.undoSpec())],
  [1, 'redo', ({ app }) => said(app.actions.redoSpec())],
  [
    4,
    'at',
    (run) => {
      const at = run.random(5) === 0 ? null : 1 + run.random(60);
      run.app.actions.setAt(at);
      run.wanted.at = at;
      return String(at);
    },
  ],
  [
    3,
    'step',
    (run) => {
      const delta = pick(run, [1, -1, 3]) ?? 1;
      void run.app.actions.step(delta, 'call');
      run.wanted.at = undefined;
      return String(delta);
    },
  ],
  [
    3,
    'end',
    ({ app, wanted }) => {
      app.actions.goToEnd();
      wanted.at = null;
      return '';
    },
  ],
  [2, 'fold', (run) => said(run.app.actions.setFold(run.random(2) === 0))],
  [
    2,
    'layout',
    (run) => {
      const layout = pick(run, ['raw', 'side', 'model'] as const) ?? 'side';
      run.app.actions.setLayout(layout);
      return layout;
    },
  ],
  [
    1,
    'window',
    (run) => {
      run.app.actions.setWindow(run.random(2) === 0 ? null : 50_000);
      return '';
    },
  ],
  [
    1,
    'tokenizer',
    (run) => {
      run.app.actions.setTokenizer(run.random(2) === 0 ? null : 'cl100k_base');
      return '';
    },
  ],
  [
    8,
    'scroll',
    (run) => {
      const px = run.random(4) === 0 ? Number.MAX_SAFE_INTEGER : run.random(9000);
      run.list.scrollTo(px);
      return String(px);
    },
  ],
  [
    6,
    'click',
    (run) => {
      const { pages } = run.app.store.getState().projection;
      const held = rowAt(pages, run.app.viewport.from + run.random(10));
      if (!held) return;
      run.app.actions.selectRow(held.row);
      run.wanted.selected = held.row.kind === 'fold' ? undefined : held.row.key;
      return held.row.key;
    },
  ],
  [
    1,
    'unselect',
    ({ app, wanted }) => {
      app.actions.clearSelection();
      wanted.selected = null;
      return '';
    },
  ],
  [
    5,
    'arrow',
    (run) => {
      const delta = pick(run, [1, -1, 30, -30]) ?? 1;
      void run.app.actions.moveSelection(delta);
      run.wanted.selected = undefined;
      return String(delta);
    },
  ],
  [
    3,
    'goTo',
    (run) => {
      const index = run.random(10);
      void run.app.actions.goToMessage(index);
      if (run.wanted.session !== null) run.wanted.selected = `m${index}.0`;
      return String(index);
    },
  ],
  [
    2,
    'change',
    (run) => {
      void run.app.actions.goToChange(run.random(2) === 0 ? 1 : -1);
      run.wanted.selected = undefined;
      return '';
    },
  ],
  [
    3,
    'toggle',
    (run) => {
      const { pages } = run.app.store.getState().projection;
      const held = rowAt(pages, run.app.viewport.from + run.random(8));
      if (!held) return;
      run.app.actions.toggleOpen(held.row);
      return held.row.key;
    },
  ],
  [
    1,
    'unfold',
    (run) => {
      const from = run.random(5) * 8 + 5;
      run.app.actions.unfold(from, from + 3);
      return String(from);
    },
  ],
  [2, 'bookmark', ({ app }) => said(app.actions.toggleBookmark())],
  [2, 'tag', (run) => said(run.app.actions.applyTags(ids(run).slice(0, 1), [`t${run.random(9)}`], []))],
  [
    1,
    'rename',
    (run) => {
      const id = pick(run, ids(run));
      if (id !== undefined) void run.app.actions.rename(id, `named ${run.random(99)}`);
      return id;
    },
  ],
  [2, 'refresh', ({ app }) => said(app.actions.refresh())],
  [
    3,
    'search',
    (run) => {
      const query = pick(run, ['one', 'two', '', 'three']) ?? '';
      run.app.actions.setSearchQuery(query);
      return query;
    },
  ],
  [1, 'sort', (run) => said(run.app.actions.setSearchSort(run.random(2) === 0 ? 'time' : 'relevance'))],
  [
    2,
    'hit',
    (run) => {
      const number = run.random(9);
      void run.app.actions.openHit(number);
      return wantHit(run, number);
    },
  ],
  [
    1,
    'next hit',
    (run) => {
      const { selected, isStepping, hits } = run.app.store.getState().search;
      const next = isStepping ? selected + 1 : selected;
      if (next >= hits.length) return;
      void run.app.actions.stepHit(1);
      return wantHit(run, next);
    },
  ],
  [1, 'more', ({ app }) => said(app.actions.moreHits())],
  [
    1,
    'remove',
    (run) => {
      const id = pick(run, ids(run));
      if (id === undefined || ids(run).length < 3) return;
      void run.app.actions.remove([id]);
      run.wanted.session = null; // told below: the session that was removed is left
      return id;
    },
  ],
  [1, 'restore', ({ app }) => said(app.actions.undoRemove())],
  [
    5,
    'grow',
    (run) => {
      const id = pick(run, ids(run));
      if (id !== undefined) run.engine.grow(id, run.random(4));
      return id;
    },
  ],
  [
    1,
    'go back',
    (run) => {
      const id = pick(run, ids(run));
      if (id !== undefined) run.engine.goBack(id, 10 + run.random(5));
      return id;
    },
  ],
  [
    2,
    'tell follows',
    ({ engine }) => {
      engine.world.follows = [...engine.world.follows];
      engine.emit('follow', { follows: engine.world.follows });
      return '';
    },
  ],
  [2, 'sources', ({ app }) => said(app.actions.loadSources())],
  [
    8,
    'time',
    (run) => {
      const ms = pick(run, [20, 150, 300, 2500]) ?? 0;
      vi.advanceTimersByTime(ms);
      return String(ms);
    },
  ],
];
const ANSWERS = 75;

async function step(run: Run): Promise<void> {
  const total = STEPS_OF.reduce((sum, [weight]) => sum + weight, 0);
  let at = run.random(total + ANSWERS);
  let place = placeOf(run);
  if (at >= total) {
    const { length } = run.engine.waiting();
    if (length === 0) return;
    if (run.random(4) === 0) run.engine.takeUp();
    else {
      // Mostly in order, as the wire has them; now and then not.
      const number = run.random(3) === 0 ? run.random(length) : 0;
      const isLost = run.random(40) === 0;
      run.log.push(`${isLost ? 'lose' : 'answer'} ${run.engine.answer(number, isLost)}`);
    }
  } else {
    for (const [weight, name, act] of STEPS_OF) {
      at -= weight;
      if (at >= 0) continue;
      const what = act(run);
      run.log.push(`${name} ${what ?? '(nothing)'}`);
      if (MOVING.has(name)) run.mayMove = true;
      // Where nothing is shown yet there is nothing to scroll.
      if (name === 'scroll' && run.app.store.getState().projection.pages.projectionId !== null) run.mayMove = false;
      if (!TELLING.has(name)) place = null;
      break;
    }
  }
  await settle(run);
  if (place !== null && !run.mayMove) checkPlace(run, place);
  checkShown(run);
  checkDrawn(run);
  if (run.engine.waiting().every((method) => !/^projection|step|open/.test(method))) run.mayMove = false;
}

/** Whatever is under way: what is said to be the answer is one, to what is set now. */
function checkShown({ app, engine, log }: Run): void {
  const { session, projection, ui } = app.store.getState();
  const { info, pages, pending, error } = projection;
  const shown = engine.projections.get(pages.projectionId ?? '');
  const isBack = log.some((line) => line.startsWith('go back') || line.startsWith('remove'));
  const where = log.join('\n');
  if (pages.projectionId !== null && !isBack) expect(shown?.params.id, `of this visit ${where}`).toBe(session.id);
  if (info === null || pending || error !== null || shown === undefined) return;
  const { params, spec } = shown;
  expect({ spec, at: params.at, fold: params.fold, ghosts: params.ghosts }, where).toEqual({
    spec: projection.spec,
    at: projection.at,
    fold: ui.fold,
    ghosts: ui.layout !== 'model',
  });
}

/** What the screen draws is what is so, but for a transcript that another is about to take the place of, which is drawn as a whole. */
function checkDrawn({ app, engine, log }: Run): void {
  const drawn = app.screen.getState();
  const now = app.store.getState();
  const where = log.join('\n');
  if (!app.screen.isHeld) {
    expect(drawn === now, where).toBe(true);
    return;
  }
  for (const key of Object.keys(now) as (keyof AppState)[]) {
    if (!OF_TRANSCRIPT.some((own) => own === key)) expect(drawn[key] === now[key], `${key} ${where}`).toBe(true);
  }
  const { pages } = drawn.projection;
  const of = engine.projections.get(pages.projectionId ?? '')?.params.id;
  expect(pages.projectionId, where).not.toBeNull();
  if (of !== undefined) expect(of, where).toBe(drawn.session.id);
}

/** What asks for the list to be moved, and what has no business with it. */
const MOVING = new Set([
  'open',
  'close',
  'at',
  'step',
  'end',
  'arrow',
  'goTo',
  'change',
  'hit',
  'next hit',
  'remove',
  'restore',
]);
const TELLING = new Set(['grow', 'go back', 'time', 'tell follows']);

interface Place {
  readonly key: string;
  readonly px: number;
  readonly isAtEnd: boolean;
  readonly isAtTop: boolean;
}

/** The row that the reader looks at, and where it stands. */
function placeOf({ app, list }: Run): Place | null {
  const { pages, open, selectionRow } = app.store.getState().projection;
  const { viewport } = app;
  const isInSight = selectionRow !== null && selectionRow >= viewport.from && selectionRow < viewport.to;
  const row = isInSight ? selectionRow : viewport.topRow;
  const held = rowAt(pages, row);
  if (!held || held.stale) return null;
  return {
    key: held.row.key,
    px: rowTop(row, { line: 24, open }) - list.top(),
    isAtEnd: viewport.atEnd,
    isAtTop: viewport.atTop && !isInSight,
  };
}

/** Nobody asked for it: what the reader looks at stands where it stood. */
function checkPlace({ app, engine, list, log }: Run, before: Place): void {
  const { info, open } = app.store.getState().projection;
  const { rows } = engine.projections.get(info?.projectionId ?? '') ?? { rows: [] };
  const row = rows.find(({ key }) => key === before.key);
  if (!row || before.isAtEnd) return;
  const most = Math.max(0, rowTop(rows.length, { line: 24, open }) - app.viewport.height);
  const wanted = before.isAtTop ? 0 : Math.max(0, Math.min(most, rowTop(row.row, { line: 24, open }) - before.px));
  if (before.isAtTop ? list.top() >= 12 : list.top() !== wanted) {
    throw new Error(`${before.key} was moved from ${before.px} by ${list.top() - wanted} px\n${log.join('\n')}`);
  }
}

/** Microtasks end, and the list draws between them as it would. */
async function settle(run: Run): Promise<void> {
  await calm();
  run.list.draw();
  await calm();
}

async function rest(run: Run): Promise<void> {
  for (let idle = 0; idle < 3; ) {
    if (run.engine.waiting().length > 0) {
      idle = 0;
      run.engine.answer(0);
    } else {
      idle++;
      run.engine.completeSeries();
      vi.advanceTimersByTime(3000);
    }
    await settle(run);
  }
}

async function begun(seed: number): Promise<Run> {
  const engine = slowEngine(SIZES);
  await engine.prepare();
  const app = createApp(engine.client);
  const wanted: Wanted = { session: null, at: undefined, selected: undefined };
  const run: Run = { engine, app, list: reader(app), wanted, log: [], random: seeded(seed), mayMove: false };
  void app.actions.start();
  await settle(run);
  // Some begin in the middle of the start, most with something on screen.
  if (seed % 5 === 0) return run;
  void app.actions.open('a', AT_TOP);
  run.wanted.session = 'a';
  await rest(run);
  return run;
}

describe('at rest after a random interleaving', () => {
  it.each(SEEDS)('what is shown belongs to what was done last (%i)', async (seed) => {
    const run = await begun(seed);
    for (let count = 0; count < STEPS; count++) await step(run);
    await rest(run);
    const where = `PARALLAX_REPLAY=${seed}\n${run.log.join('\n')}\n`;
    checkProjection(run, where);
    checkWanted(run, where);
    checkRest(run, where);
    run.app.stop();
  });
});

function checkProjection({ app, engine }: Run, where: string): void {
  const { session, projection, ui, selection } = app.store.getState();
  const { info, pages } = projection;
  expect({ pending: projection.pending, opening: session.opening }, where).toEqual({ pending: false, opening: false });
  if (session.id === null) {
    expect([info, pages.projectionId, projection.open], where).toEqual([null, null, []]);
    return;
  }
  if (session.error !== null || projection.error !== null) return;
  expect(info?.projectionId, where).toBe(pages.projectionId);
  const asked = engine.projections.get(info?.projectionId ?? '');
  if (!asked) throw new Error(`The projection shown is no longer at hand. ${where}`);
  const { params } = asked;
  expect(
    { id: params.id, spec: asked.spec, at: params.at, window: params.window, tokenizer: params.tokenizer },
    where,
  ).toEqual({
    id: session.id,
    spec: projection.spec,
    at: projection.at,
    window: projection.window,
    tokenizer: projection.tokenizer,
  });
  expect([params.fold, params.ghosts, params.unfold], where).toEqual([
    ui.fold,
    ui.layout !== 'model',
    projection.unfold,
  ]);
  expect(session.info?.messages, where).toBe(engine.world.transcripts.get(session.id)?.messages);
  expect(pages.total, where).toBe(asked.rows.length);
  for (let row = 0; row < asked.rows.length; row++) {
    const held = rowAt(pages, row);
    if (held && !held.stale) expect(held.row, where).toEqual(asked.rows[row]);
  }
  for (let row = app.viewport.from; row < app.viewport.to; row++) {
    expect(rowAt(pages, row)?.stale, `row ${row} in sight ${where}`).toBe(false);
  }
  for (const one of projection.open) expect(asked.rows[one.row]?.key, where).toBe(one.key);
  if (selection === null) expect(projection.selectionRow, where).toBeNull();
  if (selection?.kind === 'message') {
    expect(selection.index, where).toBeLessThan(session.info?.messages ?? 0);
    expect(projection.selectionRow, where).toBe(rowOf(asked.rows, selection.index));
  }
  if (app.viewport.atEnd && projection.at === null) expect(session.fresh, where).toBe(0);
  expect(session.fresh, where).toBeLessThan(session.info?.messages ?? 0);
}

/** The last word is the person's, as far as the world has not taken away what they chose. */
function checkWanted({ app, engine, wanted, log }: Run, where: string): void {
  const { session, projection, selection } = app.store.getState();
  const isTaken = log.some((line) => line.startsWith('remove') || line.startsWith('restore'));
  if (!isTaken) expect(session.id, where).toBe(wanted.session);
  if (isTaken || session.id === null) return;
  const isBack = log.some((line) => line.startsWith('go back'));
  if (isBack) return;
  // A call point beyond the end of what was opened meanwhile is none.
  const messages = engine.world.transcripts.get(session.id)?.messages ?? 0;
  if (wanted.at !== undefined)
    expect(projection.at, where).toBe((wanted.at ?? 0) < messages - 20 ? wanted.at : projection.at);
  if (wanted.selected === undefined || engine.failed.has('projection.rowOf')) return;
  const key = selection === null ? null : selection.kind === 'synthetic' ? selection.key : `m${selection.index}.0`;
  expect(key, where).toBe(wanted.selected);
}

function checkRest({ app, engine }: Run, where: string): void {
  expect(app.screen.isHeld, where).toBe(false);
  const { library, marks, session, series, search, sources, toasts, projection } = app.store.getState();
  const { world, failed } = engine;
  if (library.error === null && !failed.has('library.list')) {
    const shown = (library.transcripts ?? []).map(({ id, title, messages }) => `${id} ${title} ${messages}`);
    const there = [...world.transcripts].map(([id, { title, messages }]) => `${id} ${title} ${messages}`);
    expect(shown.toSorted(), where).toEqual(there.toSorted());
  }
  if (!failed.has('tags.list') && !failed.has('tags.apply')) expect(library.tags, where).toEqual(world.tags);
  expect(marks.id, where).toBe(session.id);
  if (session.id !== null && !failed.has('marks.list') && !failed.has('marks.set')) {
    const shown = (marks.list ?? []).map(({ index }) => index);
    expect(shown, where).toEqual([...(world.bookmarks.get(session.id) ?? [])]);
  }
  expect(search.isLoading, where).toBe(false);
  if (search.query !== '' && search.error === null && !failed.has('library.search')) {
    for (const { snippet } of search.hits) expect(snippet.text, where).toBe(search.query);
    expect(search.result?.sort, where).toBe(search.sort);
  }
  if (!failed.has('follow.list')) expect(sources.follows, where).toBe(world.follows);
  if (session.info !== null && session.error === null && !failed.has('series.start') && projection.error === null) {
    const own = series.series === null ? undefined : engine.series.get(series.series.seriesId);
    expect({ id: own?.id, tokenizer: own?.tokenizer }, where).toEqual({
      id: session.id,
      tokenizer: projection.tokenizer,
    });
    if (projection.window === null) expect(own?.spec, where).toEqual(projection.spec);
    expect(series.computing, where).toBe(false);
  }
  // What was removed meanwhile cannot be renamed or brought back twice: this is said.
  const complaints = toasts
    .filter(({ tone, text }) => tone === 'error' && !/Not renamed|brought back/.test(text))
    .map(({ text, detail }) => `${text} ${detail ?? ''}`);
  if (failed.size === 0) expect(complaints.join('\n'), where).toBe('');
}
