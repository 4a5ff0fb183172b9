import { useRef } from 'react';

/** Id of the list of messages: where the focus goes when it has nowhere to go back to. */
export const TIMELINE_ID = 'timeline';

/** Handlers for a dialog's content. */
export interface FocusReturn {
  readonly onOpenAutoFocus: () => void;
  readonly onCloseAutoFocus: (event: Event) => void;
}

/** For dialogs without their own button: gives the focus back to what had it, or to the list of messages. */
export function useFocusReturn(): FocusReturn {
  return useFocusReturnOr().focus;
}

/** The same, with a way to say that this time the list of messages is where it continues. */
export function useFocusReturnOr(): { readonly focus: FocusReturn; readonly toTimeline: () => void } {
  const before = useRef<Element | null>(null);
  const focus: FocusReturn = {
    onOpenAutoFocus() {
      before.current = opener(document.activeElement);
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      if (document.activeElement?.matches(':is(input, textarea):not([role="dialog"] *)')) return; // a field was meant
      const element = before.current;
      const back = element instanceof HTMLElement && element.isConnected && element !== document.body;
      (back ? chosenTab(element) : document.getElementById(TIMELINE_ID))?.focus();
    },
  };
  return {
    focus,
    toTimeline() {
      before.current = null;
    },
  };
}

// What was chosen from a menu is gone with it; the button that opened the menu stays.
function opener(element: Element | null): Element | null {
  const button = element?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return button ? document.getElementById(button) : element;
}

// A tab is chosen by giving it the focus: going back to one would undo a command that chose another.
function chosenTab(element: HTMLElement): HTMLElement {
  const tabs = element.role === 'tab' ? element.closest('[role="tablist"]') : null;
  return tabs?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]') ?? element;
}
