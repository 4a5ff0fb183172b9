// Two requests as one list of lines, a message next to itself: what two panes show side by side.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { SourceItem, SyntheticItem, View, ViewItem } from '../../view/types.ts';
import { sameText } from './requests.ts';

/** `equal` = both send it as the same text; `text` = both send it, in other words; `only_a`, `only_b` = one sends it. */
export type AlignedMark = 'equal' | 'text' | 'only_a' | 'only_b';

/** A line of the list: at least one side holds a message. */
export interface AlignedMessage {
  readonly mark: AlignedMark;
  readonly a: ViewItem | null;
  readonly b: ViewItem | null;
}

interface Placed {
  readonly source: SourceItem | null;
  /** Source index before which `made` stand. */
  readonly before: number;
  readonly made: readonly SyntheticItem[];
}

/**
 * Every message of both requests once, made at the same call point of the same transcript. Messages of the transcript are
 * in their order; a made one stands before the next of them in its request, or at the end. O(messages).
 */
export function alignRequests(source: TranscriptSource, a: View, b: View): readonly AlignedMessage[] {
  const [inA, inB] = [placesOf(a), placesOf(b)];
  const lines: AlignedMessage[] = [];
  for (let [i, j] = [0, 0]; i < inA.length || j < inB.length; ) {
    const [ofA, ofB] = [inA[i], inB[j]];
    const next = Math.min(ofA?.before ?? Number.POSITIVE_INFINITY, ofB?.before ?? Number.POSITIVE_INFINITY);
    const [hereA, hereB] = [ofA?.before === next ? ofA : null, ofB?.before === next ? ofB : null];
    if (hereA !== null) i++;
    if (hereB !== null) j++;
    lines.push(...madeLines(hereA?.made ?? [], hereB?.made ?? []));
    const line = lineOf(source, hereA?.source ?? null, hereB?.source ?? null);
    if (line !== null) lines.push(line);
  }
  return lines;
}

const END = Number.MAX_SAFE_INTEGER;

// Of a request out of order the messages are put in order: lines are those of the transcript.
function placesOf({ items }: View): readonly Placed[] {
  const places: Placed[] = [];
  let made: SyntheticItem[] = [];
  for (const item of items) {
    if (item.kind === 'synthetic') {
      made.push(item);
      continue;
    }
    places.push({ source: item, before: item.index, made });
    made = [];
  }
  if (made.length > 0) places.push({ source: null, before: END, made });
  const isInOrder = places.every(({ before }, at) => at === 0 || before > (places[at - 1]?.before ?? 0));
  return isInOrder ? places : places.toSorted((x, y) => x.before - y.before);
}

function lineOf(source: TranscriptSource, a: SourceItem | null, b: SourceItem | null): AlignedMessage | null {
  if (a !== null && b !== null) return { mark: sameText(source, a, b) ? 'equal' : 'text', a, b };
  if (a !== null) return { mark: 'only_a', a, b };
  return b === null ? null : { mark: 'only_b', a, b };
}

// Equal ones in a line, in their order; of those between, one that stands for the same span in both is one line too.
function madeLines(a: readonly SyntheticItem[], b: readonly SyntheticItem[]): readonly AlignedMessage[] {
  const lines: AlignedMessage[] = [];
  let done = 0;
  for (const item of a) {
    const same = indexFrom(b, done, (other) => other.text === item.text);
    const found = same >= 0 ? same : indexFrom(b, done, (other) => covers(other, item));
    for (const other of b.slice(done, Math.max(done, found))) lines.push({ mark: 'only_b', a: null, b: other });
    const pair = b[found] ?? null;
    lines.push({ mark: pair === null ? 'only_a' : same >= 0 ? 'equal' : 'text', a: item, b: pair });
    if (found >= 0) done = found + 1;
  }
  for (const other of b.slice(done)) lines.push({ mark: 'only_b', a: null, b: other });
  return lines;
}

function indexFrom<T>(items: readonly T[], from: number, fits: (item: T) => boolean): number {
  for (let at = from; at < items.length; at++) if (fits(items[at]!)) return at;
  return -1;
}

function covers({ covers: one }: SyntheticItem, { covers: other }: SyntheticItem): boolean {
  return one.to > one.from && one.from === other.from && one.to === other.to;
}
