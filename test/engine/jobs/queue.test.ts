import { expect, test } from 'vitest';
import type { JobProgress } from '../../../core/engine/jobs/execute.ts';
import { type Executor, JobQueue } from '../../../core/engine/jobs/queue.ts';
import type { JobEnd, JobRequest } from '../../../core/engine/jobs/types.ts';
import type { JobInfo } from '../../../core/protocol/types.ts';
import { seededRng } from '../../../core/util/rng.ts';

const DONE: JobEnd = { state: 'done', outcomes: [] };
const IMPORT = (name: string): JobRequest => ({ kind: 'import', paths: [`/x/${name}`] });
const TOKENS: JobRequest = { kind: 'tokens', transcriptId: 't', tokenizer: 'o200k_base' };
const PROGRESS: JobProgress = {
  progress: 0.5,
  message: 'half',
  bytesPerSecond: 1,
  secondsLeft: 2,
  transcriptIds: ['t1'],
};

/** Does nothing until told to. */
class ByHand implements Executor {
  readonly runs: { request: JobRequest; progress: (progress: JobProgress) => void; end: (end: JobEnd) => void }[] = [];
  closed = false;
  followed: readonly string[] = [];
  onNews: Executor['onNews'] = () => {};

  follow(paths: Parameters<Executor['follow']>[0]): void {
    this.followed = paths.map(({ path }) => path);
  }

  run(request: JobRequest, progress: (progress: JobProgress) => void, signal: AbortSignal): Promise<JobEnd> {
    return new Promise((end) => {
      signal.addEventListener('abort', () => end({ state: 'cancelled' }));
      this.runs.push({ request, progress, end });
    });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  get names(): string[] {
    return this.runs.map(({ request }) => (request.kind === 'import' ? request.paths[0]!.slice(3) : 'tokens'));
  }
}

function watched(): { queue: JobQueue; hands: ByHand; told: JobInfo[] } {
  const hands = new ByHand();
  const queue = new JobQueue(hands);
  const told: JobInfo[] = [];
  queue.onJob = (job) => told.push(job);
  return { queue, hands, told };
}

test('one job runs at a time, imports before counts', async () => {
  const { queue, hands } = watched();
  const first = queue.start(IMPORT('a'));
  const counting = queue.start(TOKENS);
  const second = queue.start(IMPORT('b'));
  expect(hands.names).toEqual(['a']);
  hands.runs[0]!.end(DONE);
  await queue.end(first);
  expect(hands.names).toEqual(['a', 'b']);
  hands.runs[1]!.end(DONE);
  await queue.end(second);
  expect(hands.names).toEqual(['a', 'b', 'tokens']);
  hands.runs[2]!.end(DONE);
  expect(await queue.end(counting)).toEqual(DONE);
});

test('a count gives way to an import and goes on after it', async () => {
  const { queue, hands, told } = watched();
  const counting = queue.start(TOKENS);
  const importing = queue.start(IMPORT('a'));
  await Promise.resolve();
  await Promise.resolve();
  expect(hands.names).toEqual(['tokens', 'a']);
  hands.runs[1]!.end(DONE);
  await queue.end(importing);
  hands.runs[2]!.end(DONE);
  expect(await queue.end(counting)).toEqual(DONE);
  const states = told.filter(({ jobId }) => jobId === counting).map(({ state }) => state);
  expect(states).toEqual(['queued', 'running', 'queued', 'running', 'done']);
});

test('tells of progress while it runs, of nothing after the end', async () => {
  const { queue, hands, told } = watched();
  const id = queue.start(IMPORT('a'));
  hands.runs[0]!.progress(PROGRESS);
  hands.runs[0]!.end({ state: 'failed', error: { code: 'x', message: 'y' } });
  await queue.end(id);
  hands.runs[0]!.progress(PROGRESS);
  expect(told.map(({ state, progress }) => [state, progress])).toEqual([
    ['queued', null],
    ['running', null],
    ['running', 0.5],
    ['failed', 0.5],
  ]);
  expect(queue.list()).toMatchObject([{ jobId: id, title: 'Import a', error: { code: 'x', message: 'y' } }]);
});

test('cancelling: queued, running, ended, unknown', async () => {
  const { queue, hands } = watched();
  const [running, queued] = [queue.start(IMPORT('a')), queue.start(IMPORT('b'))];
  expect(queue.cancel(queued)).toBe(true);
  expect(await queue.end(queued)).toEqual({ state: 'cancelled' });
  expect(queue.cancel(running)).toBe(true);
  expect(await queue.end(running)).toEqual({ state: 'cancelled' });
  expect([queue.cancel(running), queue.cancel('job-99')]).toEqual([false, false]);
  expect(hands.names).toEqual(['a']);
  await expect(queue.end('job-99')).rejects.toThrow('no job');
});

test('closing cancels everything and then the executor', async () => {
  const { queue, hands } = watched();
  const ids = [queue.start(IMPORT('a')), queue.start(TOKENS)];
  await queue.close();
  expect(hands.closed).toBe(true);
  expect(await Promise.all(ids.map((id) => queue.end(id)))).toEqual([{ state: 'cancelled' }, { state: 'cancelled' }]);
  expect(await queue.end(queue.start(IMPORT('late')))).toEqual({ state: 'cancelled' });
});

test('whatever happens, every job ends exactly once', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const rng = seededRng(seed);
    const { queue, hands, told } = watched();
    const ids: string[] = [];
    for (let step = 0; step < 40; step++) {
      const what = rng.below(4);
      if (what === 0) ids.push(queue.start(rng.chance() ? TOKENS : IMPORT(`${step}`)));
      if (what === 1 && ids.length > 0) queue.cancel(rng.pick(ids));
      if (what === 2)
        hands.runs.at(-1)?.end(rng.chance() ? DONE : { state: 'failed', error: { code: 'x', message: '' } });
      if (what === 3) await Promise.resolve();
    }
    await queue.close();
    await Promise.all(ids.map((id) => queue.end(id)));
    const ends = told.filter(({ state }) => state === 'done' || state === 'failed' || state === 'cancelled');
    expect(ends.map(({ jobId }) => jobId).sort(), `seed ${seed}`).toEqual([...ids].sort());
    for (const id of ids) {
      const last = told.filter(({ jobId }) => jobId === id).at(-1)!;
      expect(['done', 'failed', 'cancelled'], `seed ${seed}, ${id}`).toContain(last.state);
    }
  }
});
