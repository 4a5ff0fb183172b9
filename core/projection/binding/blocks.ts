// The signed thinking blocks of a transcript, in order, with what each needs to be judged: where it stands.
import type { MessageFacts } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { isRecord, ownAt } from '../../util/unknown.ts';
import type { StageMemo } from '../../view/types.ts';
import { isThinking, type Place, placeIn } from './places.ts';

/** A signed thinking block: its message and part, and how much stands before it. */
export interface SignedBlock {
  readonly index: number;
  readonly part: number;
  readonly place: Place;
}

/** What a transcript holds that the check looks at. */
export interface BlockTable {
  /** Ascending. */
  readonly blocks: readonly SignedBlock[];
  /** Of a message the first of its blocks, as a position in `blocks`. */
  readonly firstOf: ReadonlyMap<number, number>;
  /** Places of compaction blocks, ascending: a provider reads from the newest one on. */
  readonly compactions: readonly Place[];
}

class GrowingTable implements BlockTable {
  readonly blocks: SignedBlock[] = [];
  readonly firstOf = new Map<number, number>();
  readonly compactions: Place[] = [];
  read = 0;
}

/** The table of all messages; read once, and on where the transcript has grown. */
export function blockTable(source: TranscriptSource, memo: StageMemo): BlockTable {
  const table = memo.get('binding.blocks', () => new GrowingTable());
  for (; table.read < source.length; table.read++) addMessage(table, source, table.read);
  return table;
}

function addMessage(table: GrowingTable, source: TranscriptSource, index: number): void {
  const { parts } = source.facts(index);
  for (const [part, { signed }] of parts.entries()) {
    if (signed !== true || !isThinking(parts[part]!)) continue;
    if (!table.firstOf.has(index)) table.firstOf.set(index, table.blocks.length);
    table.blocks.push({ index, part, place: placeIn(index, offsetOf(parts, part)) });
  }
  if (!parts.some(mayBeCompaction)) return;
  const text = source.text(index);
  if (!text.includes('"compaction"')) return;
  for (const offset of compactionOffsets(JSON.parse(text))) table.compactions.push(placeIn(index, offset));
}

/** How many blocks that are not thinking stand before a part, in the list that it is in. */
export function offsetOf(parts: MessageFacts['parts'], part: number): number {
  const own = parts[part]?.path ?? [];
  const [list, element] = own;
  if (list !== 'content' || typeof element !== 'number') return 0;
  const thinking = parts.slice(0, part).filter((each) => each.path[0] === 'content' && isThinking(each));
  return element - thinking.length;
}

function mayBeCompaction({ kind, category }: MessageFacts['parts'][number]): boolean {
  return category !== 'thinking' && (kind === 'opaque' || kind === 'other');
}

/** Offsets of the compaction blocks of a message (see {@link offsetOf}); one without content is a summary that failed. */
export function compactionOffsets(message: unknown): number[] {
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  if (!Array.isArray(content)) return [];
  const offsets: number[] = [];
  let offset = 0;
  for (const block of content) {
    const type = isRecord(block) ? ownAt(block, 'type') : undefined;
    if (type === 'thinking' || type === 'redacted_thinking') continue;
    if (type === 'compaction' && isRecord(block) && ownAt(block, 'content') !== null) offsets.push(offset);
    offset++;
  }
  return offsets;
}
