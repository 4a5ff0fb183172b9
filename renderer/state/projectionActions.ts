// A change of policy, call point, fold or window goes to the engine as one `projection.set` with the rows in sight, and
// comes back as one store update: rows, numbers, hash and place of the list change in the same frame.

import type { ProjectionSpec } from '../../core/projection/types.ts';
import { CHANGED, FORGOTTEN } from '../../core/protocol/codes.ts';
import type { Params } from '../../core/protocol/methods.ts';
import type { ProjectionInfo, Row } from '../../core/protocol/types.ts';
import { inSight, rowTop } from '../ui/rowLayout.ts';
import { type Anchor, chooseAnchor, findByKey, windowAround } from './anchor.ts';
import { askedSpec } from './askedSpec.ts';
import { type Core, type Landing, patch, rowLayout } from './core.ts';
import { keepThinking, withoutOverhead } from './editBudget.ts';
import { toProtocolError } from './engine.ts';
import { rowsFilter } from './filterActions.ts';
import { firstMessage, firstPlace } from './firstPlace.ts';
import { RAW_SPEC } from './initial.ts';
import { type LatestWins, latestWins } from './latestWins.ts';
import {
  addRows,
  BLOCK,
  holdsRows,
  missingPages,
  NEAR,
  PAGE_SIZE,
  type RowPages,
  rowAt,
  startPages,
} from './rowPages.ts';
import { leaveEnd, noteShown, standsAtEnd } from './tail.ts';
import type { Layout, OpenRow, PolicyStep, ProjectionState, ScrollOrder, Selection, TriedChange } from './types.ts';

/** Pages that are not in sight wait until the projection was shown for so long: a slider makes many that live shorter. */
const READ_AHEAD_MS = 400;
/** Messages of a session whose figures, which recorded usage must be read for, take longer than its rows. */
const LONG_SESSION = 20_000;
const HISTORY = 100;

type Change = Partial<ProjectionState>;

export interface ProjectionActions {
  /** Shows another policy; the overhead it brings is the session's from then on. `replace` keeps the undo history as it is (for the values of one slider drag but the first). */
  setSpec(spec: ProjectionSpec, history?: 'push' | 'replace'): void;
  /** Another policy; what it says of the overhead holds only where nothing is said of the session's. */
  setPolicy(spec: ProjectionSpec): void;
  /** Says what every request of the session holds that is not recorded; 0 = nothing. A step of its own for undo. Unit: tokens. */
  setOverhead(tokens: number): void;
  /** The policy, window and tokenizer of the transcript shown before, for this one too. */
  takeOver(): void;
  undoSpec(): void;
  /** Notes that the policy holds a change which is only tried; null = it is kept. */
  setTried(tried: TriedChange | null): void;
  /** Takes back the change that is tried. */
  takeBackTried(): void;
  redoSpec(): void;
  /** Moves to a call point; null = the next request. */
  setAt(at: number | null): void;
  /** Moves by call points or turns; clamps at the ends. */
  step(delta: number, by: 'call' | 'turn'): Promise<void>;
  /** To the last row of the next request. */
  goToEnd(): void;
  setFold(fold: boolean): void;
  /** Opens one folded run: source span, end exclusive. */
  unfold(from: number, to: number): void;
  /** Folds again what was opened. */
  foldAgain(): void;
  /** The Model view has its own rows (no ghosts), so that a change to or from it asks for rows again. */
  setLayout(layout: Layout): void;
  setWindow(window: number | null): void;
  setTokenizer(tokenizer: string | null): void;
  /** Window and tokenizer of the transcript's model. */
  goByModel(): void;
  /** Asks for the rows again, under another filter: what was unfolded is folded again. */
  refilter(): void;
  /** Projects again with what is set now (the transcript grew, or was just opened). */
  reproject(): void;
  /** Fetches what is missing of rows [from, to), and, once the projection has rested, a page ahead in the reading direction. */
  ensureRows(from: number, to: number, direction: 1 | -1): void;
  /** The last row is in sight: nothing is new any more. */
  sawEnd(): void;
  /** The last row has gone out of sight. */
  leftEnd(): void;
  /** The person scrolls: what was asked of the list before does not move it any more. */
  scrolledByHand(): void;
}

