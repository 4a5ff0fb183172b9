// Words of a file are asked of tables: what a record's type means, what a role is read as. A word that every object of
// JavaScript answers to (`constructor`) must be as unknown as any other. Each word of each fixture becomes such a one: in a unit run they take
// turns over the words, with PARALLAX_CASES=full each word becomes all of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { describeEvent } from '../../core/model/eventWords.ts';
import { ALL_CASES } from '../support/cases.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const NAMES = ['constructor', '__proto__', 'toString'];
const MOST_BYTES = 60_000;
const counts = { files: 0, trials: 0 };
afterAll(() => console.log(`names: ${counts.trials} words of ${counts.files} fixtures, all as unknown as others`));

const files = readdirSync(FIXTURES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:jsonl?|sse|txt|log)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name));

test.each(files.map((file) => [file.slice(FIXTURES.length + 1), file] as const))('%s', (_, file) => {
  const text = readFileSync(file, 'utf8');
  if (text.length > MOST_BYTES) return;
  counts.files++;
  // A value that is one word: a type, a role, a kind, a name.
  const words = new Set([...text.matchAll(/:\s*"([a-z_][\w./-]{1,40})"/gi)].map(([, found]) => found ?? ''));
  for (const [nth, word] of [...words].entries()) {
    for (const name of NAMES.filter((_one, at) => ALL_CASES || at === nth % NAMES.length)) {
      counts.trials++;
      const { transcripts, problems } = importText(
        new TextEncoder().encode(text.replaceAll(`"${word}"`, `"${name}"`)),
        { unpack: unpackZlib },
      );
      const faults = problems.filter(({ text: said }) => said.includes('fault of this program'));
      expect(
        faults.map(({ text: said }) => said),
        `${word} → ${name}`,
      ).toEqual([]);
      for (const transcript of transcripts) {
        for (const { kind, json } of transcript.events) expect(typeof describeEvent(kind, json)).toBe('string');
        MemoryTranscript.of(transcript);
      }
    }
  }
});
