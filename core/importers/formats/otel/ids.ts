// Ids and times of spans in one form: exporters write ids in hex or base64, times as nanoseconds or as ISO text.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function hexOf(base64: string): string {
  let bits = 0;
  let held = 0;
  let hex = '';
  for (const letter of base64.replace(/=+$/, '')) {
    held = (held << 6) | ALPHABET.indexOf(letter);
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      hex += ((held >> bits) & 0xff).toString(16).padStart(2, '0');
      held &= (1 << bits) - 1;
    }
  }
  return hex;
}

/** A trace's id in hex; '' if there is none. */
export function traceId(id: string | undefined): string {
  return normal(id, /^[A-Za-z0-9+/]{22}==$/) ?? '';
}

/** A span's id in hex; null if there is none (or it is all zeros, which says the same). */
export function spanId(id: string | undefined): string | null {
  return normal(id, /^[A-Za-z0-9+/]{11}=$/);
}

function normal(id: string | undefined, base64: RegExp): string | null {
  if (id === undefined || /^(0x)?0*$/.test(id)) return null;
  return base64.test(id) ? hexOf(id) : id.replace(/^0x/, '');
}

/** A time as nanoseconds in 20 digits, which sort as text; '' if it is none. */
export function timeOf(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return nanos(String(Math.trunc(value)));
  if (typeof value !== 'string') return '';
  if (/^\d{10,19}$/.test(value)) return nanos(value);
  const found = /^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(value);
  const seconds = found ? Date.parse(`${found[1]?.replace(' ', 'T')}${found[3] ?? 'Z'}`) / 1000 : Number.NaN;
  return Number.isInteger(seconds) && seconds > 0 ? nanos(`${seconds}${(found?.[2] ?? '').padEnd(9, '0')}`) : '';
}

// Seconds, milliseconds, microseconds and nanoseconds of our time have 10, 13, 16 and 19 digits.
function nanos(digits: string): string {
  return digits.padEnd(19, '0').padStart(20, '0');
}
