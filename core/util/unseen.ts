// browser-safe
// Characters that cannot be seen, or that turn the order of what can be: a text with them is not what it looks like.
// Source: Unicode 16, Cf and Cc; https://www.unicode.org/reports/tr9/ (bidirectional formatting).

// A joiner within emoji or within a script that joins its letters is seen by what it does there; after ASCII it is not.
const SOURCE =
  '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufeff]' +
  '|(?<=^|[\\x00-\\x7f])[\\u200c\\u200d]|[\\u{e0000}-\\u{e007f}]';

const UNSEEN = new RegExp(SOURCE, 'u');
const ALL_UNSEEN = new RegExp(SOURCE, 'gu');

/** `U+202E`. */
export function codeOf(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The text with each unseen character as `<U+202E>`. */
export function withCodes(text: string): string {
  return text.replace(ALL_UNSEEN, (char) => `<${codeOf(char)}>`);
}

// What a terminal acts on (C0 but the line feed, DEL, C1), and what turns or hides text wherever it stands: there the
// joiners too, since no terminal joins what they join. Source: ECMA-48, 5.2 and 5.3; Unicode 16, Bidi_Control.
const FOR_TERMINAL =
  /[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u180e\u200b-\u200f\u2028\u2029\u2060-\u2064\u206a-\u206f\ufeff\p{Bidi_Control}\u{e0000}-\u{e007f}]/gu;

/** The text as a terminal may be given it: line feeds stay, any other control or unseen character is `<U+001B>`. */
export function forTerminal(text: string): string {
  return text.replace(FOR_TERMINAL, (char) => `<${codeOf(char)}>`);
}

/** JSON text as a terminal may be given it, of the same value: what {@link forTerminal} shows stands as `\u009b`. */
export function jsonForTerminal(json: string): string {
  return json.replace(FOR_TERMINAL, (char) => (char === '\t' || char === '\r' ? ' ' : unitsOf(char)));
}

/**
 * A string literal of the same value, with what cannot be seen as escapes: `\u202e`; of a character beyond the first plane two
 * units, as JSON and JavaScript have them, or (`points`) one `\U000e0041`, as Python does.
 */
export function unseenEscaped(literal: string, beyond: 'units' | 'points'): string {
  return literal.replace(FOR_TERMINAL, (char) => {
    const point = char.codePointAt(0) ?? 0;
    return beyond === 'points' && point > 0xffff ? `\\U${point.toString(16).padStart(8, '0')}` : unitsOf(char);
  });
}

function unitsOf(char: string): string {
  return char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** The text in pieces, in order: what can be seen, and single characters that cannot. */
export function seenPieces(text: string): readonly { readonly text: string; readonly isUnseen: boolean }[] {
  if (!UNSEEN.test(text)) return [{ text, isUnseen: false }];
  const pieces: { text: string; isUnseen: boolean }[] = [];
  let from = 0;
  for (const { 0: char, index } of text.matchAll(ALL_UNSEEN)) {
    if (index > from) pieces.push({ text: text.slice(from, index), isUnseen: false });
    pieces.push({ text: char, isUnseen: true });
    from = index + char.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isUnseen: false });
  return pieces;
}

/** What a character does, for those that mislead most; '' for the others. */
export function unseenName(char: string): string {
  return NAMES[char.codePointAt(0) ?? 0] ?? '';
}

const NAMES: Readonly<Record<number, string>> = {
  0: 'null',
  7: 'bell',
  8: 'backspace',
  27: 'escape',
  127: 'delete',
  173: 'soft hyphen',
  8203: 'zero-width space',
  8204: 'zero-width non-joiner',
  8205: 'zero-width joiner',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'end of a directional embedding or override',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8288: 'word joiner',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'end of a directional isolate',
  65279: 'zero-width no-break space (byte order mark)',
};
