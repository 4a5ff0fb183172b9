// A file that grew goes on in the same transcripts: whatever the places where it stood still, what is in the library in
// the end is what one import of the whole file brings.
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../../core/engine/jobs/index.ts';
import type { Library } from '../../../core/store/index.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { cases } from '../../support/cases.ts';
import { claudeCodeFile } from '../../support/generate.ts';
import { libraryContent, tableCounts } from '../../support/libraryContent.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

/** Line files of every format there is a fixture of. */
const FILES: readonly (readonly [name: string, bytes: Buffer])[] = readdirSync(FIXTURES)
  .filter((format) => statSync(join(FIXTURES, format)).isDirectory())
  .flatMap((format) => readdirSync(join(FIXTURES, format)).map((file) => join(format, file)))
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => [file, readFileSync(join(FIXTURES, file))]);

/** Byte places to stop at, ascending: some at line ends, some within a line. */
function stops(rng: Rng, bytes: Buffer): readonly number[] {
  const places = Array.from({ length: 1 + rng.below(4) }, () => {
    const at = 1 + rng.below(bytes.length - 1);
    const end = bytes.indexOf(0x0a, at);
    return rng.chance(0.5) && end >= 0 ? end + 1 : at;
  });
  return [...new Set([...places, bytes.length])].sort((a, b) => a - b);
}

async function whole(dir: string, bytes: Buffer): Promise<Library> {
  const library = openLibrary(join(dir, 'whole'));
  const path = join(dir, 'file.jsonl');
  writeFileSync(path, bytes);
  await runImport(library, path);
  return library;
}

test.each(FILES)('%s, imported as it grows, is what it is imported at once', async (name, bytes) => {
  const expected = await whole(tempDir(), bytes);
  const [content, counts] = [libraryContent(expected), tableCounts(expected)];
  for (let seed = 1; seed <= cases(6, 3); seed++) {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'grown'));
    const path = join(dir, 'file.jsonl');
    const places = stops(seededRng(seed), bytes);
    const replay = `${name}, seed ${seed}, stopped at ${places.join(', ')}`;
    for (const place of places) {
      writeFileSync(path, bytes.subarray(0, place));
      await runImport(library, path);
    }
    expect(libraryContent(library), replay).toEqual(content);
    const { id } = library.list()[0] ?? { id: '' };
    expect(Buffer.from(library.fileBytes(id) ?? []).equals(bytes), replay).toBe(true);
    if (library.list().every(({ key }) => key !== '')) {
      expect(tableCounts(library), replay).toEqual(counts);
    }
  }
});

describe('a long session', () => {
  const bytes = Buffer.from(claudeCodeFile({ messages: 3000, seed: 7 }));

  test('keeps the ids of its transcripts while it grows, and counts as one source', async () => {
    const dir = tempDir();
    const expected = await whole(dir, bytes);
    const library = openLibrary(join(dir, 'grown'));
    const path = join(dir, 'file.jsonl');
    const ids = new Set<string>();
    for (const part of [0.3, 0.6, 0.9, 1]) {
      writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length * part)));
      const { transcripts, error } = await runImport(library, path);
      expect(error).toBeNull();
      for (const { id } of transcripts) ids.add(id);
    }
    expect(ids.size).toBe(1);
    expect(libraryContent(library)).toEqual(libraryContent(expected));
    expect(tableCounts(library)).toEqual(tableCounts(expected));
    // The same content from elsewhere is known, and so is the beginning it was first known by.
    for (const part of [1, 0.3]) {
      const copy = join(dir, `copy-${part}.jsonl`);
      writeFileSync(copy, bytes.subarray(0, Math.floor(bytes.length * part)));
      expect((await runImport(library, copy)).transcripts).toMatchObject([{ id: [...ids][0], existed: true }]);
    }
  });

  test('cancelled while it grows, keeps what it was', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const path = join(dir, 'file.jsonl');
    writeFileSync(path, bytes.subarray(0, bytes.length / 4));
    await runImport(library, path);
    const { messages } = library.list()[0]!.counts;
    writeFileSync(path, bytes);
    const abort = new AbortController();
    const onProgress = () => abort.abort();
    await expect(runImport(library, path, { signal: abort.signal, onProgress })).rejects.toThrow(/abort/i);
    expect(library.list()).toMatchObject([{ state: 'ready' }]);
    expect(library.list()[0]!.counts.messages).toBeGreaterThanOrEqual(messages - 1);
    await runImport(library, path);
    expect(libraryContent(library)).toEqual(libraryContent(await whole(dir, bytes)));
  });

  test('rewritten, it is another source; the old transcripts stay and the outcome says so', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const path = join(dir, 'file.jsonl');
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    const first = await runImport(library, path);
    const other = Buffer.from(claudeCodeFile({ messages: 3000, seed: 8 }));
    writeFileSync(path, other);
    const second = await runImport(library, path);
    expect(second.problems.map(({ code }) => code)).toContain('import.file_rewritten');
    expect(second.transcripts[0]!.id).not.toBe(first.transcripts[0]!.id);
    expect(library.list().map(({ state }) => state)).toEqual(['ready', 'ready']);
    expect(library.get(first.transcripts[0]!.id)!.counts.messages).toBe(first.transcripts[0]!.messages);
  });

  test('truncated, it is another source too', async () => {
    const dir = tempDir();
    const library = openLibrary(join(dir, 'library'));
    const path = join(dir, 'file.jsonl');
    writeFileSync(path, bytes);
    const first = await runImport(library, path);
    truncateSync(path, Math.floor(bytes.length / 2));
    const second = await runImport(library, path);
    expect(second.problems.map(({ code }) => code)).toContain('import.file_rewritten');
    expect(library.get(first.transcripts[0]!.id)!.counts.messages).toBe(3000);
    expect(library.list()).toHaveLength(2);
  });
});

test('a session kept as one document and written anew with every turn stays one transcript', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'request.json');
  const message = (i: number) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `message ${i}` });
  const ids = new Set<string>();
  for (const length of [2, 4, 7]) {
    const messages = Array.from({ length }, (_, i) => message(i));
    writeFileSync(path, JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages }, null, 1));
    const { transcripts, problems } = await runImport(library, path);
    expect(problems).toEqual([]);
    for (const { id } of transcripts) ids.add(id);
  }
  expect(ids.size).toBe(1);
  expect(library.list()).toMatchObject([{ counts: { messages: 7 } }]);
  expect(Buffer.from(library.fileBytes([...ids][0]!) ?? []).equals(readFileSync(path))).toBe(true);
});
