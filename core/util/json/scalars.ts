/** The value of the JSON string literal text[start, end), quotes included, which must be valid. */
export function parseString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  if (!inner.includes('\\')) return inner;
  const value: unknown = JSON.parse(`"${inner}"`);
  if (typeof value !== 'string') throw new Error('a string literal did not read as a string');
  return value;
}

/**
 * A string as JSON with the fewest escapes: `"` `\` \b \f \n \r \t, other controls as \u00xx and lone
 * surrogates as \udxxx in lower case, all else raw. That is JSON.stringify's own form (ECMA-262 QuoteJSONString).
 */
export function jsonString(value: string): string {
  return JSON.stringify(value);
}

// An escape that jsonString would not write, or would write otherwise.
const OTHER_ESCAPE = /\\(?:\/|u(?!00[01])|u00(?:0[89acdACD]|[01][A-F]))/;

/** The string literal in its form with the fewest escapes (see jsonString); most literals are so already and come back as they are. */
export function canonicalString(literal: string): string {
  return isMinimal(literal) ? literal : jsonString(parseString(literal, 0, literal.length));
}

function isMinimal(literal: string): boolean {
  if (!literal.isWellFormed()) return false;
  if (!literal.includes('\\')) return true;
  // Escaped backslashes go first, so that `\\\\u0041` (a backslash and five letters) is not taken for an escape.
  return !OTHER_ESCAPE.test(literal.replaceAll('\\\\', ''));
}

const MAX_U64 = '18446744073709551615';
const MIN_I64_DIGITS = '9223372036854775808';

/**
 * A number lexeme as Rust's serde_json prints it: integers within i64/u64 digit for digit, everything else a
 * double with its shortest digits, at least one after the point, exponent form below 1e-5 and from 1e16.
 * Source: spec of the prefix hash. A literal beyond a double (1e999) is not a number to serde: it is kept, in lower case.
 */
export function canonicalNumber(lexeme: string): string {
  if (lexeme.length < 16 && /^(?:-?[1-9][0-9]*|0)$/.test(lexeme)) return lexeme;
  if (/^-?[0-9]+$/.test(lexeme) && fitsInteger(lexeme)) return lexeme;
  const value = Number(lexeme);
  return Number.isFinite(value) ? canonicalDouble(value) : lexeme.toLowerCase();
}

function fitsInteger(lexeme: string): boolean {
  if (lexeme === '-0') return false;
  const negative = lexeme.startsWith('-');
  const digits = negative ? lexeme.slice(1) : lexeme;
  const limit = negative ? MIN_I64_DIGITS : MAX_U64;
  return digits.length < limit.length || (digits.length === limit.length && digits <= limit);
}

/** A finite double as serde_json prints an f64: `1.0`, `-0.0`, `0.00001`, `1e-6`, `1e16`, `1.5e300`. */
export function canonicalDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const size = Math.abs(value);
  if (size < 1e-5 || size >= 1e16) return value.toExponential().replace('+', '');
  const digits = String(value);
  return digits.includes('.') ? digits : `${digits}.0`;
}

/** Orders strings by code point, which is the order of their UTF-8 bytes (UTF-16 order puts U+E000–U+FFFF after emoji). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

// Surrogates stand for code points above U+FFFF, so they rank above every other unit.
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