/** `onNew` is called when spec, tokenizer or transcript changed, so that derived figures (series) start again. */
export function projectionActions(core: Core, onNew: () => void): ProjectionActions {
  const get = () => core.store.getState();
  const queue: LatestWins<void> = latestWins(() => project(core, queue.waits, () => again({}, false)));
  const loading = new Set<string>();
  let readAhead: ReturnType<typeof setTimeout> | undefined;
  /** Since when (performance.now()) rows of the newest projection are asked for. */
  let shown: { readonly projectionId: string | null; readonly since: number } = { projectionId: null, since: 0 };
  /** Grows whenever the call point is moved to another than that a step has led to. */
  let jumps = 0;
  let steps = Promise.resolve();

  const again = (change: Change, isNew: boolean) => {
    patch(core, 'projection', { ...change, pending: get().session.id !== null });
    if (get().session.id === null) return;
    queue.push();
    if (isNew) onNew();
  };

  /** `overhead` null = as it was said to be. */
  const choose = (spec: ProjectionSpec, overhead: number | null, history: 'push' | 'replace', more: Change = {}) => {
    const { projection, session } = get();
    const isOther = overhead !== null && overhead !== session.overhead;
    if (isOther) patch(core, 'session', { overhead });
    if (history === 'replace') return again({ spec, chosen: true, ...more }, true);
    const step = { spec: projection.spec, overhead: isOther ? session.overhead : null };
    again({ spec, chosen: true, past: [...projection.past.slice(1 - HISTORY), step], future: [], ...more }, true);
  };

  /** Goes to a step of the history; `change` = what becomes of the history, with the step that leads back. */
  const stepTo = ({ spec, overhead }: PolicyStep, change: (back: PolicyStep) => Change) => {
    const { projection, session } = get();
    const back = { spec: projection.spec, overhead: overhead === null ? null : session.overhead };
    if (overhead !== null) patch(core, 'session', { overhead });
    again({ spec, chosen: true, ...change(back) }, true);
  };

  const undoSpec = () => {
    const { past, future } = get().projection;
    const before = past.at(-1);
    if (before) stepTo(before, (back) => ({ past: past.slice(0, -1), future: [back, ...future] }));
  };

  const goToCallPoint = (at: number | null) => {
    followIfFree(core);
    if (at !== null) leaveEnd(core);
    again({ at }, false);
  };

  /** Steps from where the step before has led to; not if the person has gone elsewhere since. */
  const stepOn = async (delta: number, by: 'call' | 'turn', isWanted: () => boolean) => {
    const { session, projection } = get();
    const at = projection.at ?? session.info?.messages;
    if (!isWanted() || session.id === null || at === undefined) return;
    try {
      const next = await core.engine.call('transcript.step', { id: session.id, at, delta, by });
      if (!isWanted()) return;
      const messages = get().session.info?.messages ?? Number.POSITIVE_INFINITY;
      goToCallPoint(next.at >= messages ? null : next.at);
    } catch (thrown) {
      const error = toProtocolError(thrown);
      if (isWanted() && error.code !== CHANGED) patch(core, 'projection', { error });
    }
  };

  return {
    setSpec: (spec, history = 'push') => choose(withoutOverhead(spec), spec.budget?.overhead ?? null, history),
    setPolicy(spec) {
      const { projection, session } = get();
      const said = session.overhead === 0 ? (spec.budget?.overhead ?? null) : null;
      choose(keepThinking(withoutOverhead(spec), projection.spec), said, 'push');
    },
    setOverhead: (tokens) => choose(get().projection.spec, tokens, 'push'),
    takeOver() {
      const { elsewhere, spec: old } = get().projection;
      if (elsewhere === null) return;
      const { spec, window, tokenizer } = elsewhere.choice;
      if (spec === null) return again({ window, tokenizer }, true);
      choose(keepThinking(spec, old), null, 'push', { window, tokenizer });
    },
    undoSpec,
    setTried: (tried) => patch(core, 'projection', { tried }),
    takeBackTried() {
      const { tried, past, spec } = get().projection;
      if (tried === null || tried.after !== JSON.stringify(spec.stages)) return;
      const before = past.at(-1);
      const isStepBack = JSON.stringify(before?.spec.stages) === JSON.stringify(tried.base.stages);
      if (isStepBack) undoSpec();
      else choose(withoutOverhead(tried.base), null, 'push');
      patch(core, 'projection', { tried: null });
    },
    redoSpec() {
      const { past, future } = get().projection;
      const next = future[0];
      if (next) stepTo(next, (back) => ({ past: [...past, back], future: future.slice(1) }));
    },
    setAt(at) {
      jumps++;
      goToCallPoint(at);
    },
    goToEnd() {
      jumps++;
      core.landing = 'end';
      core.accounted = get().session.info?.messages ?? 0;
      patch(core, 'session', { fresh: 0 });
      again({ at: null }, false);
    },
    step(delta, by) {
      const asked = { visit: core.visit, jumps };
      steps = steps.then(() => stepOn(delta, by, () => core.visit === asked.visit && jumps === asked.jumps));
      return steps;
    },
    setFold(fold) {
      patch(core, 'ui', { fold });
      again({ unfold: [] }, false);
    },
    unfold(from, to) {
      const { selection, projection } = get();
      // Who was at the fold is at the first of its messages.
      const isAt = selection?.kind === 'fold' && selection.index === from;
      if (isAt) core.store.setState({ selection: { kind: 'message', index: from, part: 0 } });
      again({ unfold: [...projection.unfold, { from, to }] }, false);
    },
    foldAgain: () => again({ unfold: [] }, false),
    setLayout(layout) {
      const before = get().ui.layout;
      patch(core, 'ui', { mode: 'timeline', layout });
      if ((before === 'model') !== (layout === 'model')) again({}, false);
    },
    setWindow: (window) => again({ window }, true),
    setTokenizer: (tokenizer) => again({ tokenizer }, true),
    goByModel: () => again({ window: null, tokenizer: null }, true),
    refilter: () => again({ unfold: [] }, false),
    reproject: () => again({}, true),
    sawEnd() {
      if (get().session.fresh > 0) patch(core, 'session', { fresh: 0 });
    },
    leftEnd: () => leaveEnd(core),
    scrolledByHand() {
      // While nothing is shown yet there is nothing to scroll: what is opened stands where it is to.
      if (get().projection.pages.projectionId === null) return;
      core.scrolls++;
      core.landing = 'keep';
    },
    ensureRows(from, to, direction) {
      const load = (first: number, end: number) => {
        for (const page of missingPages(get().projection.pages, first, end, direction)) {
          void loadPage(core, page, loading, () => again({}, false));
        }
      };
      const { pages, info } = get().projection;
      clearTimeout(readAhead);
      // What happened is shown until it is known what the model sees, whose rows come with it.
      if (info === null) {
        const { viewport } = core;
        if (!holdsRows(pages, viewport.from, viewport.to)) load(viewport.from, viewport.to);
        return;
      }
      if (!holdsRows(pages, from, to)) load(from, to);
      const isNew = pages.projectionId !== shown.projectionId;
      if (isNew) shown = { projectionId: pages.projectionId, since: performance.now() };
      const ahead = () => (direction === 1 ? load(from, to + PAGE_SIZE) : load(from - PAGE_SIZE, to));
      const wait = shown.since + READ_AHEAD_MS - performance.now();
      if (wait <= 0) ahead();
      else readAhead = setTimeout(ahead, wait);
    },
  };
}

