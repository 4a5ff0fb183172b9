// An open transcript is read while another connection takes the file in that went back: what was read before may still be
// told, nothing else of before, and nothing of what has taken its place.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import type { StoredSource } from '../../core/store/index.ts';
import { TranscriptChangedError } from '../../core/store/index.ts';
import { FORK, relatedGrowth } from '../support/relatedSessions.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { openSource } from './support.ts';

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
const RELATED = relatedGrowth();

const READS: readonly (readonly [what: string, read: (source: StoredSource, index: number) => unknown])[] = [
  ['text', (source, index) => source.text(index)],
  ['facts', (source, index) => source.facts(index)],
  ['origins', (source, index) => source.origins(index)],
  ['metadata', (source, index) => source.meta(index)],
  ['hash', (source, index) => source.contentHash(index)],
  ['digest', (source) => source.digest()],
  ['system messages', (source) => source.systemMessages?.()],
];

test.each(READS)('%s', async (_what, read) => {
  const dir = tempDir();
  const path = join(dir, 'session.jsonl');
  writeFileSync(path, text(RELATED.before));
  const [library, other] = [openLibrary(join(dir, 'library')), openLibrary(join(dir, 'library'))];
  const { id } = (await runImport(other, path)).transcripts[0]!;
  const source = openSource(library, id);
  expect(source.length).toBeGreaterThan(FORK + 2);
  writeFileSync(path, text([...RELATED.before, ...RELATED.rest]));
  await runImport(other, path);
  // In the place of what was there stands a message of the other branch.
  expect(openSource(other, id).length).toBeGreaterThan(FORK + 2);
  expect(() => read(source, FORK + 1)).toThrow(TranscriptChangedError);
  source.refresh();
  expect(read(source, FORK + 1)).toEqual(read(openSource(other, id), FORK + 1));
});
