import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inlineRunner, resumeUnfinished, runImport } from '../../../core/engine/jobs/index.ts';
import type { Library } from '../../../core/store/index.ts';
import { seededRng } from '../../../core/util/rng.ts';
import { count, imageMessage, openSource, sessionLines } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const TABLES = [
  'sources',
  'files',
  'transcripts',
  'contents',
  'content_assets',
  'assets',
  'messages',
  'records',
  'events',
  'problems',
];

/** Two transcripts in turn, with images, about 8 MB: some eight batches. */
function writeLong(path: string): void {
  const message = (i: number) =>
    i % 50 === 0 ? imageMessage(`image ${i}`) : { role: 'user', content: `${i} ${'some text '.repeat(200)}` };
  const main = sessionLines(Array.from({ length: 2400 }, (_, i) => message(i)));
  const agent = sessionLines(
    Array.from({ length: 1200 }, (_, i) => message(i * 2 + 1)),
    'agent1',
  );
  const lines = main.flatMap((line, i) => (i % 2 === 0 ? [line, agent[i / 2]!] : [line]));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** Runs the import in a process and kills it some milliseconds after its nth batch. */
async function importAndKill(dir: string, path: string, batches: number, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'importChild.ts'), dir, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const enough = Promise.withResolvers<void>();
  let said = '';
  // Listened to until the end: to a closed pipe the process would not be able to speak, and would die of that.
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
    if (said.split('batch\n').length > batches) enough.resolve();
  });
  child.stdout.on('end', () => enough.resolve());
  await enough.promise;
  await setTimeout(milliseconds);
  child.kill('SIGKILL');
  await exited;
}

function contentOf(library: Library): unknown {
  return {
    rows: TABLES.map((table) => [table, count(library, table)]),
    transcripts: library.list().map(({ id, state, counts }) => ({ id, state, counts, texts: textsOf(library, id) })),
  };
}

function textsOf(library: Library, id: string): readonly string[] {
  const source = openSource(library, id);
  return source.texts(0, source.length);
}

test('killed at any moment, the library is whole and the import is finished without doubles', {
  timeout: 180_000,
}, async () => {
  const dir = tempDir();
  const path = join(dir, 'long.jsonl');
  writeLong(path);
  const reference = openLibrary(join(dir, 'reference'));
  await runImport(reference, path);
  const expected = contentOf(reference);
  const rng = seededRng(42);
  let unfinishedSeen = 0;
  for (let kill = 0; kill < 10; kill++) {
    const [batches, milliseconds] = [1 + rng.below(5), rng.below(40)];
    const replay = `kill ${kill}: after batch ${batches} + ${milliseconds} ms`;
    const folder = join(dir, `killed-${kill}`);
    await importAndKill(folder, path, batches, milliseconds);
    const library = openLibrary(folder);
    expect(library.tables.db.pragma('integrity_check', { simple: true }), replay).toBe('ok');
    expect(library.tables.db.pragma('foreign_key_check'), replay).toEqual([]);
    const unfinished = library.unfinished();
    unfinishedSeen += unfinished.length;
    for (const { id } of library.list()) expect(() => textsOf(library, id), replay).not.toThrow();
    if (kill % 2 === 0) await resumeUnfinished(library, inlineRunner(library));
    else await runImport(library, path);
    expect(library.unfinished(), replay).toEqual([]);
    expect(contentOf(library), replay).toEqual(expected);
  }
  expect(unfinishedSeen).toBeGreaterThan(5);
});

test('an import whose file is gone is ended, and what it brought can be read', { timeout: 60_000 }, async () => {
  const dir = tempDir();
  const path = join(dir, 'long.jsonl');
  writeLong(path);
  const library = openLibrary(join(dir, 'library'));
  await importAndKill(library.dir, path, 2, 0);
  expect(library.unfinished()).toMatchObject([{ path }]);
  rmSync(path);
  await resumeUnfinished(library, inlineRunner(library));
  expect(library.unfinished()).toEqual([]);
  const rows = library.list();
  expect(rows.map(({ state, failure }) => [state, failure?.code])).toEqual(
    rows.map(() => ['failed', 'import.interrupted']),
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { id, counts } of rows) expect(textsOf(library, id)).toHaveLength(counts.messages);
  writeLong(path);
  expect((await runImport(library, path)).transcripts).toMatchObject([{ messages: 2400 }, { messages: 1200 }]);
  expect(library.list().map(({ state }) => state)).toEqual(['ready', 'ready']);
});