/** With nothing selected the list goes along with the call point; a selection is what the reader looks at, and stays. */
function followIfFree(core: Core): void {
  if (core.store.getState().selection === null) core.landing = 'follow';
}

/** Rows asked for at least: a list that is not on screen yet does not know how many it will show. */
const FEWEST_IN_SIGHT = 24;
/** The engine has turned to something newer that this client asked for. */
const SUPERSEDED = 'request.superseded';

/** Fetches one page unless it is already on its way; late pages of an old projection are dropped by addRows. */
async function loadPage(core: Core, page: number, loading: Set<string>, renew: () => void): Promise<void> {
  const { projectionId } = core.store.getState().projection.pages;
  if (projectionId === null) return;
  const key = `${projectionId}/${page}`;
  if (loading.has(key)) return;
  loading.add(key);
  try {
    const range = { from: page * PAGE_SIZE, to: (page + 1) * PAGE_SIZE };
    const window = await core.engine.call('projection.rows', { projectionId, ...range });
    const { pages } = core.store.getState().projection;
    patch(core, 'projection', { pages: addRows(pages, window) });
  } catch (thrown) {
    // A page of a projection that is no longer shown may fail: nobody waits for it.
    if (core.store.getState().projection.pages.projectionId !== projectionId) return;
    const error = toProtocolError(thrown);
    if (error.code === FORGOTTEN) renew();
    else if (error.code !== CHANGED) patch(core, 'projection', { error });
  } finally {
    loading.delete(key);
  }
}

