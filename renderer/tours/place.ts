// Where the card of a tour stands: beside what it points at, never over it if there is room anywhere.

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 10;
const EDGE = 8;

/** Px from the window's left and top edges. Without a target, or with no room beside it: at the lower right within it. */
export function cardPlace(
  target: Box | null,
  card: Pick<Box, 'width' | 'height'>,
  window: Pick<Box, 'width' | 'height'>,
): { readonly left: number; readonly top: number } {
  const most = { left: window.width - card.width - EDGE, top: window.height - card.height - EDGE };
  const within = (left: number, top: number) => ({
    left: Math.max(EDGE, Math.min(left, most.left)),
    top: Math.max(EDGE, Math.min(top, most.top)),
  });
  if (target === null) return within(most.left, most.top - 40);
  const below = target.top + target.height + GAP;
  const above = target.top - card.height - GAP;
  const middle = target.left + target.width / 2 - card.width / 2;
  if (below <= most.top) return within(middle, below);
  if (above >= EDGE) return within(middle, above);
  const left = target.left - card.width - GAP;
  if (left >= EDGE) return within(left, target.top);
  const right = target.left + target.width + GAP;
  if (right <= most.left) return within(right, target.top);
  return within(target.left + target.width - card.width - GAP * 2, target.top + target.height - card.height - GAP * 2);
}
