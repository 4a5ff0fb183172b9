import type { Engine } from '../engine.ts';
import { storeFailure } from '../failures.ts';

/** Tidies up in a job: deletes what was removed, works out what new transcripts need. One that waits will do it too. */
export function startUpkeep({ library, jobs }: Engine): void {
  if (library.unwritable !== null || !library.needsUpkeep()) return;
  if (jobs.list().some(({ kind, state }) => kind === 'upkeep' && state === 'queued')) return;
  jobs.start({ kind: 'upkeep' });
}

function start(engine: Engine): void {
  try {
    startUpkeep(engine);
  } catch (error) {
    // The disk refused: the next start tidies up.
    if (storeFailure(error) === null) throw error;
  }
}

/** Tidies up when the next removed transcript can no longer be brought back. Answers how to give that up. */
export function upkeepWhenDue(engine: Engine): () => void {
  const due = engine.library.tables.removal.nextDue();
  if (due === null) return () => {};
  const timer = setTimeout(() => start(engine), Math.max(0, due - Date.now()) + 50);
  timer.unref();
  return () => clearTimeout(timer);
}
