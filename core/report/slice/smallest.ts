// Which messages' words a result needs: found by taking them away and projecting again.
import type { MessageMeta } from '../../model/message.ts';
import type { SliceStatement } from '../../model/sliceStatement.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { Projection } from '../../projection/types.ts';
import { EmptiedMessages, slicedSource } from './slicedSource.ts';

/** A slice to be tried: its host projects it (and asks what else is to be the same) and says whether the result is the same. */
export interface SliceTry {
  readonly source: TranscriptSource;
  readonly emptied: ReadonlySet<number>;
}

/** What is to be sliced. */
export interface SliceInput {
  readonly source: TranscriptSource;
  readonly projection: Projection;
  metaOf(index: number): Pick<MessageMeta, 'provenance'>;
  /** Messages that keep their words whatever the projection says, e.g. those that say a text that is asked for. */
  readonly keep?: ReadonlySet<number>;
  /** Projections at most; default 200. */
  readonly mostTries?: number;
}

/** A slice that gives the same result. */
export interface Slice extends SliceTry {
  readonly statement: SliceStatement;
}

const MOST_TRIES = 200;

/**
 * The smallest slice, in steps: each asks for one projection. A message in the request as it was recorded keeps its words, for
 * they are the request; so does one whose body a pointer holds the hash of. Of the others as many as possible are emptied, those
 * that fail alone are tried again behind the others. `minimal`: with each of them emptied besides, the result was another one.
 */
export function* smallestSlice(input: SliceInput): Generator<SliceTry, Slice, boolean> {
  const search = new Search(input);
  yield* search.settle(search.candidates);
  let before = -1;
  while (search.failed.length > 0 && search.failed.length !== before && !search.isOver) {
    before = search.failed.length;
    yield* search.again();
  }
  return search.result(search.failed.length === before || search.failed.length === 0);
}

class Search {
  readonly candidates: readonly number[];
  failed: number[] = [];
  readonly #input: SliceInput;
  readonly #messages: EmptiedMessages;
  #emptied: ReadonlySet<number> = new Set();
  #tries = 0;

  constructor(input: SliceInput) {
    this.#input = input;
    this.#messages = new EmptiedMessages(input.source, (index) => input.metaOf(index));
    this.candidates = candidatesOf(input);
  }

  get isOver(): boolean {
    return this.#tries >= (this.#input.mostTries ?? MOST_TRIES);
  }

  *settle(indices: readonly number[]): Generator<SliceTry, void, boolean> {
    if (indices.length === 0) return;
    if (yield* this.#try(indices)) return;
    if (indices.length === 1 || this.isOver) {
      this.failed.push(...indices);
      return;
    }
    const middle = indices.length >> 1;
    yield* this.settle(indices.slice(0, middle));
    yield* this.settle(indices.slice(middle));
  }

  /** What failed, one by one, with all that is emptied by now. */
  *again(): Generator<SliceTry, void, boolean> {
    const failed: number[] = [];
    for (const index of this.failed) if (this.isOver || !(yield* this.#try([index]))) failed.push(index);
    this.failed = failed;
  }

  *#try(indices: readonly number[]): Generator<SliceTry, boolean, boolean> {
    if (this.isOver) return false;
    this.#tries++;
    const emptied = new Set([...this.#emptied, ...indices]);
    const isSame = yield this.#sliced(emptied);
    if (isSame) this.#emptied = emptied;
    return isSame;
  }

  #sliced(emptied: ReadonlySet<number>): SliceTry {
    const { source, projection } = this.#input;
    return { source: slicedSource(source, projection.at, emptied, this.#messages), emptied };
  }

  result(isSettled: boolean): Slice {
    const { at } = this.#input.projection;
    const whole = rangesOf(at, this.#emptied);
    const minimal = isSettled && !this.isOver;
    return {
      ...this.#sliced(this.#emptied),
      statement: { whole, emptied: this.#emptied.size, tried: this.#tries, minimal },
    };
  }
}

function candidatesOf({ projection, keep }: SliceInput): readonly number[] {
  const { view, fates, at } = projection;
  const needed = new Set(keep);
  for (const item of view.items) if (item.kind === 'source' && item.text === undefined) needed.add(item.index);
  for (const [index, { pointers = [] }] of fates.entries()) if (pointers.length > 0) needed.add(index);
  return Array.from({ length: at }, (_, index) => index).filter((index) => !needed.has(index));
}

function rangesOf(at: number, emptied: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let index = 0; index < at; index++) {
    if (emptied.has(index)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === index) last[1] = index + 1;
    else ranges.push([index, index + 1]);
  }
  return ranges;
}
