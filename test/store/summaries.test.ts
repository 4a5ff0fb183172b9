// Summaries that people write: versions, a re-import, a rewritten session, a removed transcript.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import type { Library } from '../../core/store/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, openSource, writeSession } from './support.ts';

const NOW = '2026-02-03T04:05:06.000Z';
const said = (text: string) => ({ role: 'user', content: text });

async function libraryWith(...texts: readonly string[]) {
  const dir = tempDir();
  const library = openLibrary(dir);
  const path = join(dir, 'a.jsonl');
  writeSession(path, texts.map(said));
  const { id } = (await runImport(library, path)).transcripts[0]!;
  return { dir, library, path, id };
}

/** Puts the text of one message in the place of another, as a rewritten session does. */
const put = (library: Library, from: number, to: number) =>
  library.tables.db
    .prepare('UPDATE messages SET content_id = (SELECT content_id FROM messages WHERE idx = ?) WHERE idx = ?')
    .run(from, to);

describe('written summaries', () => {
  test('have versions, and stand in order of where they end', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three', 'four');
    const { summaries } = library.tables;
    expect(summaries.set(id, { from: 0, to: 3 }, 'three', NOW)).toBe(1);
    expect(summaries.set(id, { from: 0, to: 2 }, 'two', NOW)).toBe(1);
    expect(summaries.set(id, { from: 0, to: 3 }, 'three, better', NOW)).toBe(2);
    expect(openSource(library, id).summaries()).toEqual([
      { from: 0, to: 2, content: 'two', version: 1, origin: 'written' },
      { from: 0, to: 3, content: 'three', version: 1, origin: 'written' },
      { from: 0, to: 3, content: 'three, better', version: 2, origin: 'written' },
    ]);
  });

  test('need messages to stand for', async () => {
    const { library, id } = await libraryWith('one', 'two');
    const { summaries } = library.tables;
    const spans = [
      { from: 0, to: 3 },
      { from: 1, to: 1 },
      { from: -1, to: 1 },
      { from: 0, to: 0 },
    ];
    expect(spans.map((span) => summaries.set(id, span, 'x', NOW))).toEqual([null, null, null, null]);
    expect(summaries.set('unknown', { from: 0, to: 1 }, 'x', NOW)).toBeNull();
  });

  test('are taken away, all versions or one', async () => {
    const { library, id } = await libraryWith('one', 'two');
    const { summaries } = library.tables;
    const span = { from: 0, to: 2 };
    for (const text of ['a', 'b', 'c']) summaries.set(id, span, text, NOW);
    expect([summaries.remove(id, span, 2), summaries.remove(id, span, 2)]).toEqual([true, false]);
    expect(summaries.list(id).map(({ version }) => version)).toEqual([1, 3]);
    expect([summaries.remove(id, { from: 0, to: 1 }), summaries.remove(id, span)]).toEqual([false, true]);
    expect(summaries.list(id)).toEqual([]);
  });

  test('outlive a new import of the file', async () => {
    const { library, path, id } = await libraryWith('one', 'two', 'three');
    library.tables.summaries.set(id, { from: 0, to: 2 }, 'kept', NOW);
    writeSession(path, ['one', 'two', 'three', 'four', 'five'].map(said));
    await runImport(library, path);
    const again = library.list().map((row) => row.id);
    expect(again).toContain(id);
    expect(
      openSource(library, id)
        .summaries()
        .map(({ content, to }) => [content, to]),
    ).toEqual([['kept', 2]]);
  });

  test('move with their span, and apply nowhere if it changed', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three', 'four', 'five');
    const { summaries } = library.tables;
    summaries.set(id, { from: 0, to: 2 }, 'moves', NOW);
    summaries.set(id, { from: 1, to: 5 }, 'changes', NOW);
    put(library, 1, 3);
    put(library, 0, 1);
    put(library, 0, 4);
    const shown = summaries.list(id).map(({ content, from, to, state }) => [content, from, to, state]);
    expect(shown).toEqual([
      ['moves', 0, 4, 'moved'],
      ['changes', 1, 5, 'changed'],
    ]);
    expect(
      openSource(library, id)
        .summaries()
        .map(({ content }) => content),
    ).toEqual(['moves']);
  });

  test('go for good with their transcript, and come back with it', async () => {
    const { library, id } = await libraryWith('one', 'two');
    library.tables.summaries.set(id, { from: 0, to: 1 }, 'kept', NOW);
    library.remove(id, 3_600_000);
    expect(library.tables.summaries.list(id)).toEqual([]);
    library.restore(id);
    expect(library.tables.summaries.list(id)).toHaveLength(1);
    library.remove(id, 0);
    await runUpkeep(library);
    expect(count(library, 'summaries')).toBe(0);
  });
});
