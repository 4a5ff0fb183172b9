// What people keep: tags, titles, notes, bookmarks; bringing back what was removed; what is worked out of transcripts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import type { Library } from '../../core/store/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, openSource, sessionLines, TWO_SESSIONS, writeSession } from './support.ts';

const NOW = '2026-02-03T04:05:06.000Z';
const LATER = '2026-02-04T04:05:06.000Z';
const said = (text: string) => ({ role: 'user', content: text });

/** A library with a session of these texts. */
async function libraryWith(...texts: readonly string[]) {
  const dir = tempDir();
  const library = openLibrary(dir);
  const path = join(dir, 'a.jsonl');
  writeSession(path, texts.map(said));
  const { id } = (await runImport(library, path)).transcripts[0]!;
  return { dir, library, path, id };
}

const kept = (library: Library, id: string) => library.get(id)?.kept;

describe('tags', () => {
  test('are given and taken, one whatever its case, and forgotten when nobody has them', async () => {
    const { library, id } = await libraryWith('hello');
    const { tags } = library.tables;
    tags.apply([id], ['Flaky', 'auth'], []);
    tags.apply([id], ['FLAKY'], []);
    expect(tags.list()).toEqual([
      { name: 'auth', color: 1, count: 1 },
      { name: 'Flaky', color: 0, count: 1 },
    ]);
    expect(kept(library, id)?.tags).toEqual(['auth', 'Flaky']);
    tags.apply([id], [], ['flaky']);
    expect(tags.list().map(({ name }) => name)).toEqual(['auth']);
    expect([tags.setColor('AUTH', 5), tags.setColor('gone', 1)]).toEqual([true, false]);
    expect(tags.list()).toEqual([{ name: 'auth', color: 5, count: 1 }]);
  });

  test('and titles stand in the list', async () => {
    const { library, id } = await libraryWith('hello');
    library.tables.tags.setTitle(id, 'mine');
    expect(library.list()[0]?.kept).toMatchObject({ title: 'mine' });
    library.tables.tags.setTitle(id, null);
    expect(kept(library, id)?.title).toBeNull();
  });
});

describe('watchpoints', () => {
  const text = (id: string, words: string) => ({ id, text: words, matchCase: false, wholeWord: false, name: null });

  test('keep their order, get the colour used least, and are named, coloured, moved and removed', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three');
    const { watchpoints } = library.tables;
    for (const [n, words] of ['one', 'two', 'three'].entries()) watchpoints.add(id, text(`w${n}`, words), NOW);
    expect(watchpoints.list(id)).toEqual([
      { ...text('w0', 'one'), color: 0 },
      { ...text('w1', 'two'), color: 1 },
      { ...text('w2', 'three'), color: 2 },
    ]);
    expect(watchpoints.set(id, 'w2', { name: 'the third', color: 5, position: 0 })).toBe(true);
    expect(watchpoints.list(id).map(({ id: one, name, color }) => [one, name, color])).toEqual([
      ['w2', 'the third', 5],
      ['w0', null, 0],
      ['w1', null, 1],
    ]);
    expect([watchpoints.remove(id, 'w0'), watchpoints.remove(id, 'w0'), watchpoints.set(id, 'w0', {})]).toEqual([
      true,
      false,
      false,
    ]);
    watchpoints.add(id, text('w4', 'again'), LATER);
    expect(watchpoints.list(id).map(({ id: one, color }) => [one, color])).toEqual([
      ['w2', 5],
      ['w1', 1],
      ['w4', 0],
    ]);
  });

  test('hold a text once for each way to compare it, and only with their transcript', async () => {
    const { library, id } = await libraryWith('one');
    const { watchpoints } = library.tables;
    watchpoints.add(id, text('w0', 'one'), NOW);
    watchpoints.add(id, text('w1', 'one'), NOW);
    watchpoints.add(id, { ...text('w2', 'one'), wholeWord: true }, NOW);
    watchpoints.add('another', text('w3', 'one'), NOW);
    expect(watchpoints.list(id).map((one) => one.id)).toEqual(['w0', 'w2']);
    expect([watchpoints.remove(id, 'w3'), watchpoints.set(id, 'w3', { name: 'x' })]).toEqual([false, false]);
    library.remove(id, Date.now() + 60_000);
    expect(watchpoints.list(id)).toEqual([]);
    library.restore(id);
    expect(watchpoints.list(id).map((one) => one.id)).toEqual(['w0', 'w2']);
  });
});

