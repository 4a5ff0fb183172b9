import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inlineRunner, type JobRunner, threadRunner } from '../../../core/engine/jobs/index.ts';
import { Waits } from '../../../core/engine/threads/waits.ts';
import type { JobInfo } from '../../../core/protocol/types.ts';
import { count, writeSession } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const RUNNERS: readonly [name: string, make: (dir: string) => JobRunner][] = [
  ['in this thread', (dir) => inlineRunner(openLibrary(dir))],
  ['in a thread', (dir) => threadRunner({ dir })],
];

function session(path: string, messages: number): void {
  writeSession(
    path,
    Array.from({ length: messages }, (_, i) => ({ role: 'user', content: `${i} ${'word '.repeat(2000)}` })),
  );
}

function closing(runner: JobRunner): JobRunner {
  onTestFinished(() => runner.close());
  return runner;
}

describe.each(RUNNERS)('jobs %s', (_name, make) => {
  test('import files and count their tokens', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const runner = closing(make(library.dir));
    const told: JobInfo[] = [];
    runner.onJob = (job) => told.push(job);
    const [a, b, none] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl'), join(dir, 'none.jsonl')];
    session(a, 300);
    session(b, 3);
    const end = await runner.end(runner.start({ kind: 'import', paths: [a, none, b] }));
    expect(end).toMatchObject({
      state: 'done',
      outcomes: [
        { file: a, transcripts: [{ messages: 300 }], error: null },
        { file: none, transcripts: [], error: { code: 'import.unreadable' } },
        { file: b, transcripts: [{ messages: 3 }], error: null },
      ],
    });
    const ids = library.list().map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(new Set(told.at(-1)!.transcriptIds)).toEqual(new Set(ids));
    const [transcriptId] = ids;
    const counted = runner.start({ kind: 'tokens', transcriptId: transcriptId!, tokenizer: 'o200k_base' });
    expect(await runner.end(counted)).toEqual({ state: 'done', outcomes: [] });
    expect(library.tokenTotals('o200k_base').get(transcriptId!)?.messages).toBe(
      library.get(transcriptId!)!.counts.messages,
    );
  });

  test('are cancelled in the middle and leave nothing', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const runner = closing(make(library.dir));
    const path = join(dir, 'a.jsonl');
    session(path, 2000);
    runner.onJob = ({ jobId, progress }) => {
      if (progress !== null) runner.cancel(jobId);
    };
    expect(await runner.end(runner.start({ kind: 'import', paths: [path] }))).toEqual({ state: 'cancelled' });
    expect(['transcripts', 'sources', 'contents', 'imports'].map((table) => count(library, table))).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test('fail with a reason for what is not there', async () => {
    const runner = closing(make(join(tempDir(), 'library')));
    const unknown = runner.start({ kind: 'tokens', transcriptId: 'nobody', tokenizer: 'o200k_base' });
    expect(await runner.end(unknown)).toMatchObject({ state: 'failed', error: { code: 'transcript.unknown' } });
    const tokenizer = runner.start({ kind: 'tokens', transcriptId: 'nobody', tokenizer: 'abacus' });
    expect(await runner.end(tokenizer)).toMatchObject({ state: 'failed', error: { code: 'tokens.unknown_tokenizer' } });
  });
});

test.each(['throw', 'exit'])('a crash (%s) fails its job, the next one runs in a new thread', async (how) => {
  const workerUrl = new URL('./crashingWorker.ts', import.meta.url);
  const runner = closing(threadRunner({ dir: tempDir(), workerUrl }));
  const [bad, good] = [[how], ['fine']].map((paths) => runner.start({ kind: 'import', paths }));
  expect(await runner.end(bad!)).toMatchObject({ state: 'failed', error: { code: 'job.crashed' } });
  expect(await runner.end(good!)).toEqual({ state: 'done', outcomes: [] });
});

test.each(['import', 'survey'] as const)('the thread of an %s sees who waits for the engine', async (kind) => {
  const waits = new Waits();
  const workerUrl = new URL('./waitingWorker.ts', import.meta.url);
  const runner = closing(threadRunner({ dir: tempDir(), workerUrl, waits }));
  for (const waiting of [1, 2]) {
    waits.begin();
    const request = kind === 'import' ? { kind, paths: ['x'] } : { kind, except: [] };
    const end = await runner.end(runner.start(request));
    expect(end).toMatchObject({ state: 'failed', error: { message: String(waiting) } });
  }
});

test('a thread that dies at its end has ended', async () => {
  const workerUrl = new URL('./failingAtTheEnd.ts', import.meta.url);
  const runner = threadRunner({ dir: tempDir(), workerUrl });
  expect(await runner.end(runner.start({ kind: 'import', paths: ['x'] }))).toEqual({ state: 'done', outcomes: [] });
  await runner.close();
});

test('a library that cannot be opened fails the job with its reason', async () => {
  const dir = tempDir();
  writeFileSync(join(dir, 'library.sqlite'), 'no database '.repeat(500));
  const runner = closing(threadRunner({ dir }));
  const end = await runner.end(runner.start({ kind: 'import', paths: ['x'] }));
  expect(end).toMatchObject({ state: 'failed', error: { code: 'store.not_a_library' } });
});

test('an idle thread ends, and the next job has a new one', async () => {
  const dir = tempDir();
  const runner = closing(threadRunner({ dir: join(dir, 'library'), idleMilliseconds: 0 }));
  for (const name of ['a', 'b']) {
    session(join(dir, name), 2);
    const end = await runner.end(runner.start({ kind: 'import', paths: [join(dir, name)] }));
    expect(end).toMatchObject({ state: 'done' });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
