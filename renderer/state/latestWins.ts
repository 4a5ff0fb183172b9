// A slider sends values faster than the engine answers. Never more than one call is in flight; of those that wait only
// the newest is kept. So the screen is at most two projections behind, whatever the speed of the hand.

/** Runs jobs one at a time; a job handed in while one runs replaces the one that waits. */
export interface LatestWins<J> {
  push(job: J): void;
  /** True while something runs or waits. */
  busy(): boolean;
  /** True while a newer job waits for the one that runs. */
  waits(): boolean;
  /** Forgets the waiting job; the running one is left to end. */
  clear(): void;
}

/** `run` must not reject: it handles its own failures. */
export function latestWins<J>(run: (job: J) => Promise<void>): LatestWins<J> {
  let running = false;
  let waiting: { readonly job: J } | null = null;

  const pump = async (job: J): Promise<void> => {
    running = true;
    try {
      await run(job);
    } finally {
      running = false;
      const next = waiting;
      waiting = null;
      if (next) void pump(next.job);
    }
  };

  return {
    push(job) {
      if (running) waiting = { job };
      else void pump(job);
    },
    busy: () => running || waiting !== null,
    waits: () => waiting !== null,
    clear() {
      waiting = null;
    },
  };
}