describe('marks', () => {
  test('are set, changed and taken away', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three');
    const { marks } = library.tables;
    expect(marks.set(id, 1, { bookmarked: true }, NOW)).toBe(true);
    expect(marks.set(id, 2, { note: 'look' }, NOW)).toBe(true);
    expect(marks.set(id, 9, { note: 'nowhere' }, NOW)).toBe(false);
    expect(marks.list(id)).toMatchObject([
      { index: 1, bookmarkedAt: NOW, note: null, state: 'here' },
      { index: 2, bookmarkedAt: null, note: 'look', notedAt: NOW },
    ]);
    expect(kept(library, id)).toMatchObject({ notes: 1, bookmarks: 1, noteText: 'look' });
    marks.set(id, 1, { note: 'both' }, LATER);
    expect(marks.list(id)[0]).toMatchObject({ bookmarkedAt: NOW, note: 'both', notedAt: LATER });
    expect(marks.list(null).map(({ index }) => index)).toEqual([1, 2]);
    marks.set(id, 1, { note: null, bookmarked: false }, LATER);
    marks.set(id, 2, { note: '' }, LATER);
    expect(marks.list(id)).toEqual([]);
  });

  /** Puts the text of one message in the place of another, as an amended or rewritten session does. */
  const put = (library: Library, from: number, to: number) =>
    library.tables.db
      .prepare('UPDATE messages SET content_id = (SELECT content_id FROM messages WHERE idx = ?) WHERE idx = ?')
      .run(from, to);

  test('stay with their message when the session is rewritten', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three', 'four', 'five');
    const { marks } = library.tables;
    for (const index of [0, 1, 3]) marks.set(id, index, { note: `note ${index}` }, NOW);
    put(library, 1, 2);
    put(library, 4, 1);
    put(library, 4, 0);
    expect(marks.list(id).map(({ index, state, note }) => [index, state, note])).toEqual([
      [0, 'changed', 'note 0'],
      [2, 'moved', 'note 1'],
      [3, 'here', 'note 3'],
    ]);
    marks.set(id, 2, { bookmarked: true }, LATER);
    expect(marks.list(id)[1]).toMatchObject({ index: 2, state: 'here', note: 'note 1', bookmarkedAt: LATER });
    expect(count(library, 'message_marks')).toBe(3);
  });

  test('on a message that is gone can be taken away', async () => {
    const { library, id } = await libraryWith('one', 'two', 'three');
    library.tables.marks.set(id, 2, { note: 'last' }, NOW);
    library.tables.db.exec('DELETE FROM messages WHERE idx = 2; UPDATE transcripts SET messages = 2');
    expect(library.tables.marks.list(id)).toMatchObject([{ index: 2, state: 'gone' }]);
    expect(library.tables.marks.set(id, 2, { note: 'more' }, NOW)).toBe(false);
    expect(library.tables.marks.set(id, 2, { note: null, bookmarked: false }, NOW)).toBe(true);
    expect(library.tables.marks.list(id)).toEqual([]);
  });
});

const HOUR = 3_600_000;

