import type { Row } from '../../core/protocol/types.ts';
import { ROW_HEIGHT } from '../timeline/rowLayout.ts';
import { windowAround } from './anchor.ts';
import { type Core, patch, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { addRows, rowAt } from './rowPages.ts';
import type { OpenRow, Selection } from './types.ts';

export interface SelectionActions {
  /** Selects the whole message of a row (a synthetic message by itself); folds are not selectable. */
  selectRow(row: Row): void;
  clearSelection(): void;
  /** Moves the selection by rows and scrolls it into sight. */
  moveSelection(delta: number): Promise<void>;
  /** Selects a message and brings it to the middle of the list. */
  goToMessage(index: number, part?: number): Promise<void>;
  /** Goes to the next row whose fate is not kept. */
  goToChange(direction: 1 | -1): Promise<void>;
  toggleOpen(row: Row): void;
  setOpenHeight(key: string, height: number): void;
}

/** What selecting a row means; null for a fold. */
export function selectionOf(row: Row): Selection | null {
  if (row.kind === 'part') return { kind: 'message', index: row.index, part: row.part };
  if (row.kind === 'synthetic') return { kind: 'synthetic', key: row.key, row: row.row };
  return null;
}

/** True if the row belongs to the selected message. */
export function isSelected(selection: Selection | null, row: Row): boolean {
  if (!selection) return false;
  if (selection.kind === 'synthetic') return row.kind === 'synthetic' && row.key === selection.key;
  return row.kind === 'part' && row.index === selection.index;
}

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
    height: ROW_HEIGHT * 4,
  };
  return [...rest, opened].sort((a, b) => a.row - b.row);
}

export function selectionActions(core: Core): SelectionActions {
  const get = () => core.store.getState();

  const select = (row: Row) => {
    const selection = selectionOf(row);
    if (!selection) return;
    core.store.setState({ selection });
    patch(core, 'projection', { selectionRow: row.row });
  };

  /** Shows row `row` at `offset`, its rows fetched first so that nothing blank is seen. */
  const show = async (row: number, offset: number): Promise<Row | null> => {
    const { pages } = get().projection;
    if (pages.projectionId === null) return null;
    if (rowAt(pages, row)?.stale !== false) {
      const around = windowAround(row, row + 1, 60);
      const window = await core.engine.call('projection.rows', { projectionId: pages.projectionId, ...around });
      patch(core, 'projection', { pages: addRows(get().projection.pages, window) });
    }
    const { scroll } = get().projection;
    patch(core, 'projection', { scroll: { seq: scroll.seq + 1, row, offset } });
    return rowAt(get().projection.pages, row)?.row ?? null;
  };

  const middle = () => Math.max(0, Math.floor(core.viewport.height / 2 / ROW_HEIGHT) * ROW_HEIGHT);

  const guarded = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (thrown) {
      toast(core, { tone: 'error', text: toProtocolError(thrown).message });
    }
  };

  const goTo = async (row: number) => {
    const inSight = row > core.viewport.from && row < core.viewport.to - 1;
    const held = rowAt(get().projection.pages, row);
    const found = inSight && held && !held.stale ? held.row : await show(row, middle());
    if (found) select(found);
  };

  return {
    selectRow: select,
    clearSelection() {
      core.store.setState({ selection: null });
      patch(core, 'projection', { selectionRow: null });
    },
    moveSelection: (delta) =>
      guarded(async () => {
        const { pages, selectionRow } = get().projection;
        const start = selectionRow ?? (delta > 0 ? core.viewport.from - 1 : core.viewport.to);
        const row = Math.max(0, Math.min(pages.total - 1, start + delta));
        const { viewport } = core;
        const held = rowAt(pages, row);
        if (held && !held.stale && row > viewport.from && row < viewport.to - 1) return select(held.row);
        const below = row >= viewport.to - 1;
        const { height } = viewport;
        const found = await show(
          row,
          Math.abs(delta) > 20 ? middle() : below ? Math.max(0, height - ROW_HEIGHT * 2) : ROW_HEIGHT,
        );
        if (found) select(found);
      }),
    goToMessage: (index, part = 0) =>
      guarded(async () => {
        const { projectionId } = get().projection.pages;
        if (projectionId === null) return;
        const { row } = await core.engine.call('projection.rowOf', { projectionId, index, part });
        core.store.setState({ selection: { kind: 'message', index, part } });
        await goTo(row);
      }),
    goToChange: (direction) =>
      guarded(async () => {
        const { pages, selectionRow } = get().projection;
        if (pages.projectionId === null) return;
        const from = selectionRow ?? core.viewport.topRow;
        const call = { projectionId: pages.projectionId, row: from, direction };
        const { row } = await core.engine.call('projection.nextChange', call);
        if (row === null)
          toast(core, { tone: 'info', text: `No change ${direction === 1 ? 'below' : 'above'} this row.` });
        else await goTo(row);
      }),
    toggleOpen(row) {
      patch(core, 'projection', { open: toggled(get().projection.open, row) });
    },
    setOpenHeight(key, height) {
      const { open } = get().projection;
      if (!open.some((one) => one.key === key && Math.abs(one.height - height) >= 1)) return;
      patch(core, 'projection', { open: open.map((one) => (one.key === key ? { ...one, height } : one)) });
    },
  };
}
