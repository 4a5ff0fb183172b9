// What is cut off with an ellipsis says itself whole: while it is pointed at as a title, unless it has one already; while
// the keyboard is at it in a separate tip, since browsers show no titles then. Ctrl+C copies what the tip says. The
// one mechanism for all of it: whatever has the class `ellipsis` takes part.
import { useEffect } from 'react';
import { CutTip } from './cutTip.ts';

/** Texts that explain themselves otherwise: a row opens, and some have their own tooltip. */
const OWN_TIPS = '.row, [data-tip]';
/** What a key is at: one thing with its text. Within fields and regions there would be too much to say. */
const STOPS = `button, a[href], summary, ${['option', 'treeitem', 'menuitem', 'menuitemradio', 'tab', 'row']
  .map((role) => `[role="${role}"]`)
  .join()}`;

export function useCutTexts(): void {
  useEffect(() => {
    const tip = new CutTip();
    const ends = new AbortController();
    const { signal } = ends;
    const update = ({ type }: Event) => {
      const stop = keyboardStop(type === 'focusin');
      const text = stop && cutTextOf(stop);
      if (stop && text) tip.show(stop.getBoundingClientRect(), text);
      else tip.hide();
    };
    const hide = () => tip.hide();
    document.addEventListener('pointerover', giveTitle, { signal });
    document.addEventListener('focusin', update, { signal });
    document.addEventListener(
      'keyup',
      (event) => {
        if (event.key === 'Escape') hide();
        else if (!isCommand(event)) update(event);
      },
      { signal },
    );
    // It goes where its text goes.
    document.addEventListener('scroll', (event) => tip.isShown && update(event), {
      signal,
      capture: true,
      passive: true,
    });
    for (const name of ['focusout', 'pointerdown', 'wheel'] as const) {
      document.addEventListener(name, hide, { signal, passive: true });
    }
    document.addEventListener(
      'copy',
      (event) => {
        if (!tip.isShown || hasSelection()) return;
        event.preventDefault();
        event.clipboardData?.setData('text/plain', tip.text);
        tip.sayCopied();
      },
      { signal },
    );
    return () => {
      ends.abort();
      tip.hide();
    };
  }, []);
}

/** Such as the copying itself: the keyboard does not move on. */
function isCommand({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || ['Control', 'Meta', 'Shift', 'Alt'].includes(key);
}

function giveTitle({ target }: PointerEvent): void {
  const text = target instanceof Element ? target.closest<HTMLElement>('.ellipsis') : null;
  if (!text || text.closest(OWN_TIPS)) return;
  const isOurs = text.dataset.cut !== undefined;
  if (!isOurs && text.closest('[title]')) return;
  if (isCut(text)) {
    text.title = text.textContent;
    text.dataset.cut = '';
  } else if (isOurs) {
    text.removeAttribute('title');
    delete text.dataset.cut;
  }
}

function isCut(text: Element): boolean {
  return text.scrollWidth > text.clientWidth;
}

/** The thing the keyboard is at: of a list that keeps the focus, its active line. A pointer gives the focus too. */
function keyboardStop(isFocusNew: boolean): Element | null {
  const { activeElement } = document;
  const isByKey = activeElement?.matches(':focus-visible') === true;
  const id = activeElement?.getAttribute('aria-activedescendant');
  if (id) return isByKey || !isFocusNew ? document.getElementById(id) : null;
  return isByKey && activeElement.matches(STOPS) ? activeElement : null;
}

/** The texts of a thing that are cut, whole; empty if none is. */
function cutTextOf(stop: Element): string {
  if (stop.closest(OWN_TIPS)) return '';
  const own = stop.closest('.ellipsis');
  const texts = [...(own ? [own] : []), ...stop.querySelectorAll('.ellipsis')];
  return texts.flatMap((text) => (isCut(text) ? text.textContent : [])).join(' · ');
}

function hasSelection(): boolean {
  const { activeElement } = document;
  const isField = activeElement instanceof HTMLInputElement || activeElement instanceof HTMLTextAreaElement;
  if (isField && activeElement.selectionStart !== activeElement.selectionEnd) return true;
  return document.getSelection()?.isCollapsed === false;
}
