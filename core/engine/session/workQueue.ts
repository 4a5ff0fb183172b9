// The work of one open transcript, in one thread: what a person waits for is begun at once, everything else in turns.
//
// Foreground: it runs when it is asked for; while any of it is under way, background work stands still at its next border.
// Background: one task has the turn, the first in the order of RANKS, and of one rank the one begun first. It asks at its
// borders (`turn.pause`) whether to continue; every 4 ms the others get a look at the thread, and a task of a higher rank gets
// the turn. An answer is followed by more questions, the rows and the panels of what it showed, or by the next step of a
// slider: for a moment after it only what those wait for continues. So that background work ends even under a slider that
// never rests, one slice of it is done in each such moment. Nothing is polled: whoever waits is woken by what it waits for.
import { setImmediate, setTimeout } from 'node:timers/promises';
import { err, ok, type Result } from '../../util/result.ts';
import type { Waits } from '../threads/waits.ts';

/**
 * Kinds of background work, in their order: what a click asked for, what is on screen, what somebody may look at, and what
 * nobody has asked for, which is done when there is nothing else.
 */
export const RANKS = ['asked', 'hash', 'counts', 'series', 'checks', 'presets', 'ahead'] as const;

export type Rank = (typeof RANKS)[number];

const SLICE_MS = 4;
/** How long after foreground work other background work waits: longer than a slider needs for its next step. */
const MOMENT_MS = 250;
const ASKED_RANK = RANKS.indexOf('asked');
const IDLE_RANK = RANKS.indexOf('ahead');
/** Background work of these ranks makes what was just shown final. */
const FINAL: readonly Rank[] = ['hash', 'counts'];

/** What a task has while it runs. */
export interface Turn {
  /**
   * A border: call it often. null = continue at once; otherwise wait for it. Throws when the task was ended, which takes the
   * task out of its work; do not catch it.
   */
  pause(): Promise<void> | null;
  /** Gives the turn up until then; throws as `pause` does. */
  rest(until: Promise<void>): Promise<void>;
}

/** A piece of background work. */
export interface Task<T> {
  /** What it made; `ended` = it was ended before. Rejects with what it threw. */
  readonly done: Promise<Result<T, 'ended'>>;
  /** Nobody wants it any more: it ends at its next border. */
  end(): void;
}

/** What the queue needs of its host; the default is this thread's. */
export interface WorkClock {
  now(): number;
  /** Resolves when others had a chance to run. */
  breathe(): Promise<void>;
  /** Resolves so many milliseconds later. */
  wait(ms: number): Promise<void>;
}

/** This thread's. */
export const THREAD_CLOCK: WorkClock = {
  now: () => performance.now(),
  breathe: () => setImmediate(),
  wait: (ms) => setTimeout(ms),
};

const NOBODY = { begin: () => {}, end: () => {} };

class WorkEnded extends Error {}

interface Running {
  readonly rank: number;
  readonly order: number;
  /** It continues in the moment after foreground work. */
  readonly isFinal: boolean;
  ended: boolean;
  /** Set while it waits for its turn. */
  resume: (() => void) | null;
}

/** Puts the work of one session in order. */
export class WorkQueue {
  readonly #clock: WorkClock;
  readonly #waits: Pick<Waits, 'begin' | 'end'>;
  readonly #tasks = new Set<Running>();
  #holder: Running | null = null;
  #begun = 0;
  #sliceFrom = Number.NEGATIVE_INFINITY;
  #foreground = 0;
  /** Since when the moment after the last foreground work lasts; null = it is over. */
  #momentFrom: number | null = null;
  #waitsForMoment = false;
  /** Whoever asked for what was begun before has asked for something else since. */
  #newest = 0;
  #isSliceOwed = false;
  #isGranting = false;
  readonly #quiet = new Set<() => void>();
  #closed = false;

  constructor(clock: WorkClock = THREAD_CLOCK, waits: Pick<Waits, 'begin' | 'end'> = NOBODY) {
    this.#clock = clock;
    this.#waits = waits;
  }

  /** True while somebody waits. */
  get isBusy(): boolean {
    return this.#foreground > 0;
  }

