const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * How many bytes a base64 or base64url text decodes to, 0 if it is none: white space and missing padding are allowed,
 * but decoding and encoding again must give the same text.
 */
export function base64Bytes(text: string): number {
  const compact = text.trim().replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/=_-]+$/.test(compact)) return 0;
  const body = compact.replace(/=+$/, '');
  // Both alphabets in one text, or padding inside it, do not survive encoding again.
  if (body.includes('=') || (/[-_]/.test(body) && /[+/]/.test(body))) return 0;
  const rest = body.length % 4;
  if (rest === 1) return 0;
  return hasStrayBits(body, rest) ? 0 : Math.floor((body.length * 3) / 4);
}

// Bits of the last character that belong to no byte are zero in what an encoder writes.
function hasStrayBits(body: string, rest: number): boolean {
  if (rest === 0) return false;
  const last = ALPHABET.indexOf((body.at(-1) ?? '').replace('-', '+').replace('_', '/'));
  return (last & (rest === 2 ? 15 : 3)) !== 0;
}
