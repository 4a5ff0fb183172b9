// Many damaged files in one library, where contents are shared between them: nothing crashes, the database stays whole,
// and every file that gave a transcript can be had again byte for byte, also when all the others are there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import { damageableFiles, damageOf } from '../support/damage.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

const FILES = 200;
/** Other damage than that of the readers' own test. */
const FIRST_SEED = 500_000;

test(`${FILES} damaged files in one library`, { timeout: 240_000 }, async () => {
  const library = openLibrary(tempDir());
  const files = damageableFiles();
  const kept: { readonly id: string; readonly bytes: Uint8Array; readonly replay: string }[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + FILES; seed++) {
    const { bytes, replay } = damageOf(files, seed);
    // Its own path: a file that is written anew takes the place of what it was.
    const path = join(library.dir, `file${seed}`);
    writeFileSync(path, bytes);
    const { transcripts, error } = await runImport(library, path).catch((cause: unknown) => {
      throw new Error(replay, { cause });
    });
    const [first] = transcripts;
    expect(first !== undefined || error !== null, `${replay}: neither a transcript nor an error`).toBe(true);
    if (first) kept.push({ id: first.id, bytes, replay });
  }
  for (const { id, bytes, replay } of kept) {
    expect(Buffer.compare(library.fileBytes(id) ?? new Uint8Array(), bytes), replay).toBe(0);
    const source = library.source(id);
    for (let index = 0; index < (source?.length ?? 0); index++) JSON.parse(source?.text(index) ?? '');
  }
  expect(kept.length).toBeGreaterThan(FILES / 2);
  expect(library.tables.db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(library.tables.db.pragma('foreign_key_check')).toEqual([]);
});
