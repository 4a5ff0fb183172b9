import { type CSSProperties, type RefObject, useEffect, useState } from 'react';
import { type Box, cardPlace } from './place.ts';

const LOOK_MS = 120;

/** Follows what a step points at: where the card stands, and the ring around the target (null = it is not there). */
export function useTarget(selectors: readonly string[], card: RefObject<HTMLElement | null>) {
  const [found, setFound] = useState<{ readonly place: CSSProperties; readonly ring: Box | null }>({
    place: { visibility: 'hidden' },
    ring: null,
  });
  useEffect(() => {
    const look = () => {
      if (!card.current) return;
      const target = boxOf(selectors);
      const { width, height } = card.current.getBoundingClientRect();
      const place = cardPlace(target, { width, height }, { width: innerWidth, height: innerHeight });
      setFound((before) => (isSame(before, place, target) ? before : { place, ring: target }));
    };
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [selectors, card]);
  return found;
}

/** The first of the selectors that stands for something in sight. */
function boxOf(selectors: readonly string[]): Box | null {
  for (const selector of selectors) {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    if (!box || box.width === 0 || box.height === 0) continue;
    return { left: box.left, top: box.top, width: box.width, height: box.height };
  }
  return null;
}

function isSame(
  before: { readonly place: CSSProperties; readonly ring: Box | null },
  place: { readonly left: number; readonly top: number },
  ring: Box | null,
): boolean {
  const edges = ['left', 'top', 'width', 'height'] as const;
  const isSameRing = edges.every((edge) => before.ring?.[edge] === ring?.[edge]);
  return isSameRing && before.place.left === place.left && before.place.top === place.top;
}