  /** True while there is work that somebody asked for. */
  get isActive(): boolean {
    if (this.#foreground > 0) return true;
    for (const { rank } of this.#tasks) if (rank !== IDLE_RANK) return true;
    return false;
  }

  /** Resolves when it is no longer active, or was not. */
  async quiet(): Promise<void> {
    if (!this.isActive) return;
    await new Promise<void>((resolve) => {
      this.#quiet.add(resolve);
    });
  }

  /**
   * Does what a person waits for. It must not wait for background work of the same session: that stands still until it
   * is done.
   */
  async foreground<T>(run: () => T | Promise<T>): Promise<T> {
    this.#foreground++;
    this.#waits.begin();
    this.#newest = this.#begun;
    try {
      return await run();
    } finally {
      this.#foreground--;
      this.#waits.end();
      const now = this.#clock.now();
      this.#isSliceOwed = now - this.#sliceFrom >= MOMENT_MS;
      this.#momentFrom = now;
      this.#grantSoon();
      this.#reportQuiet();
    }
  }

  /** A person moves through what is shown: the moment after an answer begins again, for a frame wants a core, too. */
  beginMoment(): void {
    const now = this.#clock.now();
    this.#isSliceOwed ||= now - this.#sliceFrom >= MOMENT_MS;
    this.#momentFrom = now;
    this.#grantSoon();
  }

  /**
   * Puts background work in the queue; it begins when it has its turn. `isLong`: not within a moment, whatever its rank: the
   * next step of a slider would end it, and wait for a piece of it and for what it left to collect.
   */
  background<T>(rank: Rank, run: (turn: Turn) => Promise<T>, { isLong = false } = {}): Task<T> {
    const running: Running = {
      rank: RANKS.indexOf(rank),
      order: this.#begun++,
      isFinal: FINAL.includes(rank) && !isLong,
      ended: this.#closed,
      resume: null,
    };
    return { done: this.#run(running, run), end: () => this.#end(running) };
  }

  /** Ends everything; what is begun afterwards has ended. */
  close(): void {
    this.#closed = true;
    for (const running of [...this.#tasks]) this.#end(running);
  }

  async #run<T>(running: Running, run: (turn: Turn) => Promise<T>): Promise<Result<T, 'ended'>> {
    this.#tasks.add(running);
    try {
      await this.#turn(running);
      const turn = { pause: () => this.#pause(running), rest: (until: Promise<void>) => this.#rest(running, until) };
      return ok(await run(turn));
    } catch (error) {
      if (running.ended && error instanceof WorkEnded) return err('ended');
      throw error;
    } finally {
      this.#tasks.delete(running);
      if (this.#holder === running) this.#holder = null;
      this.#grantSoon();
      this.#reportQuiet();
    }
  }

  #pause(running: Running): Promise<void> | null {
    if (running.ended) throw new WorkEnded();
    if (this.#clock.now() - this.#sliceFrom < SLICE_MS) return null;
    this.#holder = null;
    return this.#turn(running);
  }

  async #rest(running: Running, until: Promise<void>): Promise<void> {
    if (running.ended) throw new WorkEnded();
    this.#holder = null;
    this.#grantSoon();
    await until;
    return this.#turn(running);
  }

  #reportQuiet(): void {
    if (this.#quiet.size === 0 || this.isActive) return;
    for (const resolve of this.#quiet) resolve();
    this.#quiet.clear();
  }

  async #turn(running: Running): Promise<void> {
    if (!running.ended) {
      this.#grantSoon();
      await new Promise<void>((resolve) => {
        running.resume = resolve;
      });
    }
    if (running.ended) throw new WorkEnded();
  }

  #end(running: Running): void {
    running.ended = true;
    running.resume?.();
    running.resume = null;
  }

  // After a breath: an answer just made goes out before, and who has just asked is seen.
  #grantSoon(): void {
    if (this.#isGranting || this.#tasks.size === 0) return;
    this.#isGranting = true;
    void this.#clock.breathe().then(() => {
      this.#isGranting = false;
      this.#grant();
    });
  }

  #grant(): void {
    if (this.#holder !== null || (this.#foreground > 0 && !this.#isSliceOwed)) return;
    const now = this.#clock.now();
    if (this.#momentFrom !== null && now - this.#momentFrom >= MOMENT_MS) this.#momentFrom = null;
    let next: Running | null = null;
    for (const task of this.#tasks) {
      if (task.resume !== null && this.#mayGoOn(task) && comesBefore(task, next)) next = task;
    }
    if (next === null) {
      this.#grantAfterMoment();
      return;
    }
    this.#isSliceOwed = false;
    this.#holder = next;
    this.#sliceFrom = now;
    next.resume?.();
    next.resume = null;
  }

  #mayGoOn({ rank, order, isFinal }: Running): boolean {
    // Of what nobody asked for no slice is owed to anybody.
    if (this.#isSliceOwed && rank !== IDLE_RANK) return true;
    if (this.#foreground > 0) return false;
    return this.#momentFrom === null || isFinal || (rank === ASKED_RANK && order >= this.#newest);
  }

  #grantAfterMoment(): void {
    const from = this.#momentFrom;
    if (from === null || this.#waitsForMoment) return;
    this.#waitsForMoment = true;
    const left = MOMENT_MS - (this.#clock.now() - from);
    void this.#clock.wait(Math.max(1, left)).then(() => {
      this.#waitsForMoment = false;
      if (this.#momentFrom === from) this.#momentFrom = null;
      this.#grantSoon();
    });
  }
}

function comesBefore(task: Running, other: Running | null): boolean {
  return other === null || task.rank < other.rank || (task.rank === other.rank && task.order < other.order);
}
