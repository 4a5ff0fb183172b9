import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ImportProgress, runImport } from '../../../core/engine/jobs/index.ts';
import { count, imageMessage, writeSession } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const TABLES = [
  'sources',
  'files',
  'imports',
  'transcripts',
  'contents',
  'messages',
  'records',
  'events',
  'problems',
  'assets',
];

function longSession(path: string, messages: number): void {
  writeSession(
    path,
    Array.from({ length: messages }, (_, i) => ({ role: 'user', content: `${i} ${'text '.repeat(2000)}` })),
  );
}

test('a file that cannot be read says why', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'locked.jsonl'), '{}');
  chmodSync(join(dir, 'locked.jsonl'), 0);
  const cases = [join(dir, 'nothing.jsonl'), join(dir, 'folder'), join(dir, 'nothing.jsonl', 'below')];
  // Nothing is locked for root.
  if (process.getuid?.() !== 0) cases.push(join(dir, 'locked.jsonl'));
  for (const path of cases) {
    const { error, transcripts } = await runImport(library, path);
    expect(error).toMatchObject({ code: 'import.unreadable', where: { file: path } });
    expect(transcripts).toEqual([]);
  }
  expect(TABLES.map((table) => count(library, table))).toEqual(TABLES.map(() => 0));
});

test.each([
  ['nothing', ''],
  ['no transcript', 'name,value\na,1\n'],
  ['binary', '\0\x01\x02\x03'.repeat(1000)],
  ['JSON of something else', '{"dependencies":{"a":"1.0.0"}}'],
])('a file of %s is refused with the reason and leaves nothing', async (_what, content) => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'file.json');
  writeFileSync(path, content);
  const { error, transcripts } = await runImport(library, path);
  expect(error?.code).toMatch(/^import\./);
  expect(error?.where?.file).toBe(path);
  expect(transcripts).toEqual([]);
  expect(TABLES.map((table) => count(library, table))).toEqual(TABLES.map(() => 0));
});

test('tells how far it is, and where the transcript can be opened', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'long.jsonl');
  longSession(path, 600);
  const seen: ImportProgress[] = [];
  const { transcripts } = await runImport(library, path, { onProgress: (progress) => seen.push(progress) });
  expect(seen.length).toBeGreaterThan(2);
  for (const { bytes, total, transcriptIds } of seen) {
    expect(bytes).toBeLessThanOrEqual(total);
    expect(transcriptIds).toEqual([transcripts[0]!.id]);
  }
  expect(seen.at(-1)).toMatchObject({ bytes: seen[0]!.total });
});

test.each([0, 1, 2])('cancelled after %i batches it leaves nothing, and can be done again', async (batches) => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'long.jsonl');
  longSession(path, 600);
  const abort = new AbortController();
  if (batches === 0) abort.abort();
  let seen = 0;
  const onProgress = () => {
    if (++seen === batches) abort.abort();
  };
  await expect(runImport(library, path, { signal: abort.signal, onProgress })).rejects.toThrow(/abort/i);
  expect(seen).toBe(batches);
  expect(TABLES.map((table) => count(library, table))).toEqual(TABLES.map(() => 0));
  expect((await runImport(library, path)).transcripts).toMatchObject([{ messages: 600, existed: false }]);
});

test('two imports of one file at once: one does it, the other says so', async () => {
  const dir = tempDir();
  const [one, two] = [openLibrary(join(dir, 'library')), openLibrary(join(dir, 'library'))];
  const path = join(dir, 'long.jsonl');
  longSession(path, 600);
  const outcomes = await Promise.all([runImport(one, path), runImport(two, path)]);
  expect(outcomes.map(({ error }) => error?.code ?? null).sort()).toEqual(['import.busy', null]);
  expect(count(one, 'messages')).toBe(600);
});

test('a file of more than 64 MB is known by its head, tail and whole', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const [a, b, c] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl'), join(dir, 'c.jsonl')];
  const big = (middle: string) =>
    Array.from({ length: 90 }, (_, i) => ({
      role: 'user',
      content: `${i === 45 ? middle : 'same'} ${'x'.repeat(800_000)}`,
    }));
  for (const [path, middle] of [
    [a, 'one!'],
    [b, 'two!'],
    [c, 'one!'],
  ] as const)
    writeSession(path, big(middle));
  const first = await runImport(library, a);
  const other = await runImport(library, b);
  const again = await runImport(library, c);
  expect(first.transcripts).toMatchObject([{ messages: 90, existed: false }]);
  expect(other.transcripts).toMatchObject([{ messages: 90, existed: false }]);
  expect(again.transcripts).toEqual([{ ...first.transcripts[0]!, existed: true }]);
  // The text that repeats is one content; so are the two that differ.
  expect(count(library, 'contents')).toBe(3);
});

test('images are kept once, however often they stand in a file', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'images.jsonl');
  writeSession(
    path,
    Array.from({ length: 50 }, (_, i) => imageMessage(`image ${i}`)),
  );
  await runImport(library, path);
  expect([count(library, 'messages'), count(library, 'assets')]).toEqual([50, 1]);
});
