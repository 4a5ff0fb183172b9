import { CHANGED, FORGOTTEN } from '../../core/protocol/codes.ts';
import type { Row } from '../../core/protocol/types.ts';
import { windowAround } from './anchor.ts';
import { type Core, patch, rowLayout, showTimeline, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { addRows, rowAt } from './rowPages.ts';
import type { OpenRow, Selection } from './types.ts';

export interface SelectionActions {
  /** Selects the whole message of a row (a synthetic message and a fold by themselves). */
  selectRow(row: Row): void;
  clearSelection(): void;
  /** Moves the selection by rows and scrolls it into sight. */
  moveSelection(delta: number): Promise<void>;
  /** Selects a message and brings it to the middle of the list. */
  goToMessage(index: number, part?: number): Promise<void>;
  /** Selects what is in a row of the shown projection, and brings it into sight. */
  goToRow(row: number): Promise<void>;
  /** Goes to the next row whose fate is not kept. */
  goToChange(direction: 1 | -1): Promise<void>;
  /** Goes to the next row with that fate, behind the last one to the first. */
  goToFate(fate: Exclude<Row['fate'], 'kept' | 'future'>): Promise<void>;
  toggleOpen(row: Row): void;
  /** What an opened row has below its line, in px. */
  setOpenHeight(key: string, below: number): void;
}

/** What selecting a row means. */
export function selectionOf(row: Row): Selection {
  if (row.kind === 'part') return { kind: 'message', index: row.index, part: row.part };
  if (row.kind === 'synthetic') return { kind: 'synthetic', key: row.key, row: row.row };
  return { kind: 'fold', index: row.index, to: row.to ?? row.index + 1 };
}

/** True if the row belongs to the selected message. */
export function isSelected(selection: Selection | null, row: Row): boolean {
  if (!selection) return false;
  if (selection.kind === 'synthetic') return row.kind === 'synthetic' && row.key === selection.key;
  return row.kind === (selection.kind === 'fold' ? 'fold' : 'part') && row.index === selection.index;
}

/** True if the row is a fold that a message is in. */
export function foldHolds(row: Row | null | undefined, index: number): row is Row & { readonly kind: 'fold' } {
  return row?.kind === 'fold' && row.index <= index && index < (row.to ?? row.index);
}

/** Px below the line of a row that was just opened, until they are measured. */
const BELOW = 72;

/** Opens a closed row, closes an open one; ascending by row. */
export function toggled(open: readonly OpenRow[], row: Row): readonly OpenRow[] {
  const rest = open.filter((one) => one.key !== row.key);
  if (rest.length < open.length || row.kind === 'fold') return rest;
  const opened: OpenRow = {
    key: row.key,
    kind: row.kind,
    index: row.index,
    part: row.part,
    row: row.row,
    below: BELOW,
  };
  return [...rest, opened].sort((a, b) => a.row - b.row);
}

/** Something the person did with the selection, as long as its answers are on their way. */
interface Turn {
  /** Nothing was done with the selection since, and the transcript is still open. */
  isLast(): boolean;
  /** The person has not scrolled since. */
  mayScroll(): boolean;
}

/** The projection that was asked is not at hand any more. */
const GONE: readonly string[] = [CHANGED, FORGOTTEN];

/** What selecting needs of the projection. */
export interface SelectionNeeds {
  /** Shows what is set again; it carries out what is asked of the list. */
  reproject(): void;
  /** Opens a folded run: source span, end exclusive. */
  unfold(from: number, to: number): void;
}

export function selectionActions(core: Core, { reproject, unfold }: SelectionNeeds): SelectionActions {
  const get = () => core.store.getState();
  let turns = 0;
  /** The row that moves are under way to: the next move continues from there. */
  let bound: { readonly projectionId: string; readonly row: number } | null = null;

  const begin = (): Turn => {
    const mine = ++turns;
    const { visit, scrolls } = core;
    bound = null;
    return { isLast: () => turns === mine && core.visit === visit, mayScroll: () => core.scrolls === scrolls };
  };

  const select = (row: Row) => {
    core.store.setState({ selection: selectionOf(row) });
    patch(core, 'projection', { selectionRow: row.row });
  };

  /** Shows row `row` at `offset`, its rows fetched first so that nothing blank is seen; null = it did not come to that. */
  const show = async (row: number, offset: number, turn: Turn): Promise<Row | null> => {
    const { pages } = get().projection;
    const { projectionId } = pages;
    if (projectionId === null) return null;
    if (rowAt(pages, row)?.stale !== false) {
      const window = await core.engine.call('projection.rows', { projectionId, ...windowAround(row, row + 1, 60) });
      if (!turn.isLast()) return null;
      if (get().projection.pages.projectionId !== projectionId) {
        // Numbers of rows are another projection's by now; the row that was meant may stand elsewhere.
        const meant = window.rows.find((one) => one.row === row);
        if (meant?.kind === 'part') await bring(meant.index, meant.part, turn);
        return null;
      }
      patch(core, 'projection', { pages: addRows(get().projection.pages, window) });
    }
    const { scroll, pages: now } = get().projection;
    if (turn.mayScroll()) patch(core, 'projection', { scroll: { seq: scroll.seq + 1, row, offset } });
    return rowAt(now, row)?.row ?? null;
  };

  const middle = () => {
    const { line } = rowLayout(core);
    return Math.max(0, Math.floor(core.viewport.height / 2 / line) * line);
  };

  /** Runs what the person asks for; its failure is said unless they have gone on to something else. */
  const guarded = async (run: (turn: Turn) => Promise<void>) => {
    const turn = begin();
    try {
      await run(turn);
    } catch (thrown) {
      const { code, message } = toProtocolError(thrown);
      if (turn.isLast() && !GONE.includes(code)) toast(core, { tone: 'error', text: message });
    }
  };

  const goTo = async (row: number, turn: Turn): Promise<Row | null> => {
    const inSight = row > core.viewport.from && row < core.viewport.to - 1;
    const held = rowAt(get().projection.pages, row);
    return inSight && held && !held.stale ? held.row : await show(row, middle(), turn);
  };

  /** Selects a message and brings it into sight, in whatever projection is shown by then. */
  const bring = async (index: number, part: number, turn: Turn): Promise<void> => {
    const selection: Selection = { kind: 'message', index, part };
    for (;;) {
      const { projectionId } = get().projection.pages;
      const row = projectionId === null ? null : await rowIn(projectionId, index, part);
      if (!turn.isLast()) return;
      if (row !== null && get().projection.pages.projectionId !== projectionId) continue;
      core.store.setState({ selection });
      if (row === null) {
        // Nothing is at hand to look it up in: the next projection brings it into sight.
        core.landing = 'reveal';
        if (!get().session.opening) reproject();
        return;
      }
      patch(core, 'projection', { selectionRow: row });
      const found = await goTo(row, turn);
      if (foldHolds(found, index) && turn.isLast()) {
        core.landing = 'reveal';
        unfold(found.index, found.to ?? found.index);
        return;
      }
      // Dropped where ghosts are not shown, it is selected all the same.
      if (found?.kind === 'part' && found.index === index && turn.isLast()) select(found);
      return;
    }
  };

  const rowIn = async (projectionId: string, index: number, part: number): Promise<number | null> => {
    try {
      return (await core.engine.call('projection.rowOf', { projectionId, index, part })).row;
    } catch (thrown) {
      if (GONE.includes(toProtocolError(thrown).code)) return null;
      throw thrown;
    }
  };

  return {
    selectRow(row) {
      begin();
      select(row);
    },
    clearSelection() {
      begin();
      core.store.setState({ selection: null });
      patch(core, 'projection', { selectionRow: null });
    },
    moveSelection(delta) {
      const before = bound;
      return guarded(async (turn) => {
        const { pages, selectionRow } = get().projection;
        const { viewport } = core;
        const isUnderWay = before !== null && before.projectionId === pages.projectionId;
        const from = isUnderWay ? before.row : selectionRow;
        const start = from ?? (delta > 0 ? viewport.from - 1 : viewport.to);
        const row = Math.max(0, Math.min(pages.total - 1, start + delta));
        const held = rowAt(pages, row);
        if (held && !held.stale && row > viewport.from && row < viewport.to - 1) return select(held.row);
        if (pages.projectionId !== null) bound = { projectionId: pages.projectionId, row };
        const below = row >= viewport.to - 1;
        const { line } = rowLayout(core);
        const offset = below ? Math.max(0, viewport.height - line * 2) : line;
        const found = await show(row, Math.abs(delta) > 20 ? middle() : offset, turn);
        if (!turn.isLast()) return;
        bound = null;
        if (found) select(found);
      });
    },
    goToMessage: (index, part = 0) =>
      guarded(async (turn) => {
        if (get().session.id === null) return;
        showTimeline(core);
        await bring(index, part, turn);
      }),
    goToRow: (row) =>
      guarded(async (turn) => {
        const found = await goTo(row, turn);
        if (found && turn.isLast()) select(found);
      }),
    goToChange: (direction) =>
      guarded(async (turn) => {
        const { pages, selectionRow } = get().projection;
        const { projectionId } = pages;
        if (projectionId === null) return;
        const from = selectionRow ?? core.viewport.topRow;
        const { row } = await core.engine.call('projection.nextChange', { projectionId, row: from, direction });
        // What changes in a projection that is gone is not an answer.
        if (!turn.isLast() || get().projection.pages.projectionId !== projectionId) return;
        if (row === null) {
          toast(core, { tone: 'info', text: `No change ${direction === 1 ? 'below' : 'above'} this row.` });
          return;
        }
        const found = await goTo(row, turn);
        if (found && turn.isLast()) select(found);
      }),
    goToFate: (fate) =>
      guarded(async (turn) => {
        const { pages, selectionRow } = get().projection;
        const { projectionId } = pages;
        if (projectionId === null) return;
        const next = async (row: number) =>
          (await core.engine.call('projection.nextChange', { projectionId, row, direction: 1, fate })).row;
        // Behind the last one the first.
        const row = (await next(selectionRow ?? core.viewport.topRow - 1)) ?? (await next(-1));
        if (row === null || !turn.isLast() || get().projection.pages.projectionId !== projectionId) return;
        const found = await goTo(row, turn);
        if (found && turn.isLast()) select(found);
      }),
    toggleOpen(row) {
      patch(core, 'projection', { open: toggled(get().projection.open, row) });
    },
    setOpenHeight(key, below) {
      const { open } = get().projection;
      if (!open.some((one) => one.key === key && Math.abs(one.below - below) >= 1)) return;
      patch(core, 'projection', { open: open.map((one) => (one.key === key ? { ...one, below } : one)) });
    },
  };
}
