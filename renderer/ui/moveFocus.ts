import type { KeyboardEvent } from 'react';

/**
 * A list is one stop of the Tab key; within it Up, Down, Home and End go from line to line. `lines` = selector of what
 * takes the focus; the list keeps one of them in the order of Tab.
 */
export function moveFocus(lines: string) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const delta = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.altKey || (delta === undefined && event.key !== 'Home' && event.key !== 'End')) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(lines)];
    const now = all.findIndex((line) => line.contains(document.activeElement));
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : now + (delta ?? 0);
    event.preventDefault();
    event.stopPropagation();
    all[Math.max(0, Math.min(all.length - 1, next))]?.focus();
  };
}
