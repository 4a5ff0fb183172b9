import { useEffect } from 'react';

/** Texts that explain themselves otherwise: a row opens, and some have a tooltip of their own. */
const TOLD = '.row, [data-tip]';

/** What is cut off with an ellipsis says itself whole while it is pointed at, unless it has a title already. */
export function useCutTitles(): void {
  useEffect(() => {
    document.addEventListener('pointerover', tell);
    return () => document.removeEventListener('pointerover', tell);
  }, []);
}

function tell({ target }: PointerEvent): void {
  const text = target instanceof Element ? target.closest<HTMLElement>('.ellipsis') : null;
  if (!text || text.closest(TOLD)) return;
  const isOurs = text.dataset.cut !== undefined;
  if (!isOurs && text.closest('[title]')) return;
  if (text.scrollWidth > text.clientWidth) {
    text.title = text.textContent;
    text.dataset.cut = '';
  } else if (isOurs) {
    text.removeAttribute('title');
    delete text.dataset.cut;
  }
}
