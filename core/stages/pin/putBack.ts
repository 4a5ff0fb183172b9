// A message as it is with what is pinned of it: whole as it was said, or with these parts and those that stand anyway.
import type { TranscriptSource } from '../../model/transcript.ts';
import { replaceAt, valueTextAt } from '../../util/json/index.ts';
import { removeParts } from '../../view/editMessage.ts';
import { editWithout, originOf } from '../../view/origins.ts';
import { itemFacts } from '../../view/reader.ts';
import type { SourceItem, StageMemo, ViewItem } from '../../view/types.ts';
import type { Demand } from './demands.ts';

/** A message that the stage changes. `item` without a text = as it was said. */
export interface PutBack {
  readonly item: SourceItem;
  /** The parts that are put back, ascending. */
  readonly parts: readonly number[];
  /** Of the pinned parts, or else of what they need, some were gone or changed. */
  readonly isPinned: boolean;
  /** It was in no place before. */
  readonly wasGone: boolean;
}

export interface PutBackContext {
  readonly source: TranscriptSource;
  readonly memo: StageMemo;
  readonly raw: SourceItem;
  /** True if a part is in the item of another message: a turn that was merged. */
  standsElsewhere(part: number): boolean;
}

/** What becomes of a message under a demand; null = all that is asked for is there. */
export function putBack(
  index: number,
  demand: Demand,
  item: SourceItem | null,
  context: PutBackContext,
): PutBack | null {
  const { source, raw } = context;
  if (item !== null && item.text === undefined) return null;
  const standing = item === null ? new Map<number, number>() : ownParts(item, context);
  const isGone = (part: number) => !standing.has(part) && !context.standsElsewhere(part);
  const pinned = [...demand.pinned].filter((part) => isGone(part) || isChanged(part, item, standing, context));
  const paired = [...demand.paired.keys()].filter(isGone);
  const wanted = new Set([...pinned, ...paired]);
  if (wanted.size === 0) return null;
  const back = [...wanted].sort((a, b) => a - b);
  const done = { parts: back, isPinned: pinned.length > 0, wasGone: item === null };
  const { parts } = source.facts(index);
  if (parts.every((_, part) => wanted.has(part))) return { item: raw, ...done };
  const isThere = [...wanted].every((part) => standing.has(part));
  if (item !== null && isThere) return { item: spliced(item, wanted, standing, context), ...done };
  const gone = new Set([...parts.keys()].filter((part) => !wanted.has(part) && !standing.has(part)));
  if (gone.size === 0) return { item: raw, ...done };
  const text = removeParts(source.text(index), source.facts(index), gone);
  return { item: editWithout(raw, text, source.facts(index), gone), ...done };
}

// Raw parts that are in the message's own item, and which of its parts each is.
function ownParts(item: SourceItem, { source, memo }: PutBackContext): Map<number, number> {
  const found = new Map<number, number>();
  for (const at of itemFacts(item, source, memo).parts.keys()) {
    for (const { message, part } of originOf(item, at)) if (message === item.index) found.set(part, at);
  }
  return found;
}

function isChanged(
  part: number,
  item: SourceItem | null,
  standing: ReadonlyMap<number, number>,
  { source, memo }: PutBackContext,
): boolean {
  const at = standing.get(part);
  if (item?.text === undefined || at === undefined) return false;
  const own = itemFacts(item, source, memo).parts[at];
  const said = source.facts(item.index).parts[part];
  if (own === undefined || said === undefined) return false;
  return valueTextAt(item.text, own.path) !== valueTextAt(source.text(item.index), said.path);
}

// The value of each part as it was said, in place of what an earlier stage made of it.
function spliced(
  item: SourceItem,
  wanted: ReadonlySet<number>,
  standing: ReadonlyMap<number, number>,
  { source, memo, raw }: PutBackContext,
): SourceItem {
  const facts = itemFacts(item, source, memo);
  let text = item.text ?? '';
  for (const part of wanted) {
    const own = facts.parts[standing.get(part) ?? -1];
    const said = source.facts(item.index).parts[part];
    const value = said === undefined ? null : valueTextAt(source.text(item.index), said.path);
    if (own !== undefined && value !== null) text = replaceAt(text, own.path, value);
  }
  return text === source.text(item.index) ? raw : { ...item, text };
}

/** The raw parts of other messages that an item holds. */
export function foreignParts(item: ViewItem): readonly string[] {
  const own = item.kind === 'source' ? item.index : null;
  return (item.origins ?? []).flat().flatMap(({ message, part }) => (message === own ? [] : [`${message}.${part}`]));
}
