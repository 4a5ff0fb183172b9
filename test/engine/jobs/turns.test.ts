// Counting and indexing take turns: neither waits until a whole folder is done with the other.
import { expect, test, vi } from 'vitest';
import { type Executor, JobQueue } from '../../../core/engine/jobs/queue.ts';
import type { JobEnd, JobRequest } from '../../../core/engine/jobs/types.ts';

const TOKENS: JobRequest = { kind: 'tokens', transcriptId: 't', tokenizer: 'o200k_base' };
const DONE: JobEnd = { state: 'done', outcomes: [] };

class ByHand implements Executor {
  readonly ran: string[] = [];
  end: (end: JobEnd) => void = () => {};
  onNews: Executor['onNews'] = () => {};
  follow(): void {}
  run(request: JobRequest, _progress: unknown, signal: AbortSignal): Promise<JobEnd> {
    this.ran.push(request.kind);
    return new Promise((end) => {
      signal.addEventListener('abort', () => end({ state: 'cancelled' }));
      this.end = end;
    });
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function endOf(hands: ByHand): Promise<void> {
  hands.end(DONE);
  await vi.advanceTimersByTimeAsync(0);
}

test('an index job comes after one count, gives way after its turn, and goes on', async () => {
  vi.useFakeTimers();
  try {
    const hands = new ByHand();
    const queue = new JobQueue(hands);
    for (let i = 0; i < 3; i++) queue.start(TOKENS);
    queue.start({ kind: 'index' });
    expect(hands.ran).toEqual(['tokens']);
    await endOf(hands);
    expect(hands.ran).toEqual(['tokens', 'index']);
    await vi.advanceTimersByTimeAsync(10_000);
    // It gave way to the next count, and came back after it.
    expect(hands.ran).toEqual(['tokens', 'index', 'tokens']);
    await endOf(hands);
    expect(hands.ran.at(-1)).toBe('index');
    await vi.advanceTimersByTimeAsync(10_000);
    await endOf(hands);
    expect(hands.ran).toEqual(['tokens', 'index', 'tokens', 'index', 'tokens', 'index']);
    // With nothing else to do it takes as long as it takes.
    await vi.advanceTimersByTimeAsync(60_000);
    expect(hands.ran).toHaveLength(6);
  } finally {
    vi.useRealTimers();
  }
});
