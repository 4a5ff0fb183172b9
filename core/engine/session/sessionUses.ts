// What the messages of an open transcript relied on: found once, gone on with when it grows; under each policy walked once.
import type { RefusedRun } from '../../insight/findings/index.ts';
import { UseFinder, type UsesIndex } from '../../insight/uses/index.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Result } from '../../util/result.ts';
import { BoundedMap } from './boundedMap.ts';
import { SharedTasks } from './sharedTasks.ts';

/** Policies whose uses are kept. */
const KEPT = 4;

/** What a walk along all call points finds under a policy. */
export interface WalkedUses {
  readonly uses: UsesIndex;
  /** Requests that a provider would refuse. */
  readonly refused: readonly RefusedRun[];
}

/** As it is kept; `costs` names the prices that its costs were made of. */
export interface KeptUses extends WalkedUses {
  readonly costs: string;
}

/** Uses, and the key of the policy that they are of. */
export interface KeyedUses {
  readonly key: string;
  readonly uses: UsesIndex;
}

/** The uses of one session. */
export class SessionUses {
  /** By policy and length. */
  readonly known = new BoundedMap<string, KeptUses>(KEPT);
  #shown: KeyedUses | null = null;
  readonly running = new SharedTasks<Result<WalkedUses, ProtocolError>>();
  readonly #source: TranscriptSource;
  #finder: UseFinder | null = null;
  #growing: Generator<void, void, void> | null = null;

  constructor(source: TranscriptSource) {
    this.#source = source;
  }

  /** Made when first asked: a click on a transcript does not wait for its tables. */
  get finder(): UseFinder {
    this.#finder ??= new UseFinder(this.#source);
    return this.#finder;
  }

  /**
   * Those of a policy for rows that are tested by them; while they are not known those that rows were tested by last, under
   * another policy. Null = none are known.
   */
  forRows(key: string): KeyedUses | null {
    const own = this.known.get(key);
    if (own !== undefined) this.#shown = { key, uses: own.uses };
    return this.#shown;
  }

  /** How much of the session was looked through, 0 to 1. */
  get progress(): number {
    return this.#finder?.progress ?? 0;
  }

  /** Drops what can be made again. */
  trim(): void {
    this.#finder?.trim();
  }

  /** Looks through what was not looked through yet. Several may take turns: each continues where the other stopped. */
  *grow(): Generator<void, void, void> {
    while (this.#growing !== null || this.finder.length < this.#source.length) {
      this.#growing ??= this.finder.grow();
      if (this.#growing.next().done === true) this.#growing = null;
      yield;
    }
  }
}
