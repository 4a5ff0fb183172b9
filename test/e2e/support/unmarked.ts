import type { Page } from 'playwright-core';

/**
 * What is selected, pressed, current or checked on a page in forced colours and looks like its neighbours that are not: their
 * marks are borders, outlines, weights, icons and grounds that are kept, of them, of what is within them, and of what is drawn
 * before and after. Other grounds and shadows are gone there, and what is told by these alone. What has no neighbour is
 * compared with itself, its state taken away.
 */
export function unmarked(page: Page, within = 'html'): Promise<readonly string[]> {
  return page.evaluate((part) => {
    const STATES = ['aria-selected', 'aria-pressed', 'aria-current', 'aria-checked'] as const;

    const look = (element: Element, pseudo?: string): string => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo !== undefined && style.content === 'none') return '';
      // The ring of what has the focus is no mark of a state.
      const hasRing = element.matches(':focus-visible') || style.outlineStyle === 'none';
      const outline = hasRing ? '' : `${style.outlineStyle} ${style.outlineWidth}`;
      const edges = ['top', 'right', 'bottom', 'left'].map((side) =>
        ['style', 'width'].map((what) => style.getPropertyValue(`border-${side}-${what}`)).join(' '),
      );
      // Computed colours are those of the sheets; the user's are drawn in their place, unless an element keeps its own.
      const colors = style.forcedColorAdjust === 'none' ? [style.backgroundColor, style.color] : [];
      const said = [outline, style.fontWeight, style.textDecorationLine, ...edges, ...colors];
      return `${pseudo ?? ''} ${said.join(' | ')}`;
    };
    const marks = (element: Element): ReadonlySet<string> => {
      const all = [element, ...element.querySelectorAll('*')].slice(0, 60);
      const seen = all.flatMap((one) => {
        const icon =
          one.matches('svg') && one.checkVisibility({ visibilityProperty: true })
            ? [`icon ${one.getAttribute('class')}`]
            : [];
        return [look(one), look(one, '::before'), look(one, '::after'), ...icon];
      });
      return new Set(seen);
    };
    const isOn = (element: Element, state: string) => !['false', 'mixed', null].includes(element.getAttribute(state));
    const isSeen = (element: Element) => element.getClientRects().length > 0;

    /** Of the same kind, in the same list, and not chosen. */
    const neighbours = (element: Element, state: string): readonly Element[] => {
      const list =
        element.closest(
          '[role="list"], [role="listbox"], [role="grid"], [role="treegrid"], [role="tree"], [role="tablist"], [role="group"], tbody, ul, ol',
        ) ?? element.parentElement;
      const kind = (one: Element) => `${one.getAttribute('role')} ${one.classList.item(0)}`;
      return [...(list?.querySelectorAll(element.localName) ?? [])].filter(
        (other) => !other.contains(element) && kind(other) === kind(element) && isSeen(other) && !isOn(other, state),
      );
    };
    /** As it looks without its state, where nothing else is like it. */
    const without = (element: Element, state: string): ReadonlySet<string> => {
      const own = { state: element.getAttribute(state) ?? '', data: element.getAttribute('data-state') };
      const isSelected = element.getAttribute('data-selected') === 'true';
      element.setAttribute(state, 'false');
      if (isSelected) element.setAttribute('data-selected', 'false');
      if (own.data !== null)
        element.setAttribute(
          'data-state',
          { checked: 'unchecked', on: 'off', active: 'inactive' }[own.data] ?? own.data,
        );
      // A tick is of what is checked: without, it would not be there.
      const isTick = (mark: string) => state === 'aria-checked' && mark.startsWith('icon');
      const seen = new Set([...marks(element)].filter((mark) => !isTick(mark)));
      element.setAttribute(state, own.state);
      if (isSelected) element.setAttribute('data-selected', 'true');
      if (own.data !== null) element.setAttribute('data-state', own.data);
      return seen;
    };

    const found: string[] = [];
    for (const state of STATES)
      for (const element of document.querySelectorAll(`${part} [${state}]`)) {
        // The browser draws its own controls.
        if (!isOn(element, state) || !isSeen(element) || element.matches('input')) continue;
        const others = neighbours(element, state);
        const theirs = others.length > 0 ? new Set(others.flatMap((one) => [...marks(one)])) : without(element, state);
        if (![...marks(element)].some((mark) => !theirs.has(mark)))
          found.push(`${state}: ${element.outerHTML.slice(0, 160)}`);
      }
    return found;
  }, within);
}
