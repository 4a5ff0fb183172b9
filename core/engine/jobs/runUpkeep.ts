import type { Library } from '../../store/index.ts';
import { othersTurn } from './turns.ts';

/**
 * Does deferred work: reads facts of older versions again, deletes what was removed. In slices, each a short
 * transaction; stopped anywhere, the rest waits for the next run. Throws the signal's reason when aborted.
 */
export async function runUpkeep(library: Library, signal: AbortSignal = new AbortController().signal): Promise<void> {
  signal.throwIfAborted();
  while (library.upkeepStep()) {
    await othersTurn();
    signal.throwIfAborted();
  }
}
