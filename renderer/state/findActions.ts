import type { TextState, TextTrace } from '../../core/protocol/types.ts';
import { type Core, debounce, patch } from './core.ts';
import { toProtocolError } from './engine.ts';
import { specWithWindow } from './specWithWindow.ts';
import type { TextLane } from './textLane.ts';
import { nextInState } from './textPoints.ts';
import type { AppState, FindState } from './types.ts';
import { clearPanes } from './uiActions.ts';

export interface FindActions {
  /**
   * Opens the find bar and its answer in the drawer; a text takes the place of the one in the field. `from` = what had the
   * focus; without it, what had it before.
   */
  openFind(text: string | null, from?: Element | null): void;
  /** Closes the bar, removes the marks, and shows the drawer as it was before. */
  closeFind(): void;
  setFindText(text: string): void;
  setFindOption(change: Partial<Pick<FindState, 'matchCase' | 'wholeWord'>>): void;
  /** Goes to the next or the previous place of the text; behind the last one to the first. */
  stepPlace(delta: 1 | -1): Promise<void>;
  choosePlace(number: number): Promise<void>;
  /** Moves the call point to the next request in which the text is in that state. */
  goToState(state: TextState): void;
}

/** What finding needs of the other actions. */
export interface FindNeeds {
  goToMessage(index: number, part: number): Promise<void>;
  setAt(at: number | null): void;
  endSearch(): void;
}

const TYPED_MS = 160;
const SAMPLES = 1200;

/** The answer on screen is to the text, the policy and the call point on screen: what comes too late is dropped. */
export function findActions(core: Core, texts: TextLane, needs: FindNeeds): FindActions & { stop(): void } {
  const get = () => core.store.getState();
  const set = (change: Partial<FindState>) => core.store.setState(({ find }) => ({ find: { ...find, ...change } }));
  /** What the drawer showed when the bar was opened. */
  let drawer: Pick<AppState['ui'], 'drawerOpen' | 'drawerTab'> | null = null;
  let asked = 0;

  /** Without a projection there is nothing to ask yet: the first one that is there is another one, see `isMoved`. */
  const ask = async () => {
    const { find, session, projection } = get();
    const turn = ++asked;
    if (!find.isOpen || find.text.trim() === '' || session.id === null || projection.info === null) return;
    const isWanted = () => turn === asked;
    try {
      const trace = await texts.ask('find', {
        id: session.id,
        spec: specWithWindow(projection.info.spec, projection.window),
        text: find.text,
        at: projection.info.at,
        matchCase: find.matchCase,
        wholeWord: find.wholeWord,
        samples: SAMPLES,
      });
      if (isWanted()) set({ trace, isLoading: false, error: null, chosen: samePlace(get().find, trace) });
    } catch (thrown) {
      const error = toProtocolError(thrown);
      if (!isWanted()) return;
      // Nobody asked another: the engine let go of the session meanwhile, and of what it was asked about it.
      if (error.code === 'request.superseded') later();
      else set({ trace: null, isLoading: false, error });
    }
  };
  const later = debounce(() => void ask(), TYPED_MS);

  /** Another question: what is on its way is not its answer. `isOther` = nor is what is on screen. */
  const restart = (isOther: boolean) => {
    asked++;
    const { find, session } = get();
    const isAsked = find.isOpen && find.text.trim() !== '' && session.id !== null;
    set({ isLoading: isAsked, error: null, ...(isOther || !isAsked ? { trace: null, chosen: null } : {}) });
    if (isAsked) later();
    else later.cancel();
  };

  const goTo = async (number: number) => {
    const place = get().find.trace?.places[number];
    if (place === undefined) return;
    set({ chosen: number });
    if (place.where === 'message' && place.index !== null) await needs.goToMessage(place.index, place.part ?? 0);
  };

  const stop = core.store.subscribe((now, before) => {
    if (!now.find.isOpen) return;
    const isSearched = now.search.isStepping && !before.search.isStepping;
    // One bar at a time.
    if (now.session.id === null || isSearched) actions.closeFind();
    else if (now.session.id !== before.session.id) restart(true);
    else if (isMoved(now, before)) restart(false);
  });

  const actions: FindActions = {
    openFind(text, from) {
      const { ui, find } = get();
      if (get().session.id === null) return;
      if (from !== undefined) set({ calledFrom: from });
      if (!find.isOpen) drawer = { drawerOpen: ui.drawerOpen, drawerTab: ui.drawerTab };
      needs.endSearch();
      clearPanes(core);
      patch(core, 'ui', { drawerOpen: true, drawerTab: 'find' });
      const isOther = text !== null && text !== find.text;
      if (find.isOpen && !isOther) return;
      set({ isOpen: true, ...(isOther ? { text } : {}) });
      restart(true);
    },
    closeFind() {
      const { ui } = get();
      asked++;
      later.cancel();
      set({ isOpen: false, calledFrom: null, trace: null, chosen: null, isLoading: false, error: null });
      if (drawer !== null && ui.drawerTab === 'find' && drawer.drawerTab !== 'find') patch(core, 'ui', drawer);
      drawer = null;
    },
    setFindText(text) {
      set({ text });
      restart(true);
    },
    setFindOption(change) {
      set(change);
      restart(true);
    },
    async stepPlace(delta) {
      const { find, selection } = get();
      const count = find.trace?.places.length ?? 0;
      if (find.trace === null || count === 0) return;
      const first = firstPlace(find.trace, selection?.kind === 'message' ? selection.index : 0);
      await goTo(find.chosen === null ? (delta === 1 ? first : count - 1) : (find.chosen + delta + count) % count);
    },
    choosePlace: goTo,
    goToState(state) {
      const { find, session } = get();
      const at = find.trace === null ? null : nextInState(find.trace.points, find.trace.now.at, state);
      if (at !== null) needs.setAt(at >= (session.info?.messages ?? 0) ? null : at);
    },
  };
  return {
    ...actions,
    stop() {
      stop();
      later.cancel();
    },
  };
}

/** Another projection is shown, or the transcript has grown. */
function isMoved(now: AppState, before: AppState): boolean {
  if (now.projection.info !== before.projection.info || now.projection.window !== before.projection.window) return true;
  return now.session.info?.messages !== before.session.info?.messages;
}

/** The place that was chosen, in the new answer to the same question; null if it is not among its places. */
function samePlace({ trace, chosen }: FindState, answer: TextTrace): number | null {
  const before = chosen === null ? undefined : trace?.places[chosen];
  if (before === undefined) return null;
  const found = answer.places.findIndex(
    ({ where, index, part, from }) =>
      where === before.where && index === before.index && part === before.part && from === before.from,
  );
  return found < 0 ? null : found;
}

/** The first place at or after a message; without any, the first of all. */
function firstPlace({ places }: TextTrace, index: number): number {
  return Math.max(
    0,
    places.findIndex((place) => place.where === 'message' && place.index !== null && place.index >= index),
  );
}
