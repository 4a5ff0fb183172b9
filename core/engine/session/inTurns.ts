import type { Turn } from './workQueue.ts';

/** Does steps one after the other, with pauses for whoever waits. */
export async function inTurns<T>(steps: Generator<void, T, void>, turn: Turn): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    const pause = turn.pause();
    if (pause) await pause;
  }
}
