import type { Library } from '../../store/index.ts';
import { othersTurn } from './turns.ts';

/** How far indexing is. Unit: messages. */
export interface IndexProgress {
  readonly indexed: number;
  readonly total: number;
}

/** Progress is read from the tables: seldom enough to cost nothing. */
const REPORT_MS = 200;

/**
 * Makes the library's text searchable, newest first. In slices, each a short transaction; stopped anywhere, the rest
 * waits for the next run. Throws the signal's reason when aborted.
 */
export async function runIndex(
  library: Library,
  onProgress: (progress: IndexProgress) => void = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  signal.throwIfAborted();
  let reportedAt = Number.NEGATIVE_INFINITY;
  while (library.indexStep()) {
    if (performance.now() - reportedAt >= REPORT_MS) {
      onProgress(library.searchCoverage());
      reportedAt = performance.now();
    }
    await othersTurn();
    signal.throwIfAborted();
  }
  onProgress(library.searchCoverage());
}