/**
 * Rows asked for around the place where a transcript opens. Of those that are about to be replaced as many as the list draws, in
 * blocks, if it is on screen: before that it does not know how many it will show.
 */
function marginOf(core: Core, isProvisional: boolean): { readonly before: number; readonly after: number } {
  const seen = Math.ceil(core.viewport.height / rowLayout(core).line);
  const margin = isProvisional && core.screen.isHeld ? seen + BLOCK : 2 * NEAR;
  return { before: margin, after: margin };
}

/** One round: ask, find the new places of anchor, selection and opened rows, show all at once. */
async function project(core: Core, isOutdated: () => boolean, renew: () => void): Promise<void> {
  const { session, projection, selection, ui } = core.store.getState();
  const id = session.id;
  if (id === null) return;
  const filter = rowsFilter(core.store.getState());
  const { visit, scrolls } = core;
  const isHere = () => core.visit === visit;
  // What is asked of the list belongs to this round: what is asked for while it runs belongs to the next.
  let { landing } = core;
  core.landing = 'keep';
  try {
    const { viewport } = core;
    const params: Omit<Params<'projection.set'>, 'spec' | 'rows' | 'hash'> = {
      id,
      at: projection.at,
      window: projection.window,
      tokenizer: projection.tokenizer,
      fold: ui.fold,
      foldGone: true,
      unfold: projection.unfold,
      ...(selection?.kind === 'message' && { visible: selection.index }),
      ghosts: ui.layout !== 'model',
      ...(filter && { filter }),
    };
    const showIt = async (spec: ProjectionSpec, isProvisional: boolean) => {
      const first = landing === 'first' ? firstMessage(core) : null;
      const rows =
        first === null
          ? { rows: windowAround(viewport.from, Math.max(viewport.to, viewport.from + FEWEST_IN_SIGHT), NEAR) }
          : { around: { index: first, ...marginOf(core, isProvisional) } };
      const hash = isProvisional ? 'none' : 'later';
      const info = await core.engine.call('projection.set', { ...params, ...rows, spec, hash });
      if (!isHere()) return;
      const round: Round = {
        info,
        isProvisional,
        landing: () => (core.scrolls === scrolls ? landing : 'keep'),
        isHere,
        isOutdated,
      };
      await land(core, round);
      // What the model sees is where it opens; until that is known, the same place of what happened.
      if (landing !== 'first' || !isProvisional) landing = 'keep';
      if (info.prefixHash === null && !isProvisional) void awaitHash(core, info.projectionId, renew);
    };
    // A transcript just opened shows what happened at once; what the model sees of it may take a second more.
    const isFirst = projection.pages.projectionId === null;
    const isLong = (session.info?.messages ?? 0) >= LONG_SESSION;
    if (isFirst && (projection.spec.stages.length > 0 || isLong)) await showIt(RAW_SPEC, true);
    if (isHere()) await showIt(askedSpec({ projection, session }), false);
  } catch (thrown) {
    const error = toProtocolError(thrown);
    if (!isHere()) return;
    // Everybody projects again after a change, and a newer question is as good: what was asked of the list is still to be done.
    const isAgain = error.code === CHANGED || isOutdated();
    if (isAgain && core.landing === 'keep' && core.scrolls === scrolls) core.landing = landing;
    if (!isAgain) patch(core, 'projection', { pending: false, error });
  }
}

/** The prefix hash of a long transcript takes longer than its rows: it comes in when it is there, if it is still wanted. */
async function awaitHash(core: Core, projectionId: string, renew: () => void): Promise<void> {
  const shown = () => {
    const { info } = core.store.getState().projection;
    return info?.projectionId === projectionId ? info : null;
  };
  try {
    const { prefixHash } = await core.engine.call('projection.hash', { projectionId });
    const info = shown();
    if (info) patch(core, 'projection', { info: { ...info, prefixHash } });
  } catch (thrown) {
    const error = toProtocolError(thrown);
    if (!shown()) return;
    if (error.code === FORGOTTEN) renew();
    // The next projection brings its own.
    else if (error.code !== SUPERSEDED && error.code !== CHANGED) patch(core, 'projection', { error });
  }
}

