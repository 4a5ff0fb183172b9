// The library holds the file: records and fillers put together again are its bytes, however broken it is. A unit run takes
// each file with one mutation; PARALLAX_BYTES=full with all, of more of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import type { Library } from '../../core/store/index.ts';
import { seededRng } from '../../core/util/rng.ts';
import { FORMATS } from '../support/formats.ts';
import { MUTATIONS, mutate } from '../support/mutations.ts';
import { corpusFiles, filesBelow } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

const FULL = process.env.PARALLAX_BYTES === 'full';
const isTranscript = (path: string) => /\.(jsonl?|eval)$/.test(path) && !path.endsWith('.golden.json');
const FIXTURES = filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter(isTranscript);
const CORPUS = FORMATS.flatMap(corpusFiles).filter(isTranscript);

/** Imports bytes as a file; null if no transcript was found in it. */
async function keptBytes(library: Library, bytes: Uint8Array): Promise<Uint8Array | null> {
  const path = join(library.dir, 'file');
  writeFileSync(path, bytes);
  const { transcripts } = await runImport(library, path);
  return transcripts[0] === undefined ? null : library.fileBytes(transcripts[0].id);
}

async function imported(bytes: Uint8Array | string) {
  const library = openLibrary(tempDir());
  const path = join(library.dir, 'file');
  writeFileSync(path, bytes);
  const { transcripts, problems } = await runImport(library, path);
  const id = transcripts[0]?.id ?? 'none';
  const at = (code: string) => {
    const place = problems.find((problem) => problem.code === code)?.where;
    const record = place?.byteStart === undefined ? null : library.recordAt(id, place.byteStart);
    return record && { ...record, place };
  };
  return { library, id, at };
}

function expectSameBytes(kept: Uint8Array, bytes: Uint8Array, replay: string): void {
  if (Buffer.compare(kept, bytes) === 0) return;
  const at = bytes.findIndex((byte, i) => byte !== kept[i]);
  const show = (from: Uint8Array) =>
    JSON.stringify(Buffer.from(from.subarray(Math.max(0, at - 30), at + 30)).toString());
  expect.fail(`${replay}: differs at byte ${at} of ${bytes.length}: ${show(kept)} for ${show(bytes)}`);
}

const line = (text: string) =>
  `{"type":"user","uuid":"${text}","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"${text}"}}`;

