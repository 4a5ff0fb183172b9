// The view of an era: what the runtime put at its beginning, and the messages since.
import type { Fate, StageContext, SyntheticItem, View, ViewItem } from '../../view/types.ts';
import { copiedFate, keptFate, leftFate, summaryFate } from './fates.ts';
import type { HeadItem } from './head.ts';
import type { Era, Timeline } from './timeline.ts';
import { nameOf } from './words.ts';

/** What becomes of a view in an era. */
export interface EraView {
  readonly items: readonly ViewItem[];
  readonly fates: ReadonlyMap<number, Fate>;
}

/** Begins again after the era's compaction. What an earlier stage took out does not come back. */
export function startOver(view: View, era: Era, timeline: Timeline, { stage }: StageContext): EraView {
  const begins = Math.max(era.from, (era.compaction.summaryIndex ?? -1) + 1);
  if (!isRaw(view, begins)) return rearrange(view, era, timeline, stage);
  // Of a raw history the beginning is the same at every call point of the era: reported once.
  const key = `${stage} ${era.number}`;
  const known = timeline.beginnings.get(key) ?? rearrange({ items: view.items.slice(0, begins) }, era, timeline, stage);
  timeline.beginnings.set(key, known);
  return { items: [...known.items, ...view.items.slice(begins)], fates: known.fates };
}

function isRaw({ items }: View, end: number): boolean {
  if (items.length < end) return false;
  for (let index = 0; index < end; index++) {
    const item = items[index];
    if (item?.kind !== 'source' || item.index !== index || item.text !== undefined) return false;
  }
  return true;
}

function rearrange(view: View, era: Era, timeline: Timeline, stage: number): EraView {
  const before = new Map<number, ViewItem>();
  const since: ViewItem[] = [];
  const fates = new Map<number, Fate>();
  const explain = fateMaker(era, timeline, stage);
  for (const item of view.items) {
    if (item.kind === 'synthetic') {
      if (item.covers.to > era.from) since.push(item);
      continue;
    }
    const { index } = item;
    const fate = explain(index);
    if (fate !== null) fates.set(index, fate);
    if (index >= era.from && !era.copied.has(index)) since.push(item);
    else if (era.kept.has(index)) before.set(index, item);
  }
  const head = era.head.flatMap((item): readonly ViewItem[] => {
    if (item.kind === 'made') return [made(item, stage)];
    const found = before.get(item.index);
    return found === undefined ? [] : [found];
  });
  return { items: [...head, ...since], fates };
}

function made({ text, covers, origins }: Extract<HeadItem, { kind: 'made' }>, stage: number): SyntheticItem {
  return { kind: 'synthetic', text, covers, stage, ...(origins !== undefined && { origins }) };
}

// Messages that left with one compaction share one fate.
function fateMaker(era: Era, timeline: Timeline, stage: number): (index: number) => Fate | null {
  const left = new Map<Era, Fate>();
  const name = ({ compaction, position }: Era): string => nameOf(compaction, position + 1);
  const kept = keptFate(stage, name(era));
  return (index) => {
    if (index === era.compaction.summaryIndex && !era.copied.has(index)) return summaryFate(era, stage, name(era));
    if (era.copied.has(index)) return copiedFate(era, stage, name(era));
    if (index >= era.from) return null;
    if (era.kept.has(index)) return kept;
    const taker = timeline.takerOf(index, era);
    const known = left.get(taker) ?? leftFate(taker, stage, name(taker));
    left.set(taker, known);
    return known;
  };
}
