// Who goes first in the job thread. Work that nobody waits for is done in slices, and before each slice what cannot wait
// is let through as a whole: a look at followed files takes several small steps, each of which would cost a slice.

import { setImmediate } from 'node:timers/promises';

let urgent: Promise<unknown> | null = null;

/** Does something that goes before all sliced work of this thread. */
export async function urgently<T>(work: Promise<T>): Promise<T> {
  const mine = work.finally(() => {
    if (urgent === mine) urgent = null;
  });
  urgent = mine;
  return mine;
}

/** Lets others through: to be awaited between two slices. */
export async function othersTurn(): Promise<void> {
  await setImmediate();
  // Whoever began it gets its failure.
  while (urgent !== null) await urgent.catch(() => undefined);
}