describe('every byte of', () => {
  const cases: readonly [name: string, bytes: Uint8Array | string][] = [
    ['CRLF, blank lines, a byte order mark', `\ufeff${line('a')}\r\n\r\n  \n${line('b')}\r\n`],
    ['a line that is no JSON', `${line('a')}\nthis is no JSON\n${line('b')}\n`],
    ['a cut end', `${line('a')}\n${line('b').slice(0, 60)}`],
    ['a cut end after CR', `${line('a')}\n${line('b')}\r`],
    ['glued lines with NUL bytes', `${line('a')}\0\0${line('b')} \0garbage\n\0\0\0\n`],
    [
      'invalid UTF-8 in a message',
      Buffer.concat([Buffer.from(`${line('a')}\n`), latin1(line('\xe9\xff')), Buffer.from('\n')]),
    ],
    [
      'invalid UTF-8 in glued lines',
      Buffer.concat([latin1(`${line('\xe9')}${line('\xf0\x9f')} {"b\xff`), Buffer.from('\n')]),
    ],
    [
      'a document',
      JSON.stringify(
        {
          system: 's',
          messages: [
            { role: 'user', content: 'é' },
            { role: 'assistant', content: [] },
          ],
        },
        null,
        2,
      ),
    ],
    [
      'a document with text after it',
      '\ufeff {"system":"s","messages":[ {"role":"user","content":"a"} , 1 ] }\n\n{"more": true} x',
    ],
    [
      'a document cut in an element',
      '{"system":"s", "messages":[{"role":"user","content":"a"}, {"role":"user","content":"bé',
    ],
    ['a document cut between elements', '{"system":"s", "messages":[{"role":"user","content":"a"}, \n '],
    ['a document cut in a key', '{"system":"s","messages":[{"role":"user","content":"a"}],\n "otherK'],
    [
      'a document with a broken element',
      '{"system":"s","messages":[{"role":"user","content":"a"}, {"role" "user"}]}\n',
    ],
    [
      'events of a stream',
      `event: message_start\ndata: ${JSON.stringify({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], type: 'message' } })}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n`,
    ],
  ];

  test.each(cases)('%s', async (name, text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    const kept = await keptBytes(openLibrary(tempDir()), bytes);
    expect(kept).not.toBeNull();
    expectSameBytes(kept ?? new Uint8Array(), bytes, name);
  });

  test.each([...FIXTURES, ...CORPUS].map((path) => [basename(path), path]))('%s', async (name, path) => {
    const bytes = readFileSync(path);
    const kept = await keptBytes(openLibrary(tempDir()), bytes);
    if (kept !== null) expectSameBytes(kept, bytes, name);
    else expect(bytes.length, `${name}: nothing was imported`).toBeLessThan(20_000);
  });

  test('mutated files', { timeout: FULL ? 3_600_000 : 240_000 }, async () => {
    let read = 0;
    const kinds = new Set<string>();
    for (const [at, path] of [...FIXTURES, ...CORPUS].entries()) {
      const original = readFileSync(path).subarray(0, FULL ? 200_000 : 50_000);
      for (const [slot, mutation] of MUTATIONS.entries()) {
        // The mutations take turns over the files.
        if (!FULL && (at + slot) % MUTATIONS.length !== 0) continue;
        const seed = at * 100 + slot;
        const bytes = mutate(original, mutation, seededRng(seed));
        const kept = await keptBytes(openLibrary(tempDir()), bytes);
        if (kept === null) continue;
        read++;
        kinds.add(mutation);
        expectSameBytes(kept, bytes, `${mutation} of the beginning of ${path}, seed ${seed}`);
      }
    }
    expect(read).toBeGreaterThan(20);
    expect([...kinds].sort()).toEqual([...MUTATIONS].sort());
  });
});

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

describe('a broken stretch is found by its problem', () => {
  test('a line that is no JSON', async () => {
    const { at } = await imported(`${line('a')}\nthis is no JSON\n`);
    expect(at('import.broken_line')).toMatchObject({ json: 'this is no JSON', origin: { line: 2 } });
    expect(at('import.broken_line')?.origin.byteEnd).toBe(at('import.broken_line')?.place?.byteEnd);
  });

  test('what stands after a record on its line', async () => {
    const { at } = await imported(`${line('é')} {"half":\n`);
    expect(at('import.broken_line')?.json).toBe('{"half":');
  });

  test('a cut end', async () => {
    const { at } = await imported(`${line('a')}\n{"type":"us`);
    expect(at('import.truncated')?.json).toBe('{"type":"us');
  });

  test('invalid UTF-8, as text and as bytes', async () => {
    const { at } = await imported(
      Buffer.concat([Buffer.from(`${line('a')}\n`), latin1(line('\xe9')), Buffer.from('\n')]),
    );
    const record = at('import.invalid_utf8');
    expect(record?.json).toBe(line('\ufffd'));
    expect(Buffer.from(record?.bytes ?? [])).toEqual(latin1(line('\xe9')));
  });

  test('what follows a document, and an element cut off', async () => {
    const head = '{"system":"s","messages":[{"role":"user","content":"a"}';
    expect((await imported(`${head}]} more`)).at('import.trailing_text')?.json).toBe('more');
    expect((await imported(`${head}, {"role":"us`)).at('import.truncated')?.json).toBe('{"role":"us');
  });

  test('no record begins elsewhere', async () => {
    const { library, id } = await imported(`${line('a')}\n`);
    expect(library.recordAt(id, 1)).toBeNull();
    expect(library.recordAt('nobody', 0)).toBeNull();
    expect(library.fileBytes('nobody')).toBeNull();
  });
});
