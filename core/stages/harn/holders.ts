// Which results of a transcript hold an identifier, as lists of integers: following what is named from call point to call
// point goes through them millions of times.
import type { ReachabilityTable, ResultInfo } from './reachabilityTable.ts';

/** All results of a transcript, numbered in order (rank), and of those that were added which hold an identifier. */
export class Holders {
  /** Source index of each. */
  readonly messages: Int32Array;
  /** Where the ranks of an identifier begin in `ranks`, and how many of them there are. */
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly ranks: Int32Array;
  readonly #infos: readonly ResultInfo[];
  /** Position in the raw message's parts of each. */
  readonly #parts: Int32Array;
  /** For each message how many results stand before it. */
  readonly #before: Int32Array;
  readonly #isAdded: Uint8Array;

  /** Of `length` messages, whose results were all read. */
  constructor(table: ReachabilityTable, length: number) {
    const infos: ResultInfo[] = [];
    const messages: number[] = [];
    const parts: number[] = [];
    this.#before = new Int32Array(length + 1);
    for (let index = 0; index < length; index++) {
      this.#before[index] = infos.length;
      for (const [part, info] of table.resultsIn(index)) {
        infos.push(info);
        messages.push(index);
        parts.push(part);
      }
    }
    this.#before[length] = infos.length;
    this.#infos = infos;
    this.messages = Int32Array.from(messages);
    this.#parts = Int32Array.from(parts);
    this.#isAdded = new Uint8Array(infos.length);
    this.counts = new Int32Array(table.size);
    this.starts = startsOf(infos, table.size);
    this.ranks = new Int32Array(this.starts.at(-1) ?? 0);
  }

  get size(): number {
    return this.#infos.length;
  }

  /** The rank of a result by its raw message and part; -1 if it is none. */
  rank(index: number, part: number): number {
    const end = this.#before[index + 1] ?? 0;
    for (let rank = this.#before[index] ?? 0; rank < end; rank++) if (this.#parts[rank] === part) return rank;
    return -1;
  }

  /** Adds a result to those of its identifiers; gives these, null if it was added before. */
  add(rank: number): Int32Array | null {
    const info = this.#infos[rank];
    if (info === undefined || this.#isAdded[rank] === 1) return null;
    this.#isAdded[rank] = 1;
    const { ids } = info;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at]!;
      this.ranks[this.starts[id]! + this.counts[id]!++] = rank;
    }
    return ids;
  }
}

function startsOf(infos: readonly ResultInfo[], size: number): Int32Array {
  const starts = new Int32Array(size + 1);
  for (const { ids } of infos) for (let at = 0; at < ids.length; at++) starts[ids[at]! + 1]!++;
  for (let id = 0; id < size; id++) starts[id + 1]! += starts[id]!;
  return starts;
}
