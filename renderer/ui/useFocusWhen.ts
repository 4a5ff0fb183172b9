import { type RefObject, useEffect, useRef } from 'react';

/** For what happens in a dialog whose button has gone or rested meanwhile: the element has the focus once `isTime`. */
export function useFocusWhen<E extends HTMLElement>(isTime: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (isTime) element.current?.focus();
  }, [isTime]);
  return element;
}
