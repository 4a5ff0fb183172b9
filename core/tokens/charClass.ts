/**
 * What the two encodings' patterns ask of a character, as bit flags. The answers come from the regex engine itself
 * (one page of 256 code points at a time, on first use), so they agree with the pattern on every Unicode version.
 */

/** \p{Lu} \p{Lt} \p{Lm} \p{Lo} \p{M}: may be in the head of an o200k word. */
export const UPPER = 1;
/** \p{Ll} \p{Lm} \p{Lo} \p{M}: may be in the tail of an o200k word. */
export const LOWER = 2;
/** \p{L}. */
export const LETTER = 4;
/** \p{N}. */
export const NUMBER = 8;
/** \s as JavaScript has it. */
export const SPACE = 16;
/** CR or LF; such a character is SPACE as well. */
export const NEWLINE = 32;

const TESTS: readonly (readonly [number, RegExp])[] = [
  [UPPER, /^[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]$/u],
  [LOWER, /^[\p{Ll}\p{Lm}\p{Lo}\p{M}]$/u],
  [LETTER, /^\p{L}$/u],
  [NUMBER, /^\p{N}$/u],
  [SPACE, /^\s$/u],
  [NEWLINE, /^[\r\n]$/u],
];

const pages: (Uint8Array | undefined)[] = new Array(0x1100);

function buildPage(page: number): Uint8Array {
  const flags = new Uint8Array(256);
  for (let low = 0; low < 256; low++) {
    const char = String.fromCodePoint((page << 8) | low);
    for (const [flag, pattern] of TESTS) if (pattern.test(char)) flags[low]! |= flag;
  }
  pages[page] = flags;
  return flags;
}

/** Flags of ASCII, for loops that look at single bytes. */
export const ASCII: Readonly<Uint8Array> = buildPage(0).slice(0, 128);

/** Flags of a code point, 0 to 0x10FFFF. */
export function classOf(codePoint: number): number {
  return (pages[codePoint >> 8] ?? buildPage(codePoint >> 8))[codePoint & 255]!;
}

/** Bytes of the UTF-8 character that begins with `lead`; the input must be well-formed UTF-8. */
export function widthOf(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Flags of the UTF-8 character at `i`; the input must be well-formed UTF-8 with a character beginning there. */
export function classAt(bytes: Uint8Array, i: number): number {
  const lead = bytes[i]!;
  if (lead < 0x80) return ASCII[lead]!;
  const second = bytes[i + 1]! & 63;
  if (lead < 0xe0) return classOf(((lead & 31) << 6) | second);
  const third = bytes[i + 2]! & 63;
  if (lead < 0xf0) return classOf(((lead & 15) << 12) | (second << 6) | third);
  return classOf(((lead & 7) << 18) | (second << 12) | (third << 6) | (bytes[i + 3]! & 63));
}
