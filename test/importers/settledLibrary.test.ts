// Real readers and the real library: a file that was settled and written at random places comes to the same as one read
// at once.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import type { Library } from '../../core/store/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { wholeFile } from '../store/support.ts';
import { FORMATS } from '../support/formats.ts';
import { libraryContent } from '../support/libraryContent.ts';
import { RewoundSession } from '../support/rewoundSession.ts';
import { filesBelow } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { jsonl } from './support.ts';

const GROWING = new Set(formats.all.filter(({ grows }) => grows).map(({ id }) => id));
const DIR = join(import.meta.dirname, '..', 'fixtures');
const fixtures = FORMATS.filter((format) => GROWING.has(format))
  .flatMap((format) => filesBelow(join(DIR, format)))
  .filter((path) => path.endsWith('.jsonl'));

/** Brings bytes into a library, line by line; after a line it may be settled, and written. */
function bringIn(library: Library, bytes: Buffer, rng: Rng | null): unknown {
  const hash = createHash('sha256').update(bytes).digest();
  const begun = library.tables.beginImport({ path: '/a.jsonl', bytes: 0, mtimeMs: 0, probe: hash, sha256: hash });
  if (begun.kind !== 'writer') throw new Error(`an import began as ${begun.kind}`);
  const stream = new ImportStream(begun.writer, { registry: formats });
  let at = 0;
  while (at < bytes.length) {
    const newline = bytes.indexOf(10, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    stream.push(bytes.subarray(at, end));
    at = end;
    if (rng?.chance()) stream.settle();
    if (rng?.chance()) begun.writer.flush(at);
  }
  stream.end();
  begun.writer.finish(wholeFile(bytes));
  return libraryContent(library);
}

function law(bytes: Buffer, seeds: readonly number[]): void {
  const whole = bringIn(openLibrary(tempDir()), bytes, null);
  for (const seed of seeds)
    expect(bringIn(openLibrary(tempDir()), bytes, seededRng(seed)), `seed ${seed}`).toEqual(whole);
}

describe('a library', () => {
  it.each(fixtures.map((path) => [relative(DIR, path), path] as const))('holds the same of %s', (_name, path) => {
    law(readFileSync(path), [1, 2, 3]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 1001])('holds the same of a session that goes back and forth: seed %i', (seed) => {
    const session = new RewoundSession(seed);
    if (seed > 1000) session.weave(150, 2);
    else session.write(4 + seed);
    law(Buffer.from(jsonl(...session.lines)), [seed * 31]);
  });
});
