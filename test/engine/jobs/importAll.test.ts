// A job of many files: what the program fails at is told with its file, and the others are imported.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Follower } from '../../../core/engine/follow/follower.ts';
import { executeJob } from '../../../core/engine/jobs/execute.ts';
import type { WrittenTranscript } from '../../../core/store/index.ts';
import { writeSession } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

/** Fails at one file, as a fault of the program would. */
class Failing extends Follower {
  readonly #thrown: Error;

  constructor(library: ConstructorParameters<typeof Follower>[0], thrown: Error) {
    super(library);
    this.#thrown = thrown;
  }

  override async transcriptsOf(path: string): Promise<readonly WrittenTranscript[] | null> {
    if (path.endsWith('b.jsonl')) throw this.#thrown;
    return null;
  }
}

async function importThree(thrown: Error) {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const paths = ['a.jsonl', 'b.jsonl', 'c.jsonl'].map((name) => join(dir, name));
  for (const path of paths) writeSession(path, [{ role: 'user', content: path }]);
  const signal = new AbortController().signal;
  const end = await executeJob(library, { kind: 'import', paths }, () => {}, signal, {
    follower: new Failing(library, thrown),
  });
  return { end, paths, transcripts: library.list().length };
}

test('one that the program fails at does not end the others', async () => {
  const { end, paths, transcripts } = await importThree(new RangeError('Maximum call stack size exceeded'));
  expect(end).toMatchObject({
    state: 'done',
    outcomes: [{ error: null }, { error: { code: 'import.failed', where: { file: paths[1] } } }, { error: null }],
  });
  expect(transcripts).toBe(2);
});

test('a library that takes no more ends the job', async () => {
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  const { end } = await importThree(full);
  expect(end).toMatchObject({ state: 'failed', error: { code: 'store.disk_full' } });
});

test('a folder without a readable path is told, and ends nothing', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  writeFileSync(join(dir, 'x.jsonl'), '');
  const paths = [join(dir, 'none', 'a.jsonl'), join(dir, 'x.jsonl')];
  const end = await executeJob(library, { kind: 'import', paths }, () => {}, new AbortController().signal);
  expect(end.state === 'done' && end.outcomes.map(({ error }) => error?.code)).toEqual([
    'import.unreadable',
    'import.empty_file',
  ]);
});