/** How often places are looked up again for a reader who scrolls on meanwhile; then the list stays where it is. */
const LOOKS = 4;

/** What an answer needs to know of the reader: as long as it is the same, places that were looked up are right. */
interface Reader {
  readonly selection: Selection | null;
  readonly open: readonly OpenRow[];
  readonly topRow: number;
  readonly topOffset: number;
  /** What is there; while its page is on its way a row of the projection before. */
  readonly topKey: string | null;
  readonly isAtEnd: boolean;
}

function readerOf(core: Core): Reader {
  core.viewport.look();
  const { selection, projection } = core.store.getState();
  const { topRow, topOffset } = core.viewport;
  const topKey = rowAt(projection.pages, topRow)?.row.key ?? null;
  return { selection, open: projection.open, topRow, topOffset, topKey, isAtEnd: standsAtEnd(core) };
}

/** Where everything is in a new projection. */
interface Places {
  readonly pages: RowPages;
  /** What is selected with it; absent = what was. */
  readonly selection?: Selection | null;
  readonly selectionRow: number | null;
  readonly open: readonly OpenRow[];
  readonly target: Omit<ScrollOrder, 'seq'> | null;
}

/** An answer, and what was asked for with it. */
interface Round {
  readonly info: ProjectionInfo;
  readonly isProvisional: boolean;
  /** What it does to the list, as long as the reader has not moved it by hand. */
  landing(): Landing;
  /** The transcript was not left meanwhile. */
  isHere(): boolean;
  /** Something newer waits to be asked. */
  isOutdated(): boolean;
}

/** Shows an answer. Of a provisional one only the rows: its figures are not those that were asked for. */
async function land(core: Core, round: Round): Promise<void> {
  for (let look = 1; ; look++) {
    const reader = readerOf(core);
    const landing = round.landing();
    const places = await findPlaces(core, round, landing, reader);
    if (!round.isHere()) return;
    const now = readerOf(core);
    const isSame = now.selection === reader.selection && now.open === reader.open && round.landing() === landing;
    const isSameRow = now.topRow === reader.topRow && now.topKey === reader.topKey;
    const isThere = isSameRow && now.topOffset === reader.topOffset && now.isAtEnd === reader.isAtEnd;
    if (isSame && isThere) return show(core, round, places, reader);
    if (isSame && look >= LOOKS) return show(core, round, { ...places, target: null }, now);
  }
}

function show(core: Core, { info, isProvisional, isOutdated }: Round, places: Places, { isAtEnd }: Reader): void {
  const { target, selection, ...shown } = places;
  const { scroll } = core.store.getState().projection;
  // The list moves and reports with the next frame; the next answer may be here before, and must find it where it will
  // stand.
  if (target) {
    const { viewport } = core;
    const layout = rowLayout(core, shown.open);
    const top = rowTop(target.row, layout) - target.offset;
    Object.assign(viewport, inSight(top, viewport.height, info.rowCount, layout));
  }
  if (!isProvisional) noteShown(core, info, isAtEnd);
  if (selection) core.store.setState({ selection });
  patch(core, 'projection', {
    ...(isProvisional ? {} : { info, pending: isOutdated(), error: null }),
    ...shown,
    scroll: target ? { ...target, seq: scroll.seq + 1 } : scroll,
  });
}

