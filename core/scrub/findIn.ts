import { DETECTORS } from './detectors.ts';
import type { Detector, Found, Hit, StandInOf } from './types.ts';
import { encodedTexts, percentDecoded, unescaped, type View, withoutColours } from './views.ts';

/** Texts inside texts are followed this far. */
const DEEPEST = 6;

const IDENTITY = (offset: number): number => offset;

/** One layer of a text, and the way back to the text itself. */
interface Layer {
  readonly text: string;
  readonly place: (offset: number) => number;
  readonly end: (offset: number) => number;
  /** Layers of escapes that were undone. */
  readonly depth: number;
}

/** A find with the layer it was made in, so that it can be widened there. */
interface Layered extends Found {
  readonly layer: Layer;
  /** Offsets in the layer's text. */
  readonly start: number;
  readonly end: number;
}

/** How a text is to be searched. */
export interface FindOptions {
  readonly detectors?: readonly Detector[];
  /** The text is what is between the quotes of a JSON string: it is not searched before its escapes are undone. */
  readonly isEscaped?: boolean;
}

/**
 * All that detectors find in a text, at whatever depth of escapes, percent signs and base64, as stretches of the text
 * itself: in order, none overlapping another. Linear in the length of the text.
 */
export function findIn(text: string, { detectors = DETECTORS, isEscaped = false }: FindOptions = {}): readonly Found[] {
  const found: Layered[] = [];
  for (const layer of layersOf(text, isEscaped)) {
    for (const detect of detectors) {
      for (const hit of detect(layer.text)) if (!isWithinEscape(layer.text, hit)) found.push(inLayer(text, layer, hit));
    }
    for (const inner of foundInBase64(text, layer, detectors)) found.push(inner);
  }
  return apart(text, found);
}

// The letter of `\\n` is not the beginning of a word: the next layer has the word itself. Folders are named behind a backslash.
function isWithinEscape(text: string, { kind, from }: Hit): boolean {
  return kind !== 'home' && text.charAt(from - 1) === '\\' && /[nrtbfvux0]/.test(text.charAt(from));
}

function* layersOf(text: string, isEscaped: boolean): Generator<Layer> {
  let layer: Layer = { text, place: IDENTITY, end: IDENTITY, depth: 0 };
  for (let depth = 0; depth < DEEPEST; depth++) {
    // A word does not end where a colour begins, and a name may have one before its value.
    const plain = withoutColours(layer.text);
    if (plain !== null) layer = under(layer, plain);
    const view = unescaped(layer.text);
    if (depth > 0 || !isEscaped || view === null) yield layer;
    const percent = percentDecoded(layer.text);
    if (percent !== null) yield under(layer, percent);
    if (view === null) return;
    layer = under(layer, view);
  }
}

function under(layer: Layer, view: View): Layer {
  return {
    text: view.text,
    place: (offset) => layer.place(view.place(offset)),
    end: (offset) => layer.end(view.end(offset)),
    depth: layer.depth + 1,
  };
}

function inLayer(text: string, layer: Layer, { kind, tier, from, to, whole }: Hit): Layered {
  const { place, end } = layer;
  const value = whole ?? layer.text.slice(from, to);
  const write = (standIn: StandInOf): string => {
    const of = standIn(kind, value);
    const other = whole === undefined ? of : of.slice(0, to - from);
    // What does not change keeps the way it is escaped. A short value's stand-in may be longer, by letters and digits.
    let written = '';
    for (let at = 0; at < other.length; at++) {
      const next = from + at + 1;
      written += other[at] === value[at] ? text.slice(place(next - 1), next < to ? place(next) : end(next)) : other[at];
    }
    return written;
  };
  return { kind, tier, value, from: place(from), to: end(to), write, layer, start: from, end: to };
}

function* foundInBase64(text: string, layer: Layer, detectors: readonly Detector[]): Generator<Layered> {
  for (const { from, to, text: inner, encode } of encodedTexts(layer.text)) {
    const within = findIn(inner, { detectors });
    const first = within.find(({ tier }) => tier === 'definite') ?? within[0];
    if (first === undefined) continue;
    const whole = inLayer(text, layer, { ...first, from, to });
    yield { ...whole, value: first.value, write: (standIn) => encode(rewritten(inner, within, standIn)) };
  }
}

/** The text with each found stretch written with its stand-in. */
export function rewritten(text: string, found: readonly Found[], standIn: StandInOf): string {
  if (found.length === 0) return text;
  const pieces: string[] = [];
  let last = 0;
  for (const one of found) {
    pieces.push(text.slice(last, one.from), one.write(standIn));
    last = one.to;
  }
  pieces.push(text.slice(last));
  return pieces.join('');
}

// Of two at the same place the more decoded one is kept: its value is the same however it was escaped.
// Of two that overlap the one that covers the other is kept; where neither does, both as one stretch.
function apart(text: string, found: Layered[]): readonly Found[] {
  if (found.length < 2) return found;
  const order = found.map((one, at) => ({ one, at }));
  order.sort(
    (a, b) =>
      a.one.from - b.one.from ||
      b.one.to - a.one.to ||
      rank(a.one) - rank(b.one) ||
      b.one.layer.depth - a.one.layer.depth ||
      a.at - b.at,
  );
  const kept: Layered[] = [];
  for (const { one } of order) {
    const last = kept.at(-1);
    if (last === undefined || one.from >= last.to) kept.push(one);
    else kept[kept.length - 1] = joined(text, last, one);
  }
  return kept;
}

function rank({ tier }: Found): number {
  return tier === 'definite' ? 0 : 1;
}

// `a` begins first, or is the longer one.
function joined(text: string, a: Layered, b: Layered): Layered {
  const sure = rank(b) < rank(a) ? b : a;
  if (b.to <= a.to) return sure === a ? a : { ...a, kind: b.kind, tier: b.tier };
  const { layer } = sure;
  let { start, end } = sure;
  while (start > 0 && layer.place(start) > a.from) start--;
  while (end < layer.text.length && layer.end(end) < b.to) end++;
  return inLayer(text, layer, { kind: sure.kind, tier: sure.tier, from: start, to: end });
}
