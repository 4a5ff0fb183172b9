// Small hand-written files of every format, and what is read from them. After a wanted change:
// PARALLAX_UPDATE_GOLDENS=1 npx vitest run --project unit test/importers/goldens.test.ts, and read the difference.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { type ImportedFile, type ImportTextOptions, importText } from '../../core/importers/memory.ts';
import { seededRng } from '../../core/util/rng.ts';
import { FORMATS } from '../support/formats.ts';
import { filesBelow } from '../support/shared.ts';
import { addsUp, ungroupedIn } from './support.ts';

const DIR = join(import.meta.dirname, '..', 'fixtures');
const files = FORMATS.flatMap((format) => filesBelow(join(DIR, format)))
  .filter((path) => !path.endsWith('.golden.json'))
  .map((path) => [relative(DIR, path), path] as const);

const read = (bytes: Uint8Array, options: ImportTextOptions = {}): ImportedFile =>
  importText(bytes, { unpack: unpackZlib, ...options });

function picture(file: ImportedFile): object {
  // The times of compactions are those of their events.
  const transcripts = file.transcripts.map(({ compactionTimes: _times, ...transcript }) => ({
    ...transcript,
    messages: transcript.messages.map(({ text, meta, origins }) => ({
      text,
      meta,
      lines: origins.map((origin) => origin.line),
    })),
    events: transcript.events.map(({ json: _json, origin, ...event }) => ({ ...event, line: origin.line })),
  }));
  return { ...file, transcripts };
}

describe.each(files)('%s', (_name, path) => {
  const bytes = readFileSync(path);
  const whole = read(bytes);

  it('reads as its golden says', () => {
    const text = `${JSON.stringify(picture(whole), null, 2)}\n`;
    const golden = join(path, '..', `${basename(path)}.golden.json`);
    if (process.env.PARALLAX_UPDATE_GOLDENS === '1') writeFileSync(golden, text);
    expect(existsSync(golden), 'no golden yet').toBe(true);
    expect(text).toBe(readFileSync(golden, 'utf8'));
  });

  it('parses every message, from the bytes its origins name', () => {
    for (const transcript of whole.transcripts) {
      for (const message of transcript.messages) {
        const value = JSON.parse(message.text);
        if (message.value !== undefined) expect(message.value).toEqual(value);
        for (const origin of message.origins) {
          const line = bytes.subarray(0, origin.byteStart).toString('utf8').split('\n').length;
          expect(line).toBe(origin.line);
        }
      }
    }
    expect(addsUp(whole)).toBe(true);
    expect(ungroupedIn(whole)).toEqual([]);
  });

  it('reads the same in any chunks', () => {
    for (const chunkSize of [1, 7, 64]) expect(read(bytes, { chunkSize })).toEqual(whole);
  });

  // Damage at random places: nothing may throw, every record stays accounted for, and the reader never fails.
  it('survives damage', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const rng = seededRng(seed);
      const damaged = new Uint8Array(bytes);
      const from = rng.below(damaged.length);
      if (rng.chance()) for (let i = 0; i < 3; i++) damaged[(from + i) % damaged.length] = rng.below(256);
      const file = read(rng.chance() ? damaged.subarray(0, from) : damaged);
      const note = `seed ${seed}`;
      expect(addsUp(file), note).toBe(true);
      expect(
        file.problems.filter((problem) => problem.code === 'import.reader_failed'),
        note,
      ).toEqual([]);
    }
  });
});
