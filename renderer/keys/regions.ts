import { TIMELINE_ID } from '../ui/useFocusReturn.ts';

/** A part of the window, and what has the focus when one comes to it: the first that is in sight; without any, itself. */
interface Region {
  readonly within: string;
  readonly stops: readonly string[];
}

/** The parts of the window in the order in which they are gone through. */
const REGIONS: readonly Region[] = [
  { within: '.library, .library-table', stops: ['[role="tree"]', '[role="grid"]', 'input'] },
  { within: '.scrubber', stops: [] },
  { within: `#${TIMELINE_ID}`, stops: [] },
  { within: '.compare-bar, .tune-bar, .checks-bar', stops: ['button:not(:disabled)'] },
  { within: '.compare-chart', stops: [] },
  { within: '.compare-scroll', stops: [] },
  { within: '.compare-detail', stops: ['tr[tabindex="0"]', 'button:not(:disabled)'] },
  { within: '.compactions-main', stops: ['tr[tabindex="0"]', 'button:not(:disabled)'] },
  { within: '.compactions-side', stops: ['button:not(:disabled)'] },
  { within: '.mode-first', stops: ['button:not(:disabled)'] },
  { within: '.tune-main', stops: ['tr[tabindex="0"]', '[role="grid"]'] },
  { within: '.tune-panel', stops: [':is(button, input):not(:disabled)'] },
  { within: '.checks-main', stops: ['tr[tabindex="0"]', '.button:not(:disabled)'] },
  { within: '.checks-side', stops: ['tr[tabindex="0"]', 'button:not(:disabled)', 'textarea'] },
  { within: '.drawer', stops: ['[role="tab"][aria-selected="true"]', '.drawer-menu'] },
  { within: '.policy', stops: ['button:not(:disabled)'] },
];

/**
 * Gives the focus to the next part of the window that is shown, or the one before; round and round. From what holds parts
 * itself it goes to the first of them.
 */
export function goToRegion(direction: 1 | -1): void {
  const shown = REGIONS.flatMap(({ within, stops }) => {
    const part = document.querySelector<HTMLElement>(within);
    if (!part?.checkVisibility() || part.closest('[inert]')) return [];
    const found = stops.map((stop) => part.querySelector<HTMLElement>(stop)).find((stop) => stop?.checkVisibility());
    const stop = stops.length === 0 ? part : found;
    return stop ? [{ part, stop }] : [];
  });
  const focused = document.activeElement;
  const here = shown.findIndex(({ part }) => part.contains(focused));
  const within = shown.findIndex(({ part }) => focused !== document.body && focused?.contains(part));
  const start = direction === 1 ? Math.max(0, within) : shown.length - 1;
  const next = here < 0 ? start : (here + direction + shown.length) % shown.length;
  shown[next]?.stop.focus();
}
