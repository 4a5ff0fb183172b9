// The browser's history holds where the person was: each step is an entry, whose address is the place. Back, forward,
// the mouse's buttons and an address that is typed or pasted all come in one way.
import { ADDRESS_BASE, decodeLink, encodeLink } from '../../core/protocol/link.ts';
import type { App } from '../state/app.ts';
import { debounce } from '../state/core.ts';
import { isSamePlace, isStep, linkTo, type Place, placeOf, placeOfLink } from '../state/places.ts';

/** What is still moving is not a step yet: a drag over the chart is one, not hundreds. */
const REST_MS = 400;

/** What it needs of the window. */
export type Addressed = Pick<Window, 'history' | 'location' | 'addEventListener' | 'removeEventListener'>;

/** The place that the page's address names; null if it names none. */
export function placeInAddress({ location }: Pick<Window, 'location'>): Place | null {
  const link = decodeLink(location.hash);
  return link === null ? null : placeOfLink(link);
}

/** The address of a place, for `history`. */
export function addressOf(place: Place): string {
  const link = linkTo(place);
  return (link && encodeLink(link, ADDRESS_BASE)) ?? '#';
}

/** Keeps address and history up with where the person is. `ownButtons` = the mouse's back and forward are the page's to handle. */
export function keepPlaces(app: App, page: Addressed, ownButtons: boolean): () => void {
  const { store, actions } = app;
  let number = numberIn(page.history.state);
  let last = number;
  let here = placeOf(store.getState());
  let seen = here;
  let { links } = store.getState().steps;
  let isLinked = false;
  const note = () => store.setState(({ steps }) => ({ steps: { ...steps, at: number, last } }));
  const enter = (place: Place, isNew: boolean) => {
    here = place;
    if (isNew) last = ++number;
    page.history[isNew ? 'pushState' : 'replaceState']({ number }, '', addressOf(place));
    note();
  };
  const settle = debounce(() => {
    const state = store.getState();
    const now = placeOf(state);
    if (!isSamePlace(now, here)) enter(now, isLinked || isStep(here, now, state.session.info?.messages ?? 0));
    isLinked = false;
  }, REST_MS);
  const watch = () => {
    const state = store.getState();
    if (state.steps.links !== links) {
      // Where it is followed from is a step too, however short one was there.
      settle.flush();
      links = state.steps.links;
      isLinked = true;
    }
    const now = placeOf(state);
    if (isSamePlace(now, seen)) return;
    seen = now;
    if (isSamePlace(now, here)) settle.cancel();
    else settle();
  };
  const onPopState = ({ state }: PopStateEvent) => {
    settle.cancel();
    const isTyped = state === null;
    number = isTyped ? number + 1 : numberIn(state);
    last = isTyped ? number : Math.max(last, number);
    const link = decodeLink(page.location.hash);
    const isUnread = link === null && page.location.hash !== '' && page.location.hash !== '#';
    here = isUnread ? placeOf(store.getState()) : placeOfLink(link);
    if (isTyped) page.history.replaceState({ number }, '', addressOf(here));
    note();
    if (isUnread) void actions.openLink(null);
    else if (isTyped && link !== null) {
      // It has its entry already.
      links++;
      void actions.openLink(link);
    } else void actions.goToPlace(here);
  };
  // Who reaches for back has come to rest: where they are is a step by then, and not 400 ms later.
  const onKeyDown = ({ key }: KeyboardEvent) => (key === 'Alt' || key === 'Meta') && settle.flush();
  const onMouseDown = ({ button }: MouseEvent) => isSideways(button) && settle.flush();
  const onMouseUp = (event: MouseEvent) => {
    if (!ownButtons || !isSideways(event.button)) return;
    event.preventDefault();
    if (store.getState().ui.dialog === null) page.history.go(event.button === BACK ? -1 : 1);
  };
  enter(here, false);
  page.addEventListener('popstate', onPopState);
  page.addEventListener('keydown', onKeyDown, true);
  page.addEventListener('mousedown', onMouseDown, true);
  page.addEventListener('mouseup', onMouseUp);
  const stop = store.subscribe(watch);
  return () => {
    stop();
    settle.cancel();
    page.removeEventListener('popstate', onPopState);
    page.removeEventListener('keydown', onKeyDown, true);
    page.removeEventListener('mousedown', onMouseDown, true);
    page.removeEventListener('mouseup', onMouseUp);
  };
}

const BACK = 3;
const FORWARD = 4;

function isSideways(button: number): boolean {
  return button === BACK || button === FORWARD;
}

function numberIn(state: unknown): number {
  const number: unknown = Reflect.get(Object(state), 'number');
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : 0;
}
