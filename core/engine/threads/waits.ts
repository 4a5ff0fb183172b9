// Whether somebody waits for the engine, for threads to see that do what nobody waits for. Page, engine and the compiler of each
// fill a machine of two cores while a transcript opens: a thread that continues meanwhile takes its share whatever its
// priority, of memory and of the collector's threads at least.
import { setTimeout } from 'node:timers/promises';

/** How long after a call nothing else is begun: an answer is followed by more questions, and by a frame that wants a core. */
const MOMENT_MS = 250;
/** How long one may be kept from a slice of its work, so that it ends even under a person who never rests. */
const KEPT_MOST_MS = 2_000;
const WAITING = 0;
const SINCE = 1;

/** What Waits needs of its host; the default is the machine's. */
export interface WaitsClock {
  /** Milliseconds on a clock that all threads share. */
  now(): number;
  /** Resolves so many milliseconds later, or when it is aborted. Keeps no thread alive. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

const MACHINE: WaitsClock = {
  now: () => Number(process.hrtime.bigint() / 1_000_000n),
  wait: (ms, signal) => setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined),
};

/** Those who wait for an engine, seen from all its threads. */
export class Waits {
  /** What another thread makes its own of. */
  readonly shared: SharedArrayBuffer;
  readonly #words: Int32Array;
  readonly #clock: WaitsClock;

  /** `shared` = of another one, whose waits these are; absent = nobody waits yet. */
  constructor(shared?: SharedArrayBuffer, clock: WaitsClock = MACHINE) {
    this.shared = shared ?? new SharedArrayBuffer(8);
    this.#words = new Int32Array(this.shared);
    this.#clock = clock;
    if (shared === undefined) Atomics.store(this.#words, SINCE, clock.now() - MOMENT_MS);
  }

  /** Somebody waits, until `end` is called as often. */
  begin(): void {
    Atomics.add(this.#words, WAITING, 1);
  }

  /** Somebody has the answer; a moment begins. */
  end(): void {
    this.beginMoment();
    Atomics.sub(this.#words, WAITING, 1);
  }

  /** Somebody asked for something: it may be the first of several questions. */
  beginMoment(): void {
    Atomics.store(this.#words, SINCE, this.#clock.now());
  }

  /** Resolves when nobody waits and the moment is over, or after two seconds, or when it is aborted. */
  async calm(signal?: AbortSignal): Promise<void> {
    const from = this.#clock.now();
    for (;;) {
      const left = Atomics.load(this.#words, WAITING) > 0 ? MOMENT_MS : MOMENT_MS - this.#sinceMoment();
      if (left <= 0 || signal?.aborted || this.#clock.now() - from >= KEPT_MOST_MS) return;
      await this.#clock.wait(left, signal);
    }
  }

  // A word has 32 bits: what it holds goes round, and the difference does not.
  #sinceMoment(): number {
    return (this.#clock.now() - Atomics.load(this.#words, SINCE)) | 0;
  }
}
