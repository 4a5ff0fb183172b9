/** The number of Unicode scalars: a surrogate pair counts 1, a lone surrogate too. */
export function scalarCount(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xdc00 && unit <= 0xdfff && isHighSurrogate(text.charCodeAt(i - 1))) count--;
  }
  return count;
}

/** The number of bytes of the text in UTF-8; a lone surrogate counts as U+FFFD, 3 bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2; // 4 bytes for 2 units
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
