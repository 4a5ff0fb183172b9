// Removing: at once for whoever looks, slice by slice on disk, and never too much.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import type { Library, StoredSource } from '../../core/store/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, imageMessage, openSource, sessionLines, TWO_SESSIONS, writeSession } from './support.ts';

const EVERYTHING = [
  'transcripts',
  'sources',
  'contents',
  'content_assets',
  'assets',
  'records',
  'record_assets',
  'fillers',
  'messages',
  'message_pages',
  'files',
  'events',
  'problems',
];

function rows(library: Library): Record<string, number> {
  return Object.fromEntries(EVERYTHING.map((table) => [table, count(library, table)]));
}

const NOTHING = Object.fromEntries(EVERYTHING.map((table) => [table, 0]));

describe('removing', () => {
  test('leaves nothing behind', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'a.jsonl');
    writeSession(path, [imageMessage('x'), imageMessage('y')]);
    const { id } = (await runImport(library, path)).transcripts[0]!;
    expect(count(library, 'contents')).toBe(2);
    expect(library.remove(id)).toBe(true);
    expect(library.remove(id)).toBe(false);
    await runUpkeep(library);
    expect(rows(library)).toEqual(NOTHING);
  });

  test('keeps what another transcript shares', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const [a, b] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl')];
    writeSession(a, [imageMessage('x'), imageMessage('y')]);
    writeSession(b, [imageMessage('x'), imageMessage('z')]);
    const first = (await runImport(library, a)).transcripts[0]!;
    const second = (await runImport(library, b)).transcripts[0]!;
    expect(count(library, 'contents')).toBe(3);
    library.remove(first.id);
    await runUpkeep(library);
    expect(count(library, 'contents')).toBe(2);
    const source = openSource(library, second.id);
    expect(source.records(0)[0]!.json).toBe(readFileSync(b, 'utf8').split('\n')[0]);
  });

  test('one of two transcripts of a file, and importing it again', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'two.jsonl');
    writeFileSync(path, TWO_SESSIONS);
    const before = (await runImport(library, path)).transcripts;
    expect(before).toHaveLength(2);
    const textsBefore = before.map(({ id }) => openSource(library, id).texts(0, 2));
    library.remove(before[0]!.id);
    await runUpkeep(library);
    expect(recordTexts(openSource(library, before[1]!.id))).toEqual(linesOf(TWO_SESSIONS, [1, 3]));
    const after = (await runImport(library, path)).transcripts;
    expect(after.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(before.map(({ id }) => openSource(library, id).texts(0, 2))).toEqual(textsBefore);
    expect(count(library, 'records')).toBe(4);
    for (const { id } of before) library.remove(id);
    await runUpkeep(library);
    expect(rows(library)).toEqual(NOTHING);
  });
});

function recordTexts(source: StoredSource): string[] {
  return Array.from({ length: source.length }, (_, i) => source.records(i).map(({ json }) => json)).flat();
}

function linesOf(text: string, at: readonly number[]): string[] {
  const lines = text.split('\n');
  return at.map((line) => lines[line]!);
}

/** A session of some batches, with images, a line that is no JSON, and CRLF. */
function writeLong(path: string): void {
  const message = (i: number) => (i % 90 === 0 ? imageMessage(`image ${i}`) : { role: 'user', content: `text ${i}` });
  const lines = sessionLines(Array.from({ length: 1800 }, (_, i) => message(i)));
  lines.splice(5, 0, 'this is no JSON');
  writeFileSync(path, `${lines.join('\r\n')}\r\n`);
}

describe('removing a large transcript', () => {
  test('takes it out of every list at once and deletes nothing yet', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    writeLong(join(dir, 'long.jsonl'));
    const { id } = (await runImport(library, join(dir, 'long.jsonl'))).transcripts[0]!;
    const before = rows(library);
    expect(library.remove(id)).toBe(true);
    expect(rows(library)).toEqual(before);
    expect([library.list(), library.get(id), library.source(id), library.problems(id)]).toEqual([[], null, null, []]);
    expect(library.needsUpkeep()).toBe(true);
  });

  test('goes on after a restart, wherever it was', async () => {
    const dir = tempDir();
    const path = join(dir, 'long.jsonl');
    writeLong(path);
    for (const steps of [0, 1, 3, 6, 9]) {
      const library = openLibrary(join(dir, `${steps}`));
      const { id } = (await runImport(library, path)).transcripts[0]!;
      library.remove(id);
      for (let step = 0; step < steps; step++) expect(library.upkeepStep(), `step ${step}`).toBe(true);
      library.close();
      const again = openLibrary(join(dir, `${steps}`));
      expect([again.list(), again.needsUpkeep()], `after ${steps} steps`).toEqual([[], true]);
      expect(again.tables.db.pragma('foreign_key_check')).toEqual([]);
      await runUpkeep(again);
      expect(rows(again), `after ${steps} steps`).toEqual(NOTHING);
      expect(again.needsUpkeep()).toBe(false);
    }
  });

  test('the same file imported before all is deleted is whole', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'long.jsonl');
    writeLong(path);
    const { id } = (await runImport(library, path)).transcripts[0]!;
    const before = { texts: openSource(library, id).texts(0, 1800), rows: rows(library) };
    library.remove(id);
    library.upkeepStep();
    const again = (await runImport(library, path)).transcripts[0]!;
    expect(again).toEqual({ id, messages: 1800, existed: false });
    await runUpkeep(library);
    expect(openSource(library, id).texts(0, 1800)).toEqual(before.texts);
    expect(Buffer.from(library.fileBytes(id) ?? [])).toEqual(readFileSync(path));
    expect(rows(library)).toEqual(before.rows);
  });

  test('a slice deletes a part', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    writeLong(join(dir, 'long.jsonl'));
    library.remove((await runImport(library, join(dir, 'long.jsonl'))).transcripts[0]!.id);
    const seen: number[] = [];
    do seen.push(count(library, 'records') + count(library, 'messages'));
    while (library.upkeepStep());
    const most = Math.max(...seen.slice(1).map((left, i) => seen[i]! - left));
    expect(most).toBe(500);
    expect(seen.at(-1)).toBe(0);
  });
});

test('a text that a record of another file still shares stays', async () => {
  const dir = tempDir();
  const library = openLibrary(dir);
  const [two, other] = [join(dir, 'two.jsonl'), join(dir, 'other.jsonl')];
  writeFileSync(two, TWO_SESSIONS);
  // The same messages as those of the first of the two sessions.
  const lines = TWO_SESSIONS.split('\n');
  writeFileSync(other, `${lines[0]}\n${lines[2]}\n`);
  const [first, second] = (await runImport(library, two)).transcripts;
  const copy = (await runImport(library, other)).transcripts[0]!;
  library.remove(first!.id);
  await runUpkeep(library);
  library.remove(copy.id);
  await runUpkeep(library);
  expect(Buffer.from(library.fileBytes(second!.id) ?? []).toString()).toBe(TWO_SESSIONS);
  library.remove(second!.id);
  await runUpkeep(library);
  expect(rows(library)).toEqual(NOTHING);
});
