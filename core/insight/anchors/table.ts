// How much an anchor proves: the fewer parts of a transcript name it, the more.

/** Below this many parts nothing is common. */
const COMMON_LEAST = 8;
const COMMON_SHARE = 0.05;

/** True if an anchor is in so many of a transcript's parts that it proves nothing. */
export function isCommon(parts: number, ofParts: number): boolean {
  return parts >= COMMON_LEAST && parts > COMMON_SHARE * ofParts;
}

/** What an anchor weighs that this many of a transcript's parts name: ln(N / df); 0 for one that none names, or is common. */
export function anchorWeight(parts: number, ofParts: number): number {
  return parts <= 0 || isCommon(parts, ofParts) ? 0 : Math.log(ofParts / parts);
}
