// Two requests at one call point, message by message: what a person sees in two panes, and what `parallax compare` prints.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { Projection } from '../../projection/types.ts';
import { itemText } from '../../view/reader.ts';
import type { Fate, FateKind, SourceItem, SyntheticItem, View, ViewItem } from '../../view/types.ts';
import type { DifferingMade, DifferingMessage, MessageDifference, RequestDifference, SideFate } from './types.ts';

/** A request as a policy makes it. */
export type ComparedRequest = Pick<Projection, 'at' | 'view' | 'said'>;

const EQUAL: RequestDifference = { equal: true, messages: [], made: [] };

/** Compares what would be sent. Both were made at the same call point of the same transcript. O(messages). */
export function compareRequests(source: TranscriptSource, a: ComparedRequest, b: ComparedRequest): RequestDifference {
  if (sameMessages(source, a.view.items, b.view.items)) return EQUAL;
  const [inA, inB] = [bySource(a.view), bySource(b.view)];
  const messages: DifferingMessage[] = [];
  for (let index = 0; index < a.at; index++) {
    const differs = differenceOf(source, inA.get(index), inB.get(index), a.said.kindOf(index), b.said.kindOf(index));
    if (differs !== null)
      messages.push({ index, differs, a: sideOf(a.said.fateOf(index)), b: sideOf(b.said.fateOf(index)) });
  }
  return { equal: false, messages, made: madeDifference(a.view, b.view) };
}

/** True if two requests hold the same messages in the same order, as texts. */
export function sameMessages(source: TranscriptSource, a: readonly ViewItem[], b: readonly ViewItem[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  return a.every((item, at) => sameText(source, item, b[at]));
}

/** True if two items are sent as the same text. */
export function sameText(source: TranscriptSource, a: ViewItem, b: ViewItem | undefined): boolean {
  if (a === b) return true;
  if (b === undefined) return false;
  if (a.kind === 'source' && b.kind === 'source' && a.index === b.index && a.text === b.text) return true;
  return itemText(a, source) === itemText(b, source);
}

/** How a message differs between two requests; null = it does not. Absent item = the request does not hold it. */
export function differenceOf(
  source: TranscriptSource,
  a: ViewItem | undefined,
  b: ViewItem | undefined,
  kindA: FateKind,
  kindB: FateKind,
): MessageDifference | null {
  if (a !== undefined && b !== undefined) return sameText(source, a, b) ? null : 'text';
  // What was merged is in another message, with others.
  if (a !== undefined) return kindB === 'merged' ? 'text' : 'only_a';
  if (b !== undefined) return kindA === 'merged' ? 'text' : 'only_b';
  return kindA === kindB ? null : 'fate';
}

/** A fate as one side of a comparison. */
export function sideOf({ kind, stage, rule, reason }: Fate): SideFate {
  return { fate: kind, stage, rule, reason };
}

function bySource({ items }: View): ReadonlyMap<number, SourceItem> {
  const found = new Map<number, SourceItem>();
  for (const item of items) if (item.kind === 'source') found.set(item.index, item);
  return found;
}

// Made messages of one request that the other does not hold at all. Of equal ones each accounts for one.
function madeDifference(a: View, b: View): readonly DifferingMade[] {
  return [...madeOnly('a', a, b), ...madeOnly('b', b, a)];
}

function madeOnly(side: 'a' | 'b', own: View, other: View): readonly DifferingMade[] {
  const left = new Map<string, number>();
  for (const item of other.items) {
    if (item.kind === 'synthetic') left.set(item.text, (left.get(item.text) ?? 0) + 1);
  }
  return own.items.flatMap((item) => {
    if (item.kind !== 'synthetic') return [];
    const count = left.get(item.text) ?? 0;
    left.set(item.text, count - 1);
    return count > 0 ? [] : [describeMade(side, item)];
  });
}

function describeMade(side: 'a' | 'b', { covers, stage, made, text }: SyntheticItem): DifferingMade {
  return { side, covers: [covers.from, covers.to], stage, rule: made?.rule ?? null, text };
}
