import type { Page } from 'playwright-core';

/** What a person can act on. */
const CONTROLS = [
  'button',
  'input',
  'select',
  'textarea',
  'a[href]',
  'summary',
  '[role="button"]',
  '[role="tab"]',
  '[role="menuitem"]',
  '[role="menuitemradio"]',
  '[role="menuitemcheckbox"]',
  '[role="checkbox"]',
  '[role="radio"]',
  '[role="switch"]',
  '[role="slider"]',
  '[role="combobox"]',
  '[tabindex="0"]',
  // Lines that are chosen.
  '[aria-selected]',
].join(',');

/**
 * The controls within a part of the page that a pointer cannot come to, each with where its centre is and what lies there:
 * it is brought into view first, but only by what a person can scroll. And whether the document
 * itself scrolls, or a panel sideways.
 */
export function outOfReach(page: Page, within = 'body'): Promise<readonly string[]> {
  return page.evaluate(
    ([controls, part]) => {
      const found: string[] = [];
      const root = document.documentElement;
      const { scrollWidth, scrollHeight, clientWidth, clientHeight } = root;
      if (scrollWidth > clientWidth) found.push(`the document is ${scrollWidth - clientWidth} px too wide`);
      if (scrollHeight > clientHeight) found.push(`the document is ${scrollHeight - clientHeight} px too high`);
      for (const panel of document.querySelectorAll('[data-panel], [data-panel] > div')) {
        const tooWide = panel.scrollWidth - panel.clientWidth;
        if (tooWide > 1) found.push(`the panel ${panel.closest('[data-panel]')?.id} is ${tooWide} px too wide`);
      }

      const nameOf = (element: Element) => {
        const label = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40);
        const test = element.closest('[data-testid]')?.getAttribute('data-testid');
        return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} “${label}” in ${test}`;
      };
      const above = (element: Element): readonly Element[] =>
        element.parentElement === null ? [] : [element.parentElement, ...above(element.parentElement)];
      /** Puts back what only a program can scroll. */
      const cannotScroll = (element: Element) => {
        const boxes = above(element).map((box) => {
          const { overflowX, overflowY } = getComputedStyle(box);
          return { box, left: box.scrollLeft, top: box.scrollTop, overflowX, overflowY };
        });
        return () => {
          for (const { box, left, top, overflowX, overflowY } of boxes) {
            if (!/auto|scroll/.test(overflowX)) box.scrollLeft = left;
            if (!/auto|scroll/.test(overflowY)) box.scrollTop = top;
          }
        };
      };
      const isCovered = document.querySelector('.policy-scrim') !== null;
      for (const element of document.querySelectorAll<HTMLElement>(controls)) {
        if (element.closest(part) === null || element.closest('[inert], [aria-hidden="true"], .monaco-editor'))
          continue;
        // What lies under a panel is there again when that is closed.
        if (isCovered && element.closest('.app-columns')) continue;
        if (element.matches(':disabled, [aria-disabled="true"]')) continue;
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        const size = element.getBoundingClientRect();
        // A field that only a screen reader meets: its label is what is clicked.
        if (size.width <= 1 || size.height <= 1) continue;
        const putBack = cannotScroll(element);
        element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        putBack();
        const box = element.getBoundingClientRect();
        const own = [element, ...((element as HTMLInputElement).labels ?? [])];
        const at = (across: number, down: number) => {
          const [x, y] = [box.left + box.width * across, box.top + box.height * down];
          return { x, y, hit: document.elementFromPoint(x, y) };
        };
        // Over the middle of a list something may lie; a toast and the card of a tour are closed.
        const isReached = (box.height > 100 ? [0.5, 0.1, 0.9] : [0.5])
          .map((share) => at(share, share).hit)
          .some(
            (hit) =>
              own.some((one) => one.contains(hit)) ||
              hit?.closest('[data-testid="toast"], [data-testid="tour"]') != null,
          );
        if (isReached) continue;
        const { x, y, hit } = at(0.5, 0.5);
        const place = `${Math.round(x)},${Math.round(y)}`;
        found.push(`${nameOf(element)} at ${place}: ${hit === null ? 'outside' : `under ${nameOf(hit)}`}`);
      }
      return found;
    },
    [CONTROLS, within] as const,
  );
}
