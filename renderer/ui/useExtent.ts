import { type RefObject, useLayoutEffect, useState } from 'react';

type Element = RefObject<HTMLElement | null>;

/** Width of an element in px, kept up to date. */
export const useWidth = (element: Element): number => useExtent(element, 'clientWidth');

/** Height of an element in px, kept up to date. */
export const useHeight = (element: Element): number => useExtent(element, 'clientHeight');

function useExtent(element: Element, side: 'clientWidth' | 'clientHeight'): number {
  const [extent, setExtent] = useState(0);
  const [measured, setMeasured] = useState<HTMLElement | null>(null);
  // A strip with nothing to show is another element than one with marks.
  useLayoutEffect(() => setMeasured(element.current));
  useLayoutEffect(() => {
    if (!measured) return;
    const measure = () => setExtent(measured[side]);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [measured, side]);
  return extent;
}
