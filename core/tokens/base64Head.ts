// browser-safe
const CHARS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const VALUES = new Int8Array(128).fill(-1);
for (let i = 0; i < CHARS.length; i++) VALUES[CHARS.charCodeAt(i)] = i;
VALUES['-'.charCodeAt(0)] = 62;
VALUES['_'.charCodeAt(0)] = 63;

/** The first bytes of a base64 or base64url text, at most `limit`: enough for a file's header. Stops at what is none. */
export function base64Head(text: string, limit = 65_536): Uint8Array {
  const out = new Uint8Array(Math.min(limit, Math.floor((text.length * 3) / 4)));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let i = 0; i < text.length && at < out.length; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1;
    if (value < 0) break;
    held = (held << 6) | value;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out[at++] = (held >> bits) & 0xff;
    held &= (1 << bits) - 1;
  }
  return out.subarray(0, at);
}
