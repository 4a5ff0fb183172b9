// A transcript of which the library says that nobody recorded usage has none in any message: its report is not made then.
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import { filesBelow } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

const isTranscript = (path: string) => /\.(jsonl?|eval)$/.test(path) && !path.endsWith('.golden.json');
const FIXTURES = filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter(isTranscript);

test('what the library says of usage holds for each message of each fixture', async () => {
  const said = { some: 0, none: 0 };
  for (const path of FIXTURES) {
    const library = openLibrary(tempDir());
    for (const { id } of (await runImport(library, path)).transcripts) {
      const source = library.source(id);
      if (source === null) throw new Error(`${basename(path)} is not in the library`);
      const messages = Array.from({ length: source.length }, (_, index) => source.meta(index));
      const isRecorded = messages.some(({ usage }) => usage !== undefined);
      if (isRecorded) expect(source.mayRecordUsage(), basename(path)).toBe(true);
      said[source.mayRecordUsage() ? 'some' : 'none']++;
    }
  }
  expect(said.some).toBeGreaterThan(5);
  expect(said.none).toBeGreaterThan(5);
});
