import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport } from '../../core/engine/jobs/index.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { importText, MemorySink, MemoryTranscript } from '../../core/importers/memory.ts';
import type { SourceRecord } from '../../core/model/importSink.ts';
import { ImportLostError, type Library, type StoredSource } from '../../core/store/index.ts';
import { corpusFiles, filesBelow, sharedDir } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, imageMessage, openSource, wholeFile, writeSession } from './support.ts';

const FIXTURES = filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter((path) => /\.jsonl?$/.test(path));
const CORPUS = sharedDir() === null ? [] : smallCorpusFiles();

/** A few small files of each format that is read. */
function smallCorpusFiles(): string[] {
  const formats = ['claude-code', 'codex', 'openai-chat', 'anthropic-messages', 'harn', 'gemini-contents', 'pi'];
  const isSmall = (path: string) => /\.jsonl?$/.test(path) && readFileSync(path).length < 1_500_000;
  return formats.flatMap((format) => corpusFiles(format).filter(isSmall).slice(0, 6));
}

/** Everything the importer gives is found in the library as it was given. */
async function expectSame(path: string): Promise<Library> {
  const library = openLibrary(tempDir());
  const bytes = readFileSync(path);
  const expected = importText(bytes);
  const records = recordsOf(bytes);
  const outcome = await runImport(library, path);
  expect(outcome.transcripts.map(({ messages }) => messages)).toEqual(
    expected.transcripts.map(({ messages }) => messages.length),
  );
  if (expected.transcripts.length === 0) {
    expect(outcome.error).not.toBeNull();
    return library;
  }
  for (const [at, transcript] of expected.transcripts.entries()) {
    const source = openSource(library, outcome.transcripts[at]!.id);
    expect(source.texts(0, source.length)).toEqual(transcript.messages.map(({ text }) => text));
    for (const [index, message] of transcript.messages.entries()) {
      expect(source.meta(index)).toEqual(message.meta);
      expect(source.origins(index)).toEqual(message.origins);
      for (const { json, origin } of source.records(index)) expect(json).toBe(records.get(origin.byteStart));
      expect(source.records(index)).toHaveLength(message.origins.length);
    }
    const events = library.events(source.id, 0, Number.MAX_SAFE_INTEGER);
    expect(events.map(({ json, kind, at: place }) => ({ json, kind, at: place }))).toEqual(
      transcript.events.map(({ json, kind, at: place }) => ({ json, kind, at: place })),
    );
    expect(source.compactions()).toEqual(MemoryTranscript.of(transcript).compactions());
    expect(source.row()).toMatchObject({ state: 'ready', format: expected.format, meta: transcript.meta });
  }
  return library;
}

/** The exact text of every record the importer reads, by its first byte. */
function recordsOf(bytes: Uint8Array): Map<number, string> {
  const found = new Map<number, string>();
  class Recording extends MemorySink {
    record({ byteStart, text }: SourceRecord): void {
      found.set(byteStart, text);
    }
  }
  const stream = new ImportStream(new Recording(), { registry: formats });
  stream.push(bytes);
  stream.end();
  return found;
}

describe('what is imported is kept exactly', () => {
  test.each(FIXTURES.map((path) => [path.slice(path.indexOf('fixtures')), path]))('%s', async (_name, path) => {
    await expectSame(path);
  });

  test.skipIf(CORPUS.length === 0)('small corpus files (skipped without the shared corpus)', async () => {
    for (const path of CORPUS) await expectSame(path);
  });

  test('a message with an image, and its record', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'image.jsonl');
    writeSession(path, [imageMessage('one'), imageMessage('two')]);
    const source = openSource(library, (await runImport(library, path)).transcripts[0]!.id);
    const [first, second] = [source.text(0), source.text(1)];
    expect(readFileSync(path, 'utf8')).toContain(first);
    const [place] = source.assets(0);
    expect(place!.asset).toMatchObject({ mime: 'image/png', width: 800, height: 600 });
    expect(first.slice(place!.start, place!.end)).toBe(
      Buffer.from(library.asset(place!.asset.id)!.data).toString('base64'),
    );
    expect(second).not.toBe(first);
    expect(count(library, 'assets')).toBe(1);
    expect(source.records(0)[0]!.json).toBe(readFileSync(path, 'utf8').split('\n')[0]);
  });
});

describe('the same content', () => {
  test('imported twice is one transcript of two files', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const [a, b] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl')];
    writeSession(a, [imageMessage('x')]);
    writeFileSync(b, readFileSync(a));
    const first = await runImport(library, a);
    const again = await runImport(library, a);
    const copy = await runImport(library, b);
    expect(first.transcripts[0]!.existed).toBe(false);
    for (const { transcripts } of [again, copy]) {
      expect(transcripts).toEqual([{ ...first.transcripts[0]!, existed: true }]);
    }
    expect(library.list().map(({ files }) => files)).toEqual([[a, b]]);
  });

  test('has the same id in another library, other content another', async () => {
    const dir = tempDir();
    const path = join(dir, 'a.jsonl');
    writeSession(path, [imageMessage('x')]);
    const one = await runImport(openLibrary(join(dir, 'one')), path);
    const two = await runImport(openLibrary(join(dir, 'two')), path);
    expect(two.transcripts).toEqual(one.transcripts);
    writeSession(path, [imageMessage('y')]);
    const library = openLibrary(join(dir, 'two'));
    const changed = await runImport(library, path);
    expect(changed.transcripts[0]!.id).not.toBe(one.transcripts[0]!.id);
    expect(library.list()).toHaveLength(2);
  });
});