describe('bringing back', () => {
  test('gives everything back as it was', async () => {
    const { library, path, id } = await libraryWith('one', 'two');
    library.tables.tags.apply([id], ['kept'], []);
    library.tables.tags.setTitle(id, 'mine');
    library.tables.marks.set(id, 1, { note: 'look' }, NOW);
    await runUpkeep(library);
    const before = { row: library.get(id), bytes: library.fileBytes(id) };
    library.remove(id, HOUR);
    await runUpkeep(library);
    expect([library.list(), library.get(id), library.needsUpkeep()]).toEqual([[], null, false]);
    expect([library.restore('unknown'), library.restore(id), library.restore(id)]).toEqual([false, true, false]);
    expect({ row: library.get(id), bytes: library.fileBytes(id) }).toEqual(before);
    expect(openSource(library, id).texts(0, 2)).toHaveLength(2);
    expect((await runImport(library, path)).transcripts).toEqual([{ id, messages: 2, existed: true }]);
    expect(library.tables.db.prepare('SELECT incomplete FROM sources').pluck().get()).toBe(0);
  });

  test('is no use while the same content stands in the library again', async () => {
    const { library, path, id } = await libraryWith('one', 'two');
    library.tables.tags.apply([id], ['kept'], []);
    library.remove(id, HOUR);
    expect((await runImport(library, path)).transcripts).toEqual([{ id, messages: 2, existed: false }]);
    expect(library.restore(id)).toBe(false);
    expect(kept(library, id)?.tags).toEqual(['kept']);
    library.remove(id);
    await runUpkeep(library);
    expect(library.restore(id)).toBe(true);
    expect(kept(library, id)?.tags).toEqual(['kept']);
  });

  test('what is deleted for good takes tags, titles, marks and what was said of its requests with it', async () => {
    const { library, id } = await libraryWith('one', 'two');
    library.tables.overheads.set(id, 21_340);
    library.tables.choices.set(id, '{}');
    library.tables.tags.apply([id], ['kept'], []);
    library.tables.tags.setTitle(id, 'mine');
    library.tables.marks.set(id, 1, { note: 'look' }, NOW);
    library.tables.watchpoints.add(id, { id: 'w1', text: 'one', matchCase: false, wholeWord: false, name: null }, NOW);
    library.remove(id);
    await runUpkeep(library);
    for (const table of [
      'tags',
      'transcript_tags',
      'own_titles',
      'message_marks',
      'overheads',
      'choices',
      'watchpoints',
      'derived',
      'transcripts',
      'sources',
    ]) {
      expect([table, count(library, table)]).toEqual([table, 0]);
    }
  });

  test('one of two transcripts of a file, while the other is deleted', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'two.jsonl');
    writeFileSync(path, TWO_SESSIONS);
    const [a, b] = (await runImport(library, path)).transcripts.map(({ id }) => id);
    library.remove(a!, HOUR);
    library.remove(b!);
    await runUpkeep(library);
    expect(library.tables.removal.nextDue()).toBeGreaterThan(Date.now());
    expect(library.restore(a!)).toBe(true);
    expect(Buffer.from(library.fileBytes(a!) ?? []).toString()).toBe(TWO_SESSIONS);
    expect(openSource(library, a!).records(0)[0]?.json).toBe(TWO_SESSIONS.split('\n')[0]);
  });
});

