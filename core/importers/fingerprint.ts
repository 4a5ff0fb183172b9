// Two mixed 32-bit hashes over UTF-16 units. They recognise known records within one file; not for security.

function mix(text: string, seedA: number, seedB: number): readonly [number, number] {
  let a = seedA;
  let b = seedB;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b ^ unit) + (b >>> 15), 0x85ebca6b);
  }
  a = Math.imul(a ^ (a >>> 16) ^ text.length, 0x85ebca6b);
  b = Math.imul(b ^ (b >>> 13) ^ a, 0xc2b2ae35);
  a ^= b >>> 16;
  return [a >>> 0, (b ^ (b >>> 16)) >>> 0];
}

/** A 64-bit fingerprint as text, chained: `seed` is the fingerprint of what came before ('' at the start). */
export function fingerprint(text: string, seed = ''): string {
  const [seedA, seedB] = mix(seed, 0x811c9dc5, 0x9e3779b9);
  const [a, b] = mix(text, seedA, seedB);
  return a.toString(36) + b.toString(36).padStart(7, '0');
}

/** A 53-bit fingerprint as a number, small in a Map or Set. */
export function fingerprintNumber(text: string): number {
  const [a, b] = mix(text, 0x811c9dc5, 0x9e3779b9);
  return (a & 0x1fffff) * 0x100000000 + b;
}
