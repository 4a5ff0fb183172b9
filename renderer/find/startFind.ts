import type { App } from '../state/app.ts';
import { openField } from '../ui/openField.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

export const FIND_FIELD_ID = 'find-field';

/** A text chosen on the page longer than this is not what somebody looks for, in characters. */
export const LONGEST = 2000;

/** Opens the find bar with a text, else with what is chosen on the page, else as it was; its field has the focus then. */
export function startFind({ actions }: Pick<App, 'actions'>, text: string | null = chosenText()): void {
  const focused = document.activeElement;
  const open = () => (focused?.id === FIND_FIELD_ID ? actions.openFind(text) : actions.openFind(text, focused));
  openField(open, FIND_FIELD_ID, { isChosen: true });
}

/** Closes the bar and gives the focus back to what had it, or to the list of messages. */
export function endFind({ actions, store }: Pick<App, 'actions' | 'store'>): void {
  const { calledFrom } = store.getState().find;
  actions.closeFind();
  const isThere = calledFrom instanceof HTMLElement && calledFrom.isConnected && calledFrom !== document.body;
  (isThere ? calledFrom : document.getElementById(TIMELINE_ID))?.focus();
}

/** The text chosen with the pointer or Shift and the arrows, where messages are read; null if there is none. */
export function chosenText(): string | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return null;
  const text = selection.toString().trim();
  return text.length > 0 && text.length <= LONGEST ? text : null;
}
