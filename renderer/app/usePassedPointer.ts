import { useEffect } from 'react';
import { useApp } from '../state/context.tsx';

const EVENTS = ['pointerdown', 'mousedown', 'click', 'dblclick', 'contextmenu'];
const OF_TRANSCRIPT = '.main-area, .policy';

/** While the rows of one transcript are still drawn and another opens, a click on them is for neither. */
export function usePassedPointer(): void {
  const { screen } = useApp();
  useEffect(() => {
    const pass = (event: Event): void => {
      if (!screen.isHeld || !(event.target instanceof Element) || event.target.closest(OF_TRANSCRIPT) === null) return;
      event.stopPropagation();
      event.preventDefault();
    };
    for (const name of EVENTS) window.addEventListener(name, pass, { capture: true });
    return () => {
      for (const name of EVENTS) window.removeEventListener(name, pass, { capture: true });
    };
  }, [screen]);
}
