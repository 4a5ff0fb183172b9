// What a client attached, as a client of the engine sees it: rows, the opened message, hits; and a session that an older
// version read is told, and read again when it is imported again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { openLibrary } from '../support/tempLibrary.ts';
import { testEngine } from './support.ts';

const SESSION = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'claude-code', 'attachments.jsonl'), 'utf8');
const QUEUED = 8;

async function opened() {
  const engine = testEngine();
  const id = await engine.add('session.jsonl', SESSION);
  await engine.client.call('transcript.open', { id });
  return { ...engine, id };
}

test('rows, the opened message and turns say whose it is', async () => {
  const { client, id } = await opened();
  const window = { from: 0, to: 40 };
  const projection = await client.call('projection.set', { id, spec: 'raw', at: null, rows: window });
  const rows = projection.rows?.rows ?? [];
  expect(
    rows.flatMap(({ index, origin, injected }) => (origin ? [[index, origin.label, injected ?? false]] : [])),
  ).toEqual([
    [0, 'hook', true],
    [2, 'attached file', true],
    [3, 'listing', true],
    [7, 'instructions', true],
    [QUEUED, 'typed while the agent worked', false],
    [11, 'hook', true],
    [12, 'changed file', true],
    [13, 'reminder', true],
  ]);
  const detail = await client.call('projection.detail', { projectionId: projection.projectionId, index: QUEUED });
  expect(detail.meta.origin).toEqual({
    label: 'typed while the agent worked',
    title: 'A person typed this while the agent worked',
    type: 'queued_command',
    words: null,
  });
  expect((await client.call('transcript.open', { id })).turns).toBe(2);
});

test('the opened message says which of its texts may hold a file', async () => {
  const { client, id } = await opened();
  const { projectionId } = await client.call('projection.set', { id, spec: 'raw', at: null });
  const attached = async (index: number) =>
    (await client.call('projection.detail', { projectionId, index })).parts.map((part) => part.attached ?? null);
  expect(await Promise.all([1, 2, 7, QUEUED, 11, 12].map(attached))).toEqual([
    ...[[null], ['file'], ['memory'], [null], [null], ['file_change']],
  ]);
});

test('a search tells whose it is, and finds what was typed while the agent worked', async () => {
  const { client } = await opened();
  const find = async (query: string) => {
    for (;;) {
      const found = await client.call('library.search', { query, sort: 'time', limit: 50 });
      if (found.coverage.indexed === found.coverage.total)
        return found.hits.map(({ index, origin }) => [index, origin]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  expect(await find('is:queued')).toEqual([[QUEUED, 'typed while the agent worked']]);
  expect(await find('newline is:queued')).toHaveLength(1);
  expect(await find('preview')).toEqual([[11, 'client context']]);
});

test('a session that an older version read is told, and read again when it is imported again', async () => {
  const { id, dir, dispose } = await opened();
  await dispose();
  const library = openLibrary(join(dir, 'library'));
  library.tables.db.exec(`UPDATE transcripts SET meta = json_remove(meta, '$.readerVersion')`);
  library.close();
  const { client, add } = testEngine(dir);
  const codes = async () => (await client.call('transcript.problems', { id })).problems.map(({ code }) => code);
  await client.call('transcript.open', { id });
  expect(await codes()).toEqual(['import.read_by_older']);
  expect(await add('session.jsonl', SESSION)).toBe(id);
  expect(await client.call('transcript.open', { id })).toMatchObject({ messages: 15, turns: 2 });
  expect(await codes()).toEqual([]);
});
