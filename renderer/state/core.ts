import type { StoreApi } from 'zustand/vanilla';
import { ownAt } from '../../core/util/unknown.ts';
import { LINE_HEIGHT, type RowLayout } from '../ui/rowLayout.ts';
import type { EngineClient } from './engine.ts';
import type { ScreenState } from './screenState.ts';
import type { AppState, OpenRow, Toast } from './types.ts';

/** What the list shows now; written by the list on every scroll, read when a projection is asked for. */
export interface Viewport {
  /** First visible row and how many px of it are above the top edge (negative offset of its top). */
  topRow: number;
  topOffset: number;
  /** Rows in sight, end exclusive. */
  from: number;
  to: number;
  atTop: boolean;
  /** The last row of the list that was last drawn is in sight. */
  atEnd: boolean;
  /** Height of the rows' part of the list in px. */
  height: number;
  /** Brings all of this up to date: the event of a scroll comes a frame after it was made. */
  look(): void;
}

/**
 * What the next projection does to the list: `keep` the reader's row where it is, bring the selection into sight
 * (`reveal`), `follow` the call point, are at the `end`, go where an unread transcript opens (`first`), or put a row at a
 * distance from the top, in px.
 */
export type Landing = 'keep' | 'reveal' | 'follow' | 'end' | 'first' | LandingRow;

export interface LandingRow {
  readonly index: number;
  readonly part: number;
  readonly offset: number;
}

/** What every group of actions works with. */
export interface Core {
  /** What the projection that is asked for next does to the list. */
  landing: Landing;
  /** Of a transcript opened where nobody was before: `scrolls` then. As long as it is the same, nobody chose a place. */
  unread: number | null;
  /** Messages of the open transcript that the reader saw come, or was notified of; see tail.ts. */
  accounted: number;
  /** Grows whenever a transcript is opened or left: what was asked before belongs to somewhere else. */
  visit: number;
  /** Grows whenever the person scrolls by hand: what was asked of the list before must not move it any more. */
  scrolls: number;
  readonly store: StoreApi<AppState>;
  readonly screen: ScreenState;
  readonly engine: EngineClient;
  readonly viewport: Viewport;
}

/** Changes one slice. What it is already leaves the state as it is: nobody draws again. */
export function patch<K extends 'ui' | 'library' | 'marks' | 'watch' | 'session' | 'projection' | 'series'>(
  core: Core,
  slice: K,
  change: Partial<AppState[K]>,
): void {
  core.store.setState((state) => {
    const before: Partial<AppState[K]> = state[slice];
    const isOther = (key: string) => !Object.is(ownAt(before, key), ownAt(change, key));
    if (!Object.keys(change).some(isOther)) return state;
    return { [slice]: { ...state[slice], ...change } } as Partial<AppState>;
  });
}

/** The layout of the list as it is set, with the rows opened that are, or with others. */
export function rowLayout({ store }: Core, open: readonly OpenRow[] = store.getState().projection.open): RowLayout {
  return { line: LINE_HEIGHT[store.getState().ui.density], open };
}

/** Shows the panes, whatever mode the main screen is in: what is about to be seen is there. */
export function showTimeline(core: Core): void {
  if (core.store.getState().ui.mode !== 'timeline') patch(core, 'ui', { mode: 'timeline' });
}

let lastToast = 0;

/** Shows a message; answers its id. At most four stay, the oldest go; what is said again takes the place of itself. */
export function toast(core: Core, message: Omit<Toast, 'id'>): number {
  lastToast += 1;
  const id = lastToast;
  core.store.setState(({ toasts }) => {
    const others = toasts.filter((one) => one.text !== message.text || one.detail !== message.detail);
    return { toasts: [...others.slice(-3), { ...message, id }] };
  });
  return id;
}

/** Calls `run` once `ms` after the first of the calls since the last run: however many come, it is not deferred. */
export function soon(run: () => void, ms: number): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      run();
    }, ms);
  };
}

/** Calls `run` once `ms` after the last call; `flush` runs at once what waits. */
export function debounce(run: () => void, ms: number): { (): void; cancel(): void; flush(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const runNow = () => {
    cancel();
    run();
  };
  const later = () => {
    cancel();
    timer = setTimeout(runNow, ms);
  };
  return Object.assign(later, { cancel, flush: () => timer !== undefined && runNow() });
}
