// The list by its changes: whatever happens, what a client puts together from changes is the list as it is.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import { LibraryList } from '../../core/engine/library/libraryList.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { writeSession } from '../store/support.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';

const said = (text: string) => ({ role: 'user', content: text });
const HOUR = 3_600_000;

test('a client that takes in changes has the list as it is', async () => {
  const dir = tempDir();
  const library = openLibrary(dir);
  const list = new LibraryList(library);
  const held = new Map<string, TranscriptSummary>();
  let cursor: string | null = null;
  const counts: number[] = [];
  const take = () => {
    const change = list.since(cursor);
    expect(change.whole).toBe(cursor === null);
    for (const id of change.removed) held.delete(id);
    for (const one of change.transcripts) held.set(one.id, one);
    cursor = change.cursor;
    counts.push(change.transcripts.length + change.removed.length);
    const byId = (a: TranscriptSummary, b: TranscriptSummary) => (a.id < b.id ? -1 : 1);
    const now = new LibraryList(library).since(null).transcripts;
    expect([...held.values()].sort(byId)).toEqual([...now].sort(byId));
  };
  const importOf = async (name: string, ...texts: readonly string[]) => {
    writeSession(join(dir, name), texts.map(said));
    return (await runImport(library, join(dir, name))).transcripts[0]!.id;
  };
  take();
  const a = await importOf('a.jsonl', 'one', 'two');
  take();
  const b = await importOf('b.jsonl', 'one', 'two', 'three');
  take();
  await runUpkeep(library);
  take();
  expect(held.get(b)?.base).toEqual({ id: a, shared: 2, messages: 2 });
  take();
  library.tables.tags.apply([a], ['x'], []);
  take();
  library.tables.tags.setTitle(b, 'mine');
  take();
  expect([held.get(b)?.title, held.get(b)?.toolTitle]).toEqual(['mine', 'one']);
  library.remove(a, HOUR);
  take();
  library.restore(a);
  take();
  library.remove(a);
  await runUpkeep(library);
  take();
  await importOf('a.jsonl', 'one', 'two');
  take();
  expect(counts.slice(0, 7)).toEqual([0, 1, 1, 2, 0, 1, 1]);
});

test('a cursor of another engine gets all', async () => {
  const dir = tempDir();
  const library = openLibrary(dir);
  writeSession(join(dir, 'a.jsonl'), [said('one')]);
  await runImport(library, join(dir, 'a.jsonl'));
  const { cursor } = new LibraryList(library).since(null);
  for (const strange of [cursor, 'x', '']) {
    expect(new LibraryList(library).since(strange)).toMatchObject({ whole: true, transcripts: [{ messages: 1 }] });
  }
});
