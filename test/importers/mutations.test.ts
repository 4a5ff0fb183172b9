// Seeded damage to real files: nothing crashes, nothing is lost from the accounts, and what is broken has a problem.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { MemorySink, MemoryTranscript } from '../../core/importers/memory.ts';
import type { SourceRecord } from '../../core/importers/types.ts';
import { seededRng } from '../../core/util/rng.ts';
import { FORMATS } from '../support/formats.ts';
import { MUTATIONS, mutate } from '../support/mutations.ts';
import { corpusFiles, filesBelow } from '../support/shared.ts';
import { chunks } from './support.ts';

const HEAD_BYTES = 40_000;
const SEEDS = 600;
const FILES = [
  ...filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter((path) => /\.jsonl?$/.test(path)),
  ...FORMATS.flatMap(corpusFiles).filter((path) => /\.jsonl?$/.test(path)),
];

class RecordSink extends MemorySink {
  readonly broken: SourceRecord[] = [];

  record(record: SourceRecord): void {
    if (record.error) this.broken.push(record);
  }
}

type Reading = ReturnType<typeof read>;

function read(pieces: readonly Uint8Array[]) {
  const sink = new RecordSink();
  const stream = new ImportStream(sink, { registry: formats });
  for (const piece of pieces) stream.push(piece);
  stream.end();
  return { ...sink.result(), broken: sink.broken, counts: stream.counts };
}

/** Everything wrong with how a damaged file was read, in words. */
function faults(file: Reading, again: () => Reading): string[] {
  const { counts, problems, transcripts } = file;
  const found: string[] = [];
  const sum = counts.inMessages + counts.inEvents + counts.ignored + counts.broken + counts.envelopes;
  if (counts.records !== sum || counts.unaccounted > 0) found.push(`the accounts: ${JSON.stringify(counts)}`);
  for (const { code, text } of problems) if (code === 'import.reader_failed') found.push(text);
  const told = new Set(problems.map(({ where }) => where?.byteStart));
  for (const record of file.broken) {
    if (!told.has(record.byteStart)) found.push(`line ${record.line} is broken, and no problem says so`);
  }
  for (const transcript of transcripts) {
    const source = MemoryTranscript.of(transcript);
    for (let index = 0; index < source.length; index++) source.facts(index);
  }
  if (JSON.stringify(again()) !== JSON.stringify(file)) found.push('other chunks gave another result');
  return found;
}

test(`${SEEDS} damaged files`, { timeout: 240_000 }, () => {
  const seen = new Set<string>();
  let damaged = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const rng = seededRng(seed);
    const path = rng.pick(FILES);
    const mutation = rng.pick(MUTATIONS);
    const bytes = mutate(readFileSync(path).subarray(0, HEAD_BYTES), mutation, rng);
    const replay = `seed ${seed}: ${mutation} of the first ${HEAD_BYTES} bytes of ${path}`;
    const pieces = chunks(bytes.subarray(0, 4000), rng);
    expect(() => {
      const file = read([bytes]);
      expect(faults(file, () => read([...pieces, bytes.subarray(4000)]))).toEqual([]);
      if (file.counts.broken > 0) damaged++;
    }, replay).not.toThrow();
    seen.add(mutation);
  }
  expect(seen.size).toBe(MUTATIONS.length);
  expect(damaged).toBeGreaterThan(SEEDS / 10);
});
