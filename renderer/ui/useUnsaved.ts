import { useRef, useState } from 'react';

/** A dialog that asks before what is not saved is lost. */
export interface Unsaved {
  readonly isAsking: boolean;
  /** Closes, or asks first. */
  readonly close: () => void;
  /** The answer: continue, where the focus was. */
  readonly keep: () => void;
  /** The person went elsewhere by themselves: nothing is asked any more. */
  readonly forget: () => void;
}

/** `unsaved` = there is something to lose now. */
export function useUnsaved(unsaved: boolean, onClose: () => void): Unsaved {
  const [wasAsked, setAsked] = useState(false);
  const before = useRef<Element | null>(null);
  const isAsking = wasAsked && unsaved;
  return {
    isAsking,
    close() {
      if (!unsaved) onClose();
      if (isAsking) return;
      before.current = document.activeElement;
      setAsked(true);
    },
    keep() {
      setAsked(false);
      if (before.current instanceof HTMLElement) before.current.focus();
    },
    forget: () => setAsked(false),
  };
}