describe('what is worked out', () => {
  test('errors are counted at import, and for what an older version imported', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const path = join(dir, 'a.jsonl');
    const failed = { type: 'tool_result', tool_use_id: 'c', is_error: true, content: 'no' };
    writeSession(path, [said('go'), { role: 'user', content: [failed, { ...failed, is_error: false }] }]);
    const { id } = (await runImport(library, path)).transcripts[0]!;
    expect(library.get(id)?.errors).toBe(1);
    const pages = "UPDATE message_pages SET stats = json_remove(stats, '$.errors')";
    library.tables.db.exec(`UPDATE transcripts SET errors = NULL; ${pages}`);
    expect([library.get(id)?.errors, library.needsUpkeep()]).toEqual([null, true]);
    await runUpkeep(library);
    expect([library.get(id)?.errors, library.needsUpkeep()]).toEqual([1, false]);
  });

  test('first words are those of a person', async () => {
    const { library, id } = await libraryWith('<system-reminder>x</system-reminder>', '  fix\n the   login ');
    await runUpkeep(library);
    expect(library.get(id)?.firstText).toBe('fix the login');
  });

  const base = (library: Library, id: string) => {
    const row = library.get(id)?.base;
    return row && [row.id, row.shared, row.messages];
  };
  const letters = (text: string) => [...text].map(said);

  test.each([
    ['continues: all of the other comes first', 'abcd', 'abcdef', 4],
    ['copies', 'abcd', 'abcd', 4],
    ['begins like: more than half', 'abcdef', 'abcdxyz', 4],
    ['only a common prompt', 'abxxxxxx', 'abyyyyyy', null],
    ['fewer than half', 'abcdefghijkl', 'abcdmnopqrst', null],
    ['nothing in common', 'abcd', 'wxyz', null],
    ['one message says nothing', 'a', 'abcdef', null],
  ])('%s', async (_name, first, second, shared) => {
    const dir = tempDir();
    for (const order of [[0, 1] as const, [1, 0] as const]) {
      const library = openLibrary(join(dir, order.join('')));
      const files = [first, second].map((text, i) => {
        const path = join(dir, `${i}.jsonl`);
        const lines = sessionLines(letters(text)).map((line) => line.replace('"sessionId":"s"', `"sessionId":"s${i}"`));
        writeFileSync(path, `${lines.join('\n')}\n`);
        return path;
      });
      const ids: string[] = [];
      for (const i of order) ids[i] = (await runImport(library, files[i]!)).transcripts[0]!.id;
      await runUpkeep(library);
      const isCopy = first === second;
      const later = isCopy ? ids[order[1]]! : ids[1]!;
      const earlier = isCopy ? ids[order[0]]! : ids[0]!;
      expect(base(library, later)).toEqual(shared === null ? null : [earlier, shared, first.length]);
      expect(base(library, earlier)).toBeNull();
    }
  });

  test('a beginning is not told of a transcript that was removed', async () => {
    const { dir, library, id } = await libraryWith('a', 'b', 'c', 'd');
    const path = join(dir, 'b.jsonl');
    writeSession(path, letters('abcdef'));
    const second = (await runImport(library, path)).transcripts[0]!.id;
    await runUpkeep(library);
    expect(base(library, second)).toEqual([id, 4, 4]);
    library.remove(id, HOUR);
    expect(base(library, second)).toBeNull();
    library.restore(id);
    expect(base(library, second)).toEqual([id, 4, 4]);
  });
});

describe('changes of the list', () => {
  test('are noted for whatever is seen in it, and nothing else', async () => {
    const { library, path, id } = await libraryWith('one', 'two');
    const { libraryChanges, tags, marks } = library.tables;
    await runUpkeep(library);
    let seq = libraryChanges.now();
    const changed = () => {
      const { ids, seq: now } = libraryChanges.since(seq);
      seq = now;
      return ids;
    };
    expect(changed()).toEqual([]);
    const acts = [
      () => tags.apply([id], ['x'], []),
      () => tags.apply([id], [], ['x']),
      () => tags.setTitle(id, 'mine'),
      () => marks.set(id, 0, { note: 'n' }, NOW),
      () => library.tables.tokens.putTotals(1, { tokenizer: 'o200k', byCategory: [1], messages: 2 }),
      () => library.tables.transcripts.setErrors(1, 3),
    ];
    for (const act of acts) {
      act();
      expect([changed(), changed()]).toEqual([[id], []]);
    }
    library.setSetting('theme', 'dark');
    expect(changed()).toEqual([]);
    library.remove(id, HOUR);
    expect(changed()).toContain(id);
    library.restore(id);
    expect(changed()).toContain(id);
    await runImport(library, path);
    expect(changed()).toEqual([]);
  });
});

test('compacting gives back the room of what was deleted', async () => {
  const { library, id } = await libraryWith(...Array.from({ length: 40 }, (_, i) => `${i} `.repeat(20_000)));
  library.remove(id);
  await runUpkeep(library);
  const before = library.tables.storage.report();
  expect(before.freeBytes).toBeGreaterThan(1_000_000);
  library.tables.storage.compact();
  const after = library.tables.storage.report();
  expect(after.freeBytes).toBe(0);
  expect(after.fileBytes).toBeLessThan(before.fileBytes - 1_000_000);
});
