// What a title or a label says is drawn, or spoken, by the browser: no component can put a code in place of a character in
// it. So it is done in one place, for every attribute of the page, also for those of the libraries: before anything is
// painted, a text with characters that cannot be seen, or that turn what follows, is replaced by the same with their codes.
import { withCodes } from '../../core/util/unseen.ts';

/** Attributes whose text people see or hear. */
export const SHOWN_ATTRIBUTES = [
  'title',
  'aria-label',
  'aria-description',
  'aria-valuetext',
  'aria-roledescription',
  'placeholder',
  'alt',
] as const;

const SELECTOR = SHOWN_ATTRIBUTES.map((name) => `[${name}]`).join();

/** Keeps the attributes of everything under `root`, now and from now on. Returns what ends it. */
export function keepAttributesSeen(root: Document | Element): () => void {
  const observer = new MutationObserver((changes) => {
    for (const { target, attributeName, addedNodes } of changes) {
      if (attributeName !== null && target instanceof Element) show(target, attributeName);
      for (const node of addedNodes) if (node instanceof Element) showAll(node);
    }
  });
  observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: [...SHOWN_ATTRIBUTES] });
  showAll(root);
  return () => observer.disconnect();
}

function showAll(root: Document | Element): void {
  const elements = root.querySelectorAll(SELECTOR);
  for (const element of [...(root instanceof Element ? [root] : []), ...elements])
    for (const name of SHOWN_ATTRIBUTES) show(element, name);
}

function show(element: Element, name: string): void {
  const text = element.getAttribute(name);
  if (text === null) return;
  const shown = withCodes(text);
  if (shown !== text) element.setAttribute(name, shown);
}