describe('a transcript being imported', () => {
  test('grows for those who read it', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const reader = openLibrary(dir, { readonly: true });
    const path = join(dir, 'long.jsonl');
    writeSession(
      path,
      Array.from({ length: 300 }, (_, i) => ({ role: 'user', content: `${i} ${'text '.repeat(4000)}` })),
    );
    const lengths: number[] = [];
    let source: StoredSource | null = null;
    const outcome = await runImport(library, path, {
      onProgress: ({ transcriptIds }) => {
        source ??= reader.source(transcriptIds[0]!);
        source!.refresh();
        lengths.push(source!.length);
        if (source!.length > 0) expect(source!.text(source!.length - 1)).toContain('text text');
      },
    });
    expect(outcome.transcripts[0]!.messages).toBe(300);
    expect(lengths.length).toBeGreaterThan(2);
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
    expect(lengths[0]).toBeGreaterThan(0);
    expect(lengths[0]).toBeLessThan(300);
    expect(source!.row().state).toBe('ready');
    expect([...source!.partCounts()]).toEqual(Array.from({ length: 300 }, () => 1));
    expect(source!.partPrefix()[300]).toBe(300);
  });
});

test('an index out of range throws, an unknown id is null', async () => {
  const dir = tempDir();
  const library = openLibrary(dir);
  const path = join(dir, 'a.jsonl');
  writeSession(path, [imageMessage('x')]);
  const source = openSource(library, (await runImport(library, path)).transcripts[0]!.id);
  for (const index of [-1, 1, 0.5, Number.NaN]) expect(() => source.text(index)).toThrow(RangeError);
  expect(() => source.facts(1)).toThrow(RangeError);
  expect(library.source('nobody')).toBeNull();
  expect(library.get('nobody')).toBeNull();
  expect(library.asset('00')).toBeNull();
});

test('an import that was taken over stops, and leaves the other alone', () => {
  const dir = tempDir();
  const library = openLibrary(dir);
  const identity = { path: '/a.jsonl', bytes: 1, mtimeMs: 0, probe: Buffer.alloc(32), sha256: Buffer.alloc(32) };
  const begin = () => {
    const start = library.tables.beginImport(identity);
    if (start.kind !== 'writer') throw new Error(start.kind);
    start.writer.begin('main', { format: 'test' });
    return start.writer;
  };
  const first = begin();
  first.flush(1);
  expect(library.tables.beginImport(identity).kind).toBe('busy');
  // As it looks when the thread is gone.
  library.tables.imports.release(library.tables.db.prepare<[], string>('SELECT owner FROM imports').pluck().get()!);
  const second = begin();
  second.flush(1);
  expect(() => first.flush(1)).toThrow(ImportLostError);
  first.abandon();
  second.finish(wholeFile('a'));
  expect(library.list().map(({ state }) => state)).toEqual(['ready']);
});

test('all that is known of a compaction is kept', () => {
  const library = openLibrary(tempDir());
  const identity = { path: '/a.jsonl', bytes: 1, mtimeMs: 0, probe: Buffer.alloc(32), sha256: null };
  const start = library.tables.beginImport(identity);
  if (start.kind !== 'writer') throw new Error(start.kind);
  const { writer } = start;
  writer.begin('main', { format: 'test' });
  const origin = { line: 1, byteStart: 0, byteEnd: 2 };
  const event = { kind: 'compaction', at: 5, visibility: 'internal' as const, text: 'compacted', json: '{}', origin };
  const timestamp = '2026-01-02T03:04:05.000Z';
  const recorded = [
    { at: 5, summaryIndex: 5, preserved: [1, 3], summaryAfter: 1 },
    { at: 9, trigger: 'auto', preTokens: 100, postTokens: 20, preserved: [] },
    { kind: 'replacement' as const, at: 9, replacement: ['{"role":"user","content":"kept"}'] },
    { kind: 'cleared' as const, at: 9, clearedCallIds: ['a', 'b'] },
    { kind: 'opaque' as const, at: 9, opaqueChars: 7, replacement: [] },
  ];
  for (const compaction of recorded) writer.compaction({ ...event, timestamp }, compaction);
  writer.finish(wholeFile('ab'));
  const id = writer.transcripts[0]?.id ?? '';
  expect(openSource(library, id).compactions()).toEqual(recorded.map((each) => ({ ...each, timestamp })));
  const absent = { label: 'compacted', trigger: null, preTokens: null, postTokens: null };
  expect(library.compactions(id)).toEqual([
    { ...absent, at: 5, kind: null },
    { ...absent, at: 9, kind: null, trigger: 'auto', preTokens: 100, postTokens: 20 },
    ...['replacement', 'cleared', 'opaque'].map((kind) => ({ ...absent, at: 9, kind })),
  ]);
});

test('settings are kept by key', () => {
  const library = openLibrary(tempDir());
  library.setSetting('a', [1, { b: null }]);
  library.setSetting('gone', 1);
  library.setSetting('gone', undefined);
  expect(library.settings()).toEqual({ a: [1, { b: null }] });
});
