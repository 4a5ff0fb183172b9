import type { App } from '../state/app.ts';
import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

export const FIND_FIELD_ID = 'find-field';

/** A text chosen on the page longer than this is not what somebody looks for, in characters. */
export const LONGEST = 2000;

/** What had the focus when the bar was called for. */
let before: Element | null = null;

/** Opens the find bar with a text, else with what is chosen on the page, else as it was; its field has the focus then. */
export function startFind({ actions }: Pick<App, 'actions'>, text: string | null = chosenText()): void {
  const focused = document.activeElement;
  if (focused?.id !== FIND_FIELD_ID) before = focused;
  actions.openFind(text);
  // The field may be drawn only now.
  setTimeout(() => {
    const field = document.getElementById(FIND_FIELD_ID);
    if (!(field instanceof HTMLInputElement)) return;
    field.focus();
    field.select();
  }, 0);
}

/** Closes the bar and gives the focus back to what had it, or to the list of messages. */
export function endFind({ actions }: Pick<App, 'actions'>): void {
  actions.closeFind();
  const back = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null;
  (back ?? document.getElementById(TIMELINE_ID))?.focus();
  before = null;
}

/** The text chosen with the pointer or Shift and the arrows, where messages are read; null if there is none. */
export function chosenText(): string | null {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return null;
  const text = selection.toString().trim();
  return text.length > 0 && text.length <= LONGEST ? text : null;
}
