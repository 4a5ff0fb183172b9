// Reading the messages of a view, whatever stages have made of them: facts and text of raw, edited and synthetic
// items alike, and the way back from an edited item's parts to those of the raw message.
import type { MessageFacts } from '../model/message.ts';
import { readEdited } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { messagesIn, ownPartOf } from './origins.ts';
import type { SourceItem, StageMemo, View, ViewItem } from './types.ts';

/** All messages of a transcript as they are. The same items for the same memo. */
export function rawItems(source: TranscriptSource, memo: StageMemo): readonly SourceItem[] {
  const items = memo.get('view.rawItems', (): SourceItem[] => []);
  for (let index = items.length; index < source.length; index++) items.push({ kind: 'source', index });
  return items;
}

/** The messages [0, at) of a transcript as they are. Items are shared between calls with the same memo. */
export function rawView(source: TranscriptSource, at: number, memo: StageMemo): View {
  const items = rawItems(source, memo);
  // The last one again, so that stages can see by identity that they are given the same.
  const last = memo.get('view.lastRaw', (): { view: View | null } => ({ view: null }));
  if (last.view === null || last.view.items.length !== at) last.view = { items: items.slice(0, at) };
  return last.view;
}

/** Read access to a view by position. */
export interface ViewReader {
  readonly length: number;
  item(position: number): ViewItem;
  facts(position: number): MessageFacts;
  /** The message's JSON text. */
  text(position: number): string;
  /** Source index, null for a synthetic message. */
  indexOf(position: number): number | null;
  /** The part of the raw message that a part is; null for synthetic messages and parts of other messages or of a stage. */
  rawPart(position: number, part: number): number | null;
}

/** Opens a view for reading. Facts of edited texts are read once and kept in the memo, by item. */
export function readView(view: View, source: TranscriptSource, memo: StageMemo): ViewReader {
  const { items } = view;
  const itemAt = (position: number): ViewItem => {
    const item = items[position];
    if (item === undefined) throw new RangeError(`no position ${position} in a view of ${items.length}`);
    return item;
  };
  const facts = (position: number): MessageFacts => itemFacts(itemAt(position), source, memo);
  return {
    length: items.length,
    item: itemAt,
    facts,
    text: (position) => itemText(itemAt(position), source),
    indexOf(position) {
      const item = itemAt(position);
      return item.kind === 'source' ? item.index : null;
    },
    rawPart(position, part) {
      return ownPartOf(itemAt(position), part);
    },
  };
}

/** Facts of a view's message. Edited and synthetic texts are read once and kept in the memo, by item. */
export function itemFacts(item: ViewItem, source: TranscriptSource, memo: StageMemo): MessageFacts {
  if (item.kind === 'source' && item.text === undefined) return source.facts(item.index);
  const edited = memo.get('view.editedFacts', () => new WeakMap<ViewItem, MessageFacts>());
  const known = edited.get(item);
  if (known !== undefined) return known;
  const read = editedFacts(item, source);
  edited.set(item, read);
  return read;
}

function editedFacts(item: ViewItem, source: TranscriptSource): MessageFacts {
  const message: unknown = JSON.parse(itemText(item, source));
  const made = messagesIn(item.kind === 'source' ? item.index : null, item.origins);
  // An edit that names a place that is not there breaks a law, which reports it; it is read all the same.
  const known = made.filter((index) => index >= 0 && index < source.length);
  return readEdited(
    message,
    known.map((index) => source.facts(index)),
  );
}

/** The JSON text of a view's message. */
export function itemText(item: ViewItem, source: TranscriptSource): string {
  return item.text ?? (item.kind === 'source' ? source.text(item.index) : '');
}
