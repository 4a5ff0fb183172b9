// What the messages of an open transcript relied on: found once, gone on with when it grows; under each policy walked once.
import type { RefusedRun } from '../../insight/findings/index.ts';
import { UseFinder } from '../../insight/uses/index.ts';
import type { Use } from '../../insight/uses/types.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ProtocolError } from '../../protocol/methods.ts';
import type { Result } from '../../util/result.ts';
import { BoundedMap } from './boundedMap.ts';
import { SharedTasks } from './sharedTasks.ts';

/** Policies whose uses are kept. */
const KEPT = 4;

/** What a walk along all call points finds under a policy. */
export interface WalkedUses {
  readonly uses: readonly Use[];
  /** Requests that a provider would refuse. */
  readonly refused: readonly RefusedRun[];
}

/** The uses of one session. */
export class SessionUses {
  readonly finder: UseFinder;
  /** By policy and length. */
  readonly known = new BoundedMap<string, WalkedUses>(KEPT);
  readonly running = new SharedTasks<Result<WalkedUses, ProtocolError>>();
  readonly #source: TranscriptSource;
  #growing: Generator<void, void, void> | null = null;

  constructor(source: TranscriptSource) {
    this.#source = source;
    this.finder = new UseFinder(source);
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
