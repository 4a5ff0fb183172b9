/** Where something stands. Unit: px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const GAP = 4;
const EDGE = 8;

/** Where a tip stands: under its text where it begins, above it where there is no room, never past its sides. px. */
export function tipPlace(text: Box, tip: Size, window: Size): { readonly left: number; readonly top: number } {
  const left = Math.max(EDGE, Math.min(text.left, window.width - tip.width - EDGE));
  const below = text.bottom + GAP;
  const above = text.top - GAP - tip.height;
  const fits = below + tip.height <= window.height - EDGE || above < EDGE;
  return { left, top: Math.max(EDGE, fits ? below : above) };
}
