import { useRef } from 'react';

/** Id of the list of messages: where the focus goes when it has nowhere to go back to. */
export const TIMELINE_ID = 'timeline';

/** For dialogs without a button of their own: gives the focus back to what had it, or to the list of messages. */
export function useFocusReturn(): {
  readonly onOpenAutoFocus: () => void;
  readonly onCloseAutoFocus: (event: Event) => void;
} {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus() {
      before.current = document.activeElement;
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      const element = before.current;
      const back = element instanceof HTMLElement && element.isConnected && element !== document.body;
      (back ? element : document.getElementById(TIMELINE_ID))?.focus();
    },
  };
}
