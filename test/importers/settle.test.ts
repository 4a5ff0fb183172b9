// A file that is being followed is settled whenever it has no more for now. However often that happens, and wherever,
// the end is the same as of one read. Replay a failing case by its seed.
import { readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { importText, MemorySink } from '../../core/importers/memory.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { cases } from '../support/cases.ts';
import { FORMATS } from '../support/formats.ts';
import { corpusFiles, filesBelow, sharedDir } from '../support/shared.ts';

const DIR = join(import.meta.dirname, '..', 'fixtures');
const MAX_BYTES = 1_500_000;

/** Imports bytes in pieces; after a piece `settles` says whether to settle. */
function read(pieces: readonly Uint8Array[], settles: () => boolean, format?: string): object {
  const sink = new MemorySink();
  const stream = new ImportStream(sink, { registry: formats, ...(format === undefined ? {} : { format }) });
  for (const piece of pieces) {
    stream.push(piece);
    if (settles()) stream.settle();
  }
  stream.end();
  const { transcripts, problems, ignored } = sink.result();
  // An answer that waits may be handed over after that of a transcript that begins later.
  const byKey = [...transcripts].sort((a, b) => (a.key < b.key ? -1 : 1));
  const texts = byKey.map((transcript) => ({
    ...transcript,
    messages: transcript.messages.map(({ value: _value, ...message }) => message),
  }));
  const places = ignored.map(({ byteStart, reason }) => `${byteStart} ${reason}`).sort();
  return { transcripts: texts, problems, ignored: places, counts: stream.counts };
}

// At line ends for the most part, as a writer leaves a file, but anywhere else too.
function cut(bytes: Uint8Array, rng: Rng, wanted: number): Uint8Array[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at + 1);
  const cuts = Array.from({ length: wanted }, () =>
    ends.length > 0 && rng.chance(0.8) ? rng.pick(ends) : rng.below(bytes.length),
  );
  const places = [0, ...[...new Set(cuts)].sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end));
}

function isLines(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.subarray(0, 200_000)).trimStart();
  const newline = text.indexOf('\n');
  if (!text.startsWith('{') || newline < 0) return false;
  try {
    JSON.parse(text.slice(0, newline));
    return true;
  } catch {
    return false;
  }
}

const shared = sharedDir();
const fixtures = FORMATS.flatMap((format) => filesBelow(join(DIR, format))).filter(
  (path) => !path.endsWith('.golden.json'),
);
const corpus = FORMATS.flatMap((format) => corpusFiles(format)).filter((path) => statSync(path).size <= MAX_BYTES);

function law(path: string, seeds: number, pieces: number): void {
  const bytes = readFileSync(path);
  const whole = read([bytes], () => false);
  for (let seed = 1; seed <= seeds; seed++) {
    const rng = seededRng(seed);
    const often = rng.next();
    // A format that does not grow is known at its end only, unless it is told.
    const told = rng.chance() ? importText(bytes).format : null;
    const settled = read(cut(bytes, rng, pieces), () => rng.chance(often), told ?? undefined);
    expect(settled, `seed ${seed} of ${path}`).toEqual(whole);
  }
}

describe('settling a file that grows', () => {
  const lines = fixtures.filter((path) => isLines(readFileSync(path)));

  it('is tried with lines of many formats', () => expect(lines.length).toBeGreaterThan(15));

  it.each(lines.map((path) => [relative(DIR, path), path] as const))('changes nothing: %s', (_name, path) => {
    law(path, cases(40, 12), 30);
  });
});

describe('settling a damaged file', () => {
  const lines = fixtures.filter((path) => isLines(readFileSync(path)));

  // Damage may hide what a file is known by: so it is told.
  it.each(lines.map((path) => [relative(DIR, path), path] as const))('changes nothing: %s', (_name, path) => {
    const bytes = readFileSync(path);
    const format = importText(bytes).format ?? undefined;
    for (let seed = 1; seed <= cases(40, 12); seed++) {
      const rng = seededRng(seed);
      const damaged = shuffled(bytes, rng);
      const whole = read([damaged], () => false, format);
      const settled = read(cut(damaged, rng, 25), () => rng.chance(), format);
      expect(settled, `seed ${seed}`).toEqual(whole);
      const codes = importText(damaged, format === undefined ? {} : { format }).problems.map(({ code }) => code);
      expect(codes, `seed ${seed}`).not.toContain('import.reader_failed');
    }
  });
});

/** Lines left out, doubled, moved, and bytes that are others. */
function shuffled(bytes: Uint8Array, rng: Rng): Uint8Array {
  const lines = new TextDecoder().decode(bytes).split('\n');
  for (let times = 1 + rng.below(4); times > 0; times--) {
    const line = lines[rng.below(lines.length)] ?? '';
    if (rng.chance()) lines.splice(rng.below(lines.length), 0, line);
    else lines.splice(rng.below(lines.length), 1);
  }
  const damaged = new TextEncoder().encode(lines.join('\n'));
  if (rng.chance(0.3) && damaged.length > 0) damaged[rng.below(damaged.length)] = rng.below(256);
  return damaged;
}

describe.skipIf(!shared)('settling files of the corpus (skipped where there is no shared material)', () => {
  const lines = corpus.filter((path) => isLines(readFileSync(path)));

  it.each(lines.map((path) => [relative(join(shared ?? '', 'corpus'), path), path] as const))(
    'changes nothing: %s',
    (_name, path) => law(path, statSync(path).size > 300_000 ? 1 : cases(3, 1), 60),
  );
});
