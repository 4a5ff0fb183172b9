import type { MouseEvent } from 'react';

/** Where the menu of a line opens, from the line's left end, in px. */
const IN_PX = 48;

/**
 * The menu key and Shift+F10 ask for a menu of what has the focus, and a list has it for all its lines: the menu is that of
 * the active one. For `onContextMenu` of the list.
 */
export function menuAtActive(event: MouseEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget) return;
  const active = document.getElementById(event.currentTarget.getAttribute('aria-activedescendant') ?? '');
  if (active === null || document.activeElement !== event.currentTarget) return;
  event.preventDefault();
  const { left, bottom } = active.getBoundingClientRect();
  active.dispatchEvent(
    new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left + IN_PX, clientY: bottom }),
  );
}
