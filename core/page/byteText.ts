// Bytes as text that an HTML file holds unchanged: seven bits in a character of one byte, which makes a file of UTF-8 an eighth
// longer than the bytes (base64: a third). Four of the 128 characters do not come through a script element of a file that is sent around:
// NUL and CR, which the parser replaces; LF, which some tools rewrite; and `<`, which could end the element. Each is written
// together with the seven bits after it, as one character of two bytes from U+0080 on; at the end of the text, as one from U+0280.

/** The bytes as text. `bytesOf` reads it back. */
export function textOfBytes(bytes: Uint8Array): string {
  const codes: number[] = [];
  let held = 0;
  let count = 0;
  let pending: number | null = null;
  const put = (seven: number): void => {
    const special = SPECIAL.indexOf(seven);
    if (pending !== null) codes.push(0x80 + pending * 128 + seven);
    else if (special < 0) codes.push(seven);
    pending = pending === null && special >= 0 ? special : null;
  };
  for (const byte of bytes) {
    held = ((held & 0x7f) << 8) | byte;
    count += 8;
    while (count >= 7) {
      count -= 7;
      put((held >> count) & 0x7f);
    }
  }
  if (count > 0) put((held << (7 - count)) & 0x7f);
  if (pending !== null) codes.push(0x280 + pending);
  return written(codes);
}

const SPECIAL: readonly number[] = [0, 10, 13, 60];

// A call takes only so many arguments.
function written(codes: readonly number[]): string {
  const texts: string[] = [];
  for (let from = 0; from < codes.length; from += 8192) {
    texts.push(String.fromCharCode(...codes.slice(from, from + 8192)));
  }
  return texts.join('');
}

/**
 * The bytes that `textOfBytes` wrote. It names nothing outside itself: the built page holds its source as well, in the script
 * that unpacks the others.
 */
export function bytesOfText(text: string): Uint8Array<ArrayBuffer> {
  const special = [0, 10, 13, 60];
  const bytes = new Uint8Array(Math.ceil((text.length * 14) / 8));
  let length = 0;
  let held = 0;
  let count = 0;
  const take = (seven: number): void => {
    held = ((held & 0x7f) << 7) | seven;
    count += 7;
    if (count < 8) return;
    count -= 8;
    bytes[length++] = (held >> count) & 0xff;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) take(code);
    else if (code >= 0x280) take(special[code - 0x280] ?? 0);
    else {
      take(special[(code - 0x80) >> 7] ?? 0);
      take(code & 0x7f);
    }
  }
  return bytes.slice(0, length);
}
