// browser-safe
// Canonically equivalent spellings: “é” is one character, or an e with an accent behind it, and a person sees no difference.
// Names of files are decomposed on some systems, what is typed is composed.

/** A character with the marks on it, or the letters that one Hangul syllable is made of. */
const CLUSTERS = /(?:[\u1100-\u115f][\u1160-\u11a7]|[\uac00-\ud7a3])[\u11a8-\u11ff]?|\P{M}\p{M}*|\p{M}+/gu;

const ASCII = /^[\u0000-\u007f]*$/;

const MARK = /^\p{M}/u;

/** Of more marks on one character only the order that Unicode gives them is tried. */
const MOST_ORDERED = 3;
/** More are compared as they are given, composed and decomposed alone. */
const MOST_MARKS = 6;

/** The text cut into characters that have several spellings, and stretches between them. Joined they are the text. */
export function clustersOf(text: string): readonly string[] {
  return ASCII.test(text) ? [text] : (text.match(CLUSTERS) ?? []);
}

/**
 * The spellings of a cluster: as given, composed, decomposed, composed in part, its marks in any order that means the same.
 * The first is the given one. Signs that are only there for older codes, such as the Kelvin sign, are not among them.
 */
export function canonicalForms(cluster: string): readonly string[] {
  if (ASCII.test(cluster)) return [cluster];
  const decomposed = cluster.normalize('NFD');
  const forms = new Set([cluster, cluster.normalize('NFC'), decomposed]);
  const signs = [...decomposed];
  const base = MARK.test(signs[0] ?? '') ? '' : signs[0]!;
  const marks = base === '' ? signs : signs.slice(1);
  if (marks.length === 0 || marks.length > MOST_MARKS) return [...forms];
  for (const order of marks.length <= MOST_ORDERED ? ordersOf(marks) : [marks]) {
    if ((base + order.join('')).normalize('NFD') !== decomposed) continue;
    for (let composed = 0; composed <= order.length; composed++) {
      forms.add((base + order.slice(0, composed).join('')).normalize('NFC') + order.slice(composed).join(''));
    }
  }
  return [...forms];
}

function ordersOf(marks: readonly string[]): readonly (readonly string[])[] {
  if (marks.length < 2) return [marks];
  return marks.flatMap((first, at) => ordersOf(marks.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

/** In small letters and composed: what names and words are compared by where letter case does not matter. */
export function smallLetters(text: string): string {
  return text.toLowerCase().normalize('NFC');
}