async function findPlaces(
  core: Core,
  { info, isProvisional }: Round,
  landing: Landing,
  reader: Reader,
): Promise<Places> {
  const { projection } = core.store.getState();
  let pages = startPages(projection.pages, info.projectionId, info.rowCount, info.rows);
  const rows = info.rows?.rows ?? [];
  const first = landing === 'first' && reader.selection === null ? await firstPlace(core, info) : null;
  const selection = isProvisional ? null : (first?.selection ?? null);
  const selectionRow =
    selection?.kind === 'synthetic'
      ? selection.row
      : await placeSelection(core, info, rows, selection ?? reader.selection);
  const target = first?.target ?? (await placeList(core, info, rows, landing, reader, selectionRow));
  if (info.rowCount > 0 && rowAt(pages, target?.row ?? 0)?.stale !== false) {
    const around = windowAround(target?.row ?? 0, (target?.row ?? 0) + 1, NEAR);
    pages = addRows(pages, await core.engine.call('projection.rows', { projectionId: info.projectionId, ...around }));
  }
  const open = await Promise.all(reader.open.map((one) => placeOpen(core, info.projectionId, rows, one)));
  const opened = open.filter((one) => one !== null).sort((a, b) => a.row - b.row);
  return { pages, ...(selection && { selection }), selectionRow, open: opened, target };
}

/** Where the list must stand, by what was asked of it; null = where it is. */
async function placeList(
  core: Core,
  info: ProjectionInfo,
  rows: readonly Row[],
  landing: Landing,
  reader: Reader,
  selectionRow: number | null,
): Promise<Omit<ScrollOrder, 'seq'> | null> {
  const { projection, session } = core.store.getState();
  const { height } = core.viewport;
  const { line } = rowLayout(core);
  const before = projection.info?.transcriptId === info.transcriptId ? projection.info.at : info.at;
  const isGrown = reader.isAtEnd && info.at > before;
  if (landing === 'reveal' && selectionRow !== null)
    return { row: selectionRow, offset: wholeRows(height * 0.4, line) };
  if ((landing === 'end' || (landing === 'keep' && isGrown)) && info.rowCount > 0) {
    return { row: info.rowCount - 1, offset: wholeRows(height - line, line) };
  }
  if (typeof landing === 'object') {
    const { index, part, offset } = landing;
    const row = await place(core, info.projectionId, rows, { key: `m${index}.${part}`, index, part });
    return { row, offset, isFixed: true };
  }
  const messages = session.info?.messages ?? 0;
  if (landing === 'follow' && messages > 0) {
    const index = Math.min(info.at, messages - 1);
    const row = await place(core, info.projectionId, rows, { key: `m${index}.0`, index, part: 0 });
    return { row, offset: wholeRows(height * 0.7, line) };
  }
  const { pages, open, selectionRow: selected } = projection;
  const anchor = chooseAnchor(pages, core.viewport, selected, (row) => rowTop(row, { line, open }));
  if (!anchor) return null;
  return { row: await place(core, info.projectionId, rows, anchor), offset: anchor.offset };
}

/** The largest number of px up to `px` that cuts no row at the top. */
function wholeRows(px: number, line: number): number {
  return Math.floor(px / line) * line;
}

/** Row number of something in the new projection: from the rows at hand, else asked for. */
async function place(
  core: Core,
  projectionId: string,
  rows: readonly Row[],
  what: Pick<Anchor, 'key' | 'index' | 'part'>,
): Promise<number> {
  const found = findByKey(rows, what.key);
  if (found) return found.row;
  const answer = await core.engine.call('projection.rowOf', { projectionId, index: what.index, part: what.part });
  return answer.row;
}

async function placeSelection(
  core: Core,
  info: ProjectionInfo,
  rows: readonly Row[],
  selection: Selection | null,
): Promise<number | null> {
  if (!selection) return null;
  if (selection.kind === 'synthetic') return findByKey(rows, selection.key)?.row ?? null;
  const { index } = selection;
  if (selection.kind === 'fold') {
    return place(core, info.projectionId, rows, { key: `f${index}-${selection.to}`, index, part: 0 });
  }
  return place(core, info.projectionId, rows, { key: `m${index}.${selection.part}`, index, part: selection.part });
}

/** An opened row stays open where its row is still there; inside a folded run, or gone, it closes. */
async function placeOpen(
  core: Core,
  projectionId: string,
  rows: readonly Row[],
  open: OpenRow,
): Promise<OpenRow | null> {
  const here = findByKey(rows, open.key);
  if (here) return { ...open, row: here.row };
  if (open.kind === 'synthetic') return null;
  const row = await place(core, projectionId, rows, open);
  const window = await core.engine.call('projection.rows', { projectionId, from: row, to: row + 1 });
  return window.rows[0]?.key === open.key ? { ...open, row } : null;
}
