import type { StoreApi } from 'zustand/vanilla';
import type { AppState } from './types.ts';

/** What belongs to the transcript that is open. */
export const OF_TRANSCRIPT = [
  'marks',
  'watch',
  'session',
  'projection',
  'selection',
  'find',
  'trail',
  'filter',
  'compare',
  'compactionOf',
  'series',
  'timeline',
  'usage',
] as const satisfies readonly (keyof AppState)[];

/** The state as the screen draws it. */
export interface ScreenState extends Pick<StoreApi<AppState>, 'getState' | 'getInitialState' | 'subscribe'> {
  /** Whether it draws what was open before. */
  readonly isHeld: boolean;
  /**
   * Keeps drawing the transcript that is open, until the state is one that `isReady` or the time is over, in ms. What else
   * changes is drawn. Holding again, for another transcript, prolongs nothing.
   */
  hold(isReady: (state: AppState) => boolean, ms: number): void;
}

/**
 * The state of a store, but for what belongs to the open transcript while another opens: drawing an empty list and empty
 * panels for the moment until there are rows takes as long as drawing the rows.
 */
export function screenState(store: StoreApi<AppState>): ScreenState {
  const listeners = new Set<(state: AppState, before: AppState) => void>();
  let kept: AppState | null = null;
  let isReady: (state: AppState) => boolean = () => true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let drawn = store.getState();

  const draw = (next: AppState): void => {
    const before = drawn;
    drawn = next;
    for (const listener of listeners) listener(drawn, before);
  };
  const release = (): void => {
    clearTimeout(timer);
    kept = null;
    draw(store.getState());
  };
  store.subscribe((state) => {
    if (kept === null) draw(state);
    else if (isReady(state)) release();
    else {
      const next = withTranscriptOf(kept, state);
      // Whoever draws is asked only where something else is to be drawn.
      const keys = Object.keys(next) as (keyof AppState)[];
      if (keys.some((key) => next[key] !== drawn[key])) draw(next);
    }
  });
  return {
    get isHeld() {
      return kept !== null;
    },
    getState: () => drawn,
    getInitialState: () => store.getInitialState(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    hold(ready, ms) {
      isReady = ready;
      if (kept !== null) return;
      kept = drawn;
      timer = setTimeout(release, ms);
    },
  };
}

/** A state with what belongs to the transcript of another one. */
function withTranscriptOf(kept: AppState, state: AppState): AppState {
  const next: { -readonly [K in keyof AppState]: AppState[K] } = { ...state };
  const keep = <K extends keyof AppState>(key: K): void => {
    next[key] = kept[key];
  };
  for (const key of OF_TRANSCRIPT) keep(key);
  return next;
}
