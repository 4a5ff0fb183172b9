// Blocks and marks of the raw messages as a prompt cache counts them, from the digest: no facts are read but those of
// messages with a mark.
import type { CacheTtl } from '../../model/cacheMark.ts';
import { CATEGORIES } from '../../model/category.ts';
import { isRun, type Tallied, talliedParts } from '../../projection/callPointSums.ts';
import { SIZE_BITS } from '../../store/index.ts';
import type { StoredSource } from '../../store/types.ts';
import type { StageMemo } from '../../view/types.ts';

/** A transcript, with what is remembered of it. */
interface Digested {
  readonly source: Pick<StoredSource, 'digest' | 'partPrefix' | 'length'>;
  readonly memo: StageMemo;
}

/** Sums over the raw messages of a transcript. */
export interface RawBlocks {
  /** before[i] = blocks of the messages before i. */
  readonly before: Uint32Array;
  /** Messages that carry a mark, ascending. */
  readonly marked: readonly number[];
}

const RUNS: readonly boolean[] = CATEGORIES.map(isRun);
const NO_MARKS: Tallied['marks'] = [];

/** Made once for as long as the transcript does not grow. Linear in its parts. */
export function rawBlocks({ source, memo }: Digested): RawBlocks {
  const known = memo.get('engine.rawBlocks', () => new WeakMap<object, RawBlocks>());
  const digest = source.digest();
  const made = known.get(digest) ?? countBlocks(digest.sizes, digest.cacheMarks, source.partPrefix(), source.length);
  known.set(digest, made);
  return made;
}

function countBlocks(
  sizes: Uint32Array,
  marks: ReadonlyMap<number, CacheTtl>,
  prefix: Uint32Array,
  messages: number,
): RawBlocks {
  const before = new Uint32Array(messages + 1);
  const marked: number[] = [];
  for (let message = 0; message < messages; message++) {
    let blocks = 0;
    let run = -1;
    let isMarked = false;
    for (let part = prefix[message]!; part < prefix[message + 1]!; part++) {
      const slot = sizes[part]! >>> SIZE_BITS;
      if (slot !== run || RUNS[slot] !== true) blocks++;
      run = slot;
      if (marks.size > 0 && marks.has(part)) isMarked = true;
    }
    before[message + 1] = before[message]! + blocks;
    if (isMarked) marked.push(message);
  }
  return { before, marked };
}

/** What a raw message adds to the sums; `tokens` is asked for a message with marks only. */
export function talliedRaw(
  { source, memo }: Digested & { readonly source: Pick<StoredSource, 'facts'> },
  index: number,
  tokens: (index: number) => readonly number[],
): Tallied {
  const { before } = rawBlocks({ source, memo });
  const { cacheMarks } = source.digest();
  const blocks = before[index + 1]! - before[index]!;
  if (cacheMarks.size === 0) return { blocks, marks: NO_MARKS };
  const prefix = source.partPrefix();
  let hasMark = false;
  for (let part = prefix[index]!; part < prefix[index + 1]!; part++) hasMark ||= cacheMarks.has(part);
  return hasMark ? talliedParts(source.facts(index).parts, tokens(index)) : { blocks, marks: NO_MARKS };
}
