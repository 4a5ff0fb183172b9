import { setFlagsFromString } from 'node:v8';

/**
 * Garbage that may pile up before it is looked for, in percent of what is alive: with V8's own limits a thread that
 * imports holds four times what it needs. Costs 5% of its time.
 */
const GROWING_PERCENT = 25;

/** The same while the call points of a long transcript are followed. */
const GROWING_PERCENT_WALKING = 100;

/** Makes all threads of the process collect garbage before it is much. */
export function collectOften(): void {
  setFlagsFromString(flagOf(GROWING_PERCENT));
}

/** What is called when a long walk along call points begins and ends. */
export type WalkListener = Pick<GarbageLimit, 'begin' | 'end'>;

/** For a process that collects as V8 likes. */
export const NO_LIMIT: WalkListener = { begin: () => {}, end: () => {} };

/**
 * How much garbage the threads of this process let pile up: little, and more while somebody walks. Along 100,000 messages
 * 250 MB are alive on the desktop; to go through them 14 times, where 4 times do, took a tenth to a fifth of the walk.
 */
export class GarbageLimit {
  readonly #setFlags: (flags: string) => void;
  #walks = 0;

  constructor(setFlags: (flags: string) => void = setFlagsFromString) {
    this.#setFlags = setFlags;
    this.#set(GROWING_PERCENT);
  }

  /** A walk begins. */
  begin(): void {
    this.#walks++;
    if (this.#walks === 1) this.#set(GROWING_PERCENT_WALKING);
  }

  /** It is over: call it as often as `begin`. What the walk left is collected when the thread rests. */
  end(): void {
    this.#walks--;
    if (this.#walks === 0) this.#set(GROWING_PERCENT);
  }

  #set(percent: number): void {
    this.#setFlags(flagOf(percent));
  }
}

/** Walks of fewer messages are over before much has piled up. */
const LONG = 20_000;

/** Runs what follows the call points of a transcript of so many messages; calls `listener` if they are many. */
export async function whileWalking<T>(listener: WalkListener, messages: number, walk: () => Promise<T>): Promise<T> {
  if (messages < LONG) return walk();
  listener.begin();
  try {
    return await walk();
  } finally {
    listener.end();
  }
}

function flagOf(percent: number): string {
  return `--heap-growing-percent=${percent}`;
}
