// Filters of rows (docs/filter.md): the one in the filter field, and those kept as named colours in the settings.

import { withPiece } from '../../core/filter/pieces.ts';
import { CHANGED } from '../../core/protocol/codes.ts';
import type { RowsFilter } from '../../core/protocol/types.ts';
import { boolAt, isRecord, numberAt, stringAt } from '../../core/util/unknown.ts';
import { askedSpec } from './askedSpec.ts';
import { type Core, debounce, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import type { AppState, FilterState, NamedColor } from './types.ts';
import { clearPanes } from './uiActions.ts';

export const COLORS_KEY = 'filters.colors';
/** Numbers of colours there are; the first that is free is taken. */
export const COLOR_COUNT = 6;
const TYPED_MS = 200;

export interface FilterActions {
  /** Opens the filter field; with a piece, which both has to hold from then on. */
  openFilter(piece?: string): void;
  /** Closes it: all rows are shown again. */
  closeFilter(): void;
  setFilterText(text: string): void;
  setFilterOthers(others: RowsFilter['others']): void;
  /** Keeps the filter in the field under a name, in place of one of that name. */
  saveColor(name: string): void;
  removeColor(name: string): void;
  toggleColor(name: string): void;
  loadColors(): Promise<void>;
}

/** The filter of rows as it is when one comes from a transcript to another: each has its own. */
export function filterFor(filter: FilterState, from: string | null, to: string | null): FilterState {
  const { isOpen, text, others } = filter;
  const left = new Map(filter.left);
  if (from !== null) left.set(from, { isOpen, text, others });
  const own = (to === null ? undefined : left.get(to)) ?? { isOpen: false, text: '', others };
  return { ...filter, ...own, left };
}

/** `refilter` asks for the rows again. */
export function filterActions(core: Core, refilter: () => void): FilterActions & { stop(): void } {
  const get = () => core.store.getState();
  const set = (change: Partial<FilterState>) =>
    core.store.setState(({ filter }) => ({ filter: { ...filter, ...change } }));
  const soon = debounce(refilter, TYPED_MS);
  const writeColors = (change: (colors: readonly NamedColor[]) => readonly NamedColor[]) => {
    const before = get().filter.colors;
    // Without the list that is stored, a write would lose it.
    if (before === null) return;
    const colors = change(before);
    set({ colors });
    refilter();
    core.engine.call('settings.set', { key: COLORS_KEY, value: colors }).catch((thrown: unknown) => {
      if (get().filter.colors === colors) set({ colors: before });
      toast(core, { tone: 'error', text: 'The colour was not saved.', detail: toProtocolError(thrown).message });
    });
  };
  const preparing = prepareWhenPending(core, refilter);
  return {
    openFilter(piece) {
      const { text } = get().filter;
      clearPanes(core);
      set({ isOpen: true, ...(piece !== undefined && { text: withPiece(text, piece) }) });
      if (piece !== undefined) refilter();
    },
    closeFilter() {
      const { text } = get().filter;
      set({ isOpen: false, text: '' });
      soon.cancel();
      if (text.trim() !== '') refilter();
    },
    setFilterText(text) {
      set({ text });
      soon();
    },
    setFilterOthers(others) {
      set({ others });
      refilter();
    },
    saveColor(name) {
      const { text } = get().filter;
      writeColors((colors) => {
        const rest = colors.filter((one) => one.name !== name);
        const old = colors.find((one) => one.name === name);
        const made = { name, filter: text.trim(), color: old?.color ?? freeColor(rest), isOn: true };
        return [...rest, made].sort((a, b) => a.name.localeCompare(b.name));
      });
    },
    removeColor: (name) => writeColors((colors) => colors.filter((one) => one.name !== name)),
    toggleColor: (name) =>
      writeColors((colors) => colors.map((one) => (one.name === name ? { ...one, isOn: !one.isOn } : one))),
    async loadColors() {
      try {
        const { values } = await core.engine.call('settings.get', {});
        if (get().filter.colors !== null) return;
        const colors = readColors(values[COLORS_KEY]);
        set({ colors });
        if (colors.some(({ isOn }) => isOn) && get().session.id !== null) refilter();
      } catch (thrown) {
        const detail = toProtocolError(thrown).message;
        toast(core, { tone: 'error', text: 'Named colours could not be read.', detail });
      }
    },
    stop() {
      soon.cancel();
      preparing();
    },
  };
}

/** What is asked of the rows; null = nothing. */
export function rowsFilter({ filter }: Pick<AppState, 'filter'>): RowsFilter | null {
  const colors = colorsInUse({ filter }).map(({ name, filter: text }) => ({ name, filter: text }));
  const text = filter.isOpen ? filter.text : '';
  return text.trim() === '' && colors.length === 0 ? null : { text, others: filter.others, colors };
}

/** The colours that are on, in the order of their numbers in rows. */
export function colorsInUse({ filter }: Pick<AppState, 'filter'>): readonly NamedColor[] {
  return (filter.colors ?? []).filter(({ isOn }) => isOn);
}

/** Reads the stored list; an entry that does not read is left out. */
export function readColors(value: unknown): readonly NamedColor[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const name = stringAt(entry, 'name');
    const filter = stringAt(entry, 'filter');
    const color = numberAt(entry, 'color');
    if (!name || !filter || color === undefined || !Number.isInteger(color) || color < 0) return [];
    return [{ name, filter, color: color % COLOR_COUNT, isOn: boolAt(entry, 'isOn') ?? true }];
  });
}

function freeColor(colors: readonly NamedColor[]): number {
  const taken = new Set(colors.map(({ color }) => color));
  const free = Array.from({ length: COLOR_COUNT }, (_, color) => color).find((color) => !taken.has(color));
  return free ?? colors.length % COLOR_COUNT;
}

/** Has words and uses looked for that filters of the projection shown ask for, then asks for the rows again. */
function prepareWhenPending(core: Core, refilter: () => void): () => void {
  let asked: string | null = null;
  return core.store.subscribe((now, before) => {
    const { info } = now.projection;
    if (info === before.projection.info || info?.filter?.isPending !== true || asked === info.projectionId) return;
    const { session, projection } = now;
    const wanted = rowsFilter(now);
    if (session.id === null || wanted === null) return;
    asked = info.projectionId;
    const filters = [wanted.text, ...wanted.colors.map(({ filter }) => filter)];
    const spec = askedSpec({ projection, session });
    core.engine.call('filter.prepare', { id: session.id, spec, filters }).then(refilter, (thrown: unknown) => {
      const error = toProtocolError(thrown);
      if (error.code === 'request.superseded' || error.code === CHANGED) return;
      toast(core, { tone: 'error', text: 'The filter could not be applied.', detail: error.message });
    });
  });
}
