// Finding some anchors again: in a text that may hold one of them by a quick look, by reading its own anchors, so that one
// is kept apart from a longer one that contains it. A quoted one is found without its quotes too.
import { type Anchor, anchorKey, anchorsOf } from './anchors.ts';

/** Finds some anchors again. */
export interface AnchorFinder {
  readonly anchors: readonly Pick<Anchor, 'kind' | 'text'>[];
  /** False if a message's JSON text cannot hold any of them. */
  mayStandIn(json: string): boolean;
  /** Adds the positions (in `anchors`) of those that are in a string. */
  addFound(text: string, found: Set<number>): void;
}

/** The anchors without repetitions, in order. */
export function distinctAnchors(anchors: readonly Anchor[]): readonly Anchor[] {
  const byKey = new Map<string, Anchor>();
  for (const anchor of anchors) if (!byKey.has(anchorKey(anchor))) byKey.set(anchorKey(anchor), anchor);
  return [...byKey.values()];
}

/** A finder of these anchors, at least one, none twice. */
export function anchorFinder(anchors: readonly Pick<Anchor, 'kind' | 'text'>[]): AnchorFinder {
  const places = new Map(anchors.map((anchor, at) => [anchorKey(anchor), at]));
  const quoted = anchors.flatMap(({ kind, text }, at) => (kind === 'quoted' ? [{ at, form: boundedForm(text) }] : []));
  const look = new RegExp([...new Set(anchors.map(({ text }) => escaped(pieceOf(text))))].join('|'), 'u');
  return {
    anchors,
    mayStandIn: (json) => look.test(json) || json.includes('\\u'),
    addFound(text, found) {
      if (!look.test(text)) return;
      for (const anchor of anchorsOf(text)) {
        const at = places.get(anchorKey(anchor));
        if (at !== undefined) found.add(at);
      }
      for (const { at, form } of quoted) if (!found.has(at) && form.test(text)) found.add(at);
    },
  };
}

// What is in every writing of it: the longest run of letters and digits; of a number its last three digits.
function pieceOf(text: string): string {
  if (/^\d{4,}$/.test(text)) return text.slice(-3);
  const runs = text.match(/[\p{L}\p{N}]+/gu) ?? [text];
  return runs.reduce((best, run) => (run.length > best.length ? run : best), '');
}

const WORD = '[\\p{L}\\p{M}\\p{N}_]';

function boundedForm(text: string): RegExp {
  return new RegExp(`(?<!${WORD})${text.split(' ').map(escaped).join('\\s+')}(?!${WORD})`, 'u');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
