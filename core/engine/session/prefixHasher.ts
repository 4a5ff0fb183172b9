// The prefix hash of large views, fast. SHA-256 runs over the canonical JSON of everything projected, so two things are
// kept: the canonical bytes of raw messages, joined in blocks so that a run of untouched messages is one update; and
// copies of the hash state along the last views, so that a change late in the transcript starts late. The slow oracle
// is core/projection's own hash; a test holds this one to it.
import { createHash, type Hash } from 'node:crypto';
import type { TranscriptSource } from '../../model/transcript.ts';
import { canonicalJson } from '../../util/json/index.ts';
import type { View, ViewItem } from '../../view/types.ts';
import type { Slicer } from '../slicer.ts';

const BLOCK = 256;
const MARK_EVERY = 2048;
const KEPT_RUNS = 3;
/** Canonical text of a session of 60 MB; of a longer one the rest is read and made again where it must be hashed again. */
const KEPT_BYTES = 64_000_000;

/** Texts of raw messages in bulk. */
export interface BulkSource extends TranscriptSource {
  texts(from: number, to: number): readonly string[];
}

/** An item whose text is its own: edited or synthetic. */
export type EditedItem = ViewItem & { readonly text: string };

interface Block {
  /** For each message a comma and its canonical JSON, UTF-8. */
  readonly bytes: Buffer;
  /** Where each message's comma stands; one entry more than messages. */
  readonly offsets: Uint32Array;
}

interface Run {
  readonly items: readonly ViewItem[];
  readonly marks: { readonly count: number; readonly state: Hash }[];
}

/** Hashes views over one transcript. `limit` = bytes of canonical text kept. */
export class PrefixHasher {
  readonly #source: BulkSource;
  readonly #limit: number;
  readonly #blocks = new Map<number, Block>();
  /** The last block there was no room for: a block has as many runs as it has edits. */
  #passing: { readonly number: number; readonly block: Block } | null = null;
  #bytes = 0;
  #runs: Run[] = [];
  #lastMs = Number.POSITIVE_INFINITY;

  constructor(source: BulkSource, limit = KEPT_BYTES) {
    this.#source = source;
    this.#limit = limit;
  }

  /** Forgets the canonical text; the states along the last views stay. */
  dropText(): void {
    this.#blocks.clear();
    this.#passing = null;
    this.#bytes = 0;
  }

  /** Milliseconds the last hash took, pauses included; infinite before the first. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /**
   * `sha256:` + hex over the canonical JSON of the view's messages. `canonicalEdit` gives a comma and the canonical
   * JSON of an edited or synthetic item. Pauses between slices; a pause that throws ends it.
   */
  async hash(view: View, canonicalEdit: (item: EditedItem) => Uint8Array, slicer: Slicer) {
    const { items } = view;
    const started = performance.now();
    const mark = this.#resume(items);
    const state = mark?.state.copy() ?? createHash('sha256').update('[');
    const marks = mark ? this.#marksUpTo(items, mark.count) : [];
    const known = marks.length;
    let at = mark?.count ?? 0;
    try {
      while (at < items.length) {
        const stop = Math.min(items.length, (Math.floor(at / MARK_EVERY) + 1) * MARK_EVERY);
        while (at < stop) {
          at = this.#update(state, items, at, stop, canonicalEdit);
          const pause = slicer.pause();
          if (pause) await pause;
        }
        if (at % MARK_EVERY === 0) marks.push({ count: at, state: state.copy() });
      }
    } finally {
      // Ended before its end, it has come so far: the next one begins there.
      if (at === items.length || marks.length > known) {
        this.#runs = [{ items, marks }, ...this.#runs].slice(0, KEPT_RUNS);
      }
    }
    this.#lastMs = performance.now() - started;
    return `sha256:${state.update(']').digest('hex')}`;
  }

  /** Feeds one item, or one run of untouched messages within a block; gives the position after it. */
  #update(
    state: Hash,
    items: readonly ViewItem[],
    at: number,
    stop: number,
    canonicalEdit: (item: EditedItem) => Uint8Array,
  ): number {
    const item = items[at]!;
    // Every piece begins with a comma, which the first item of the array has not.
    const skip = at === 0 ? 1 : 0;
    if (hasText(item)) {
      state.update(canonicalEdit(item).subarray(skip));
      return at + 1;
    }
    if (item.kind !== 'source') throw new Error('a synthetic item without text');
    const first = item.index;
    const blockStart = Math.floor(first / BLOCK) * BLOCK;
    let end = at + 1;
    while (end < stop && first + end - at < blockStart + BLOCK && isUntouched(items[end]!, first + end - at)) end++;
    const block = this.#block(blockStart / BLOCK, first + end - at - blockStart);
    const from = block.offsets[first - blockStart]!;
    const to = block.offsets[first + end - at - blockStart]!;
    state.update(block.bytes.subarray(from + skip, to));
    return end;
  }

  #block(number: number, needed: number): Block {
    const known = this.#blocks.get(number) ?? (this.#passing?.number === number ? this.#passing.block : undefined);
    if (known && known.offsets.length > needed) return known;
    const from = number * BLOCK;
    const block = makeBlock(this.#source.texts(from, Math.min(from + BLOCK, this.#source.length)));
    this.#bytes -= this.#blocks.get(number)?.bytes.length ?? 0;
    // Kept are the first that fit: evicting the oldest would, in a scan longer than the limit, evict everything.
    if (this.#bytes + block.bytes.length <= this.#limit) {
      this.#blocks.set(number, block);
      this.#bytes += block.bytes.length;
    } else {
      this.#blocks.delete(number);
      this.#passing = { number, block };
    }
    return block;
  }

  #resume(items: readonly ViewItem[]): Run['marks'][number] | null {
    let best: Run['marks'][number] | null = null;
    for (const run of this.#runs) {
      const common = commonPrefix(run.items, items);
      const mark = run.marks.findLast((candidate) => candidate.count <= common);
      if (mark && mark.count > (best?.count ?? 0)) best = mark;
    }
    return best;
  }

  #marksUpTo(items: readonly ViewItem[], count: number): Run['marks'][number][] {
    const run = this.#runs.find((candidate) => commonPrefix(candidate.items, items) >= count);
    return run ? run.marks.filter((mark) => mark.count <= count) : [];
  }
}

/** True of an edited or synthetic item. */
export function hasText(item: ViewItem): item is EditedItem {
  return item.text !== undefined;
}

function isUntouched(item: ViewItem, index: number): boolean {
  return item.kind === 'source' && item.index === index && item.text === undefined;
}

/** A comma and the canonical JSON of a text, as UTF-8. */
export function canonicalPiece(text: string): Buffer {
  return Buffer.from(`,${canonicalJson(text)}`);
}

function makeBlock(texts: readonly string[]): Block {
  const pieces = texts.map(canonicalPiece);
  const offsets = new Uint32Array(pieces.length + 1);
  for (const [at, piece] of pieces.entries()) offsets[at + 1] = offsets[at]! + piece.length;
  return { bytes: Buffer.concat(pieces), offsets };
}

/** How many items from the start two views have in common. */
export function commonPrefix(a: readonly ViewItem[], b: readonly ViewItem[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (!sameItem(a[i]!, b[i]!)) return i;
  return length;
}

function sameItem(a: ViewItem, b: ViewItem): boolean {
  if (a === b) return true;
  if (a.kind === 'source' && b.kind === 'source') return a.index === b.index && a.text === b.text;
  return a.kind === b.kind && a.text === b.text;
}
