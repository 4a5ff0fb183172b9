// What-ifs: they begin as their parent and go on as somebody typed; the parent never changes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import type { Library } from '../../core/store/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, imageMessage, openSource, sessionLines, writeSession } from './support.ts';

const NOW = '2026-02-02T16:56:00.000Z';
const ASK = JSON.stringify({ role: 'user', content: 'And if it were otherwise?' });

/** A library with one session of `length` messages. */
async function withParent(length: number): Promise<{ library: Library; id: string; path: string }> {
  const dir = tempDir();
  const library = openLibrary(dir);
  const path = join(dir, 'a.jsonl');
  writeSession(
    path,
    Array.from({ length }, (_, i) => (i === 1 ? imageMessage('x') : { role: 'user', content: `message ${i}` })),
  );
  const { transcripts } = await runImport(library, path);
  return { library, path, id: transcripts[0]!.id };
}

function textsOf(library: Library, id: string): readonly string[] {
  const source = openSource(library, id);
  return source.texts(0, source.length);
}

/** All that the library knows of a transcript. */
function stateOf(library: Library, id: string) {
  const source = openSource(library, id);
  const facts = Array.from({ length: source.length }, (_, i) => [source.facts(i), source.meta(i), source.origins(i)]);
  return { row: library.get(id), texts: textsOf(library, id), facts, bytes: library.fileBytes(id) };
}

function fork(library: Library, parentId: string, at: number, texts: readonly string[] = [ASK]): string {
  const made = library.fork({ parentId, at, texts, now: NOW });
  if (!made.ok) throw new Error(made.error);
  return made.value;
}

describe('a fork', () => {
  test.each([0, 1, 2, 5])('at %i holds the messages before it and the typed ones', async (at) => {
    const { library, id } = await withParent(5);
    const made = fork(library, id, at, [ASK, JSON.stringify({ role: 'assistant', content: 'Then so.' })]);
    expect(textsOf(library, made)).toEqual([
      ...textsOf(library, id).slice(0, at),
      ASK,
      '{"role":"assistant","content":"Then so."}',
    ]);
    const row = library.get(made);
    expect(row?.meta.whatIf).toEqual({ parentId: id, at, madeAt: NOW, parentTitle: expect.any(String) });
    expect(row?.meta.title).toMatch(/^What if: /);
    expect(row?.counts).toMatchObject({ messages: at + 2, events: 0, callPoints: 1 });
    expect(row?.state).toBe('ready');
    expect(row?.meta.sessionId).toBeUndefined();
  });

  test('over pages: facts and meta are the parent’s', async () => {
    const { library, id } = await withParent(1100);
    const made = openSource(library, fork(library, id, 700));
    const parent = openSource(library, id);
    expect(made.length).toBe(701);
    for (const index of [0, 1, 511, 512, 699]) {
      expect(made.facts(index)).toEqual(parent.facts(index));
      expect(made.meta(index)).toEqual(parent.meta(index));
      expect(made.origins(index)).toEqual([]);
      expect(made.records(index)).toEqual([]);
    }
  });

  test('leaves the parent as it is, byte for byte', async () => {
    const { library, id } = await withParent(5);
    await runUpkeep(library);
    const before = stateOf(library, id);
    fork(library, id, 3);
    await runUpkeep(library);
    expect(stateOf(library, id)).toEqual(before);
  });

  test('is deleted without harm to the parent, and the parent without harm to it', async () => {
    const { library, id } = await withParent(5);
    await runUpkeep(library);
    const before = stateOf(library, id);
    const contents = count(library, 'contents');
    const made = fork(library, id, 3);
    expect(count(library, 'contents')).toBe(contents + 1);
    library.remove(made);
    await runUpkeep(library);
    expect(library.get(made)).toBeNull();
    expect(stateOf(library, id)).toEqual(before);
    expect([count(library, 'contents'), count(library, 'sources')]).toEqual([contents, 1]);
    const other = fork(library, id, 3);
    const texts = textsOf(library, other);
    library.remove(id);
    await runUpkeep(library);
    expect(library.get(id)).toBeNull();
    expect(textsOf(library, other)).toEqual(texts);
  });

  test('stays when the parent’s file grows or is rewritten', async () => {
    const { library, id, path } = await withParent(5);
    const made = fork(library, id, 4);
    const texts = textsOf(library, made);
    const grown = Array.from({ length: 7 }, (_, i) => ({ role: 'user', content: `message ${i}` }));
    writeFileSync(path, `${sessionLines(grown).join('\n')}\n`);
    await runImport(library, path);
    await runUpkeep(library);
    expect(textsOf(library, made)).toEqual(texts);
    expect(library.get(made)?.meta.whatIf?.parentId).toBe(id);
  });

  test('of a fork is labelled once', async () => {
    const { library, id } = await withParent(3);
    const again = fork(library, fork(library, id, 2), 3);
    expect(library.get(again)?.meta.title).toMatch(/^What if: (?!What if)/);
  });

  test('has what was written for the messages it shares, and its parent’s policy', async () => {
    const { library, id } = await withParent(6);
    const { summaries, contextPolicies, overheads, choices } = library.tables;
    summaries.set(id, { from: 0, to: 2 }, 'early', NOW);
    summaries.set(id, { from: 0, to: 5 }, 'late', NOW);
    contextPolicies.setOfTranscript(id, { keep_last_turns: 7 });
    overheads.set(id, 21_340);
    choices.set(id, '{"window":200000}');
    const made = fork(library, id, 3);
    expect(
      openSource(library, made)
        .summaries()
        .map(({ to, content }) => [to, content]),
    ).toEqual([[2, 'early']]);
    expect(contextPolicies.ofTranscript(made)).toEqual({ keep_last_turns: 7 });
    expect(overheads.get(made)).toBe(21_340);
    expect(choices.get(made)).toBe('{"window":200000}');
    contextPolicies.setOfTranscript(made, null);
    overheads.set(made, 0);
    expect(overheads.get(id)).toBe(21_340);
    expect(contextPolicies.ofTranscript(id)).toEqual({ keep_last_turns: 7 });
    library.remove(made);
    await runUpkeep(library);
    expect(summaries.list(id)).toHaveLength(2);
  });

  test('can be brought back for a while after its removal', async () => {
    const { library, id } = await withParent(3);
    const made = fork(library, id, 2);
    const texts = textsOf(library, made);
    library.remove(made, 60_000);
    expect(library.get(made)).toBeNull();
    await runUpkeep(library);
    expect(library.restore(made)).toBe(true);
    expect(textsOf(library, made)).toEqual(texts);
    expect(library.get(made)?.meta.whatIf?.at).toBe(2);
  });

  test('stands under its parent', async () => {
    const { library, id } = await withParent(3);
    const [one, two] = [fork(library, id, 1), fork(library, id, 2)];
    const { relations } = library.tables;
    for (const families of [relations.all(), relations.around(id), relations.around(one)]) {
      expect(families?.forkedFrom(families.get(one)!)?.id).toBe(id);
    }
    const families = relations.around(id)!;
    expect(families.forksOf(families.get(id)!).map((each) => each.id)).toEqual([one, two]);
  });
});

test('what both begin with is found in the parent alone, and neither counts as going on with the other', async () => {
  const { library, id } = await withParent(5);
  const made = fork(library, id, 4);
  await runUpkeep(library);
  while (library.indexStep());
  const found = (word: string) => library.tables.searchQueries.hits(word, 10).map(({ transcript }) => transcript);
  const rows = [id, made].map((uid) => library.tables.transcripts.ids(uid)?.id);
  expect(found('message')).not.toContain(rows[1]);
  expect(found('otherwise')).toEqual([rows[1]]);
  expect([id, made].map((uid) => library.get(uid)?.base)).toEqual([null, null]);
  library.remove(id);
  expect(found('message')).toContain(rows[1]);
});

test('two forks at one place are two', async () => {
  const { library, id } = await withParent(3);
  expect(fork(library, id, 1)).not.toBe(fork(library, id, 1));
});

test('there is no fork of nothing, nor at no place', async () => {
  const { library, id } = await withParent(3);
  const forked = (parentId: string, at: number) => library.fork({ parentId, at, texts: [], now: NOW });
  expect(forked('none', 0)).toEqual({ ok: false, error: 'no_parent' });
  expect([forked(id, 4), forked(id, -1), forked(id, 0.5)].map((made) => !made.ok && made.error)).toEqual(
    Array(3).fill('no_place'),
  );
  expect(library.list()).toHaveLength(1);
});

test('counts of the shared messages come along', async () => {
  const { library, id } = await withParent(5);
  const parent = library.tables.transcripts.ids(id)!.id;
  library.tables.tokens.putTotals(parent, { tokenizer: 'o200k_base', messages: 0, byCategory: [0, 0, 0, 0, 0, 0, 0] });
  const made = fork(library, id, 3);
  expect(library.tokenTotals('o200k_base').get(made)?.messages).toBe(0);
});

describe('compactions before the fork', () => {
  test('are kept if their summary is, else left out', async () => {
    const { library, id } = await withParent(6);
    const row = library.tables.transcripts.ids(id)!.id;
    const insert = library.tables.db.prepare<[number, number, number, number]>(
      "INSERT INTO compactions (transcript_id, seq, at, label, summary_index) VALUES (?, ?, ?, 'c', ?)",
    );
    insert.run(row, 0, 2, 2);
    insert.run(row, 1, 4, 4);
    const made = openSource(library, fork(library, id, 4));
    expect(made.compactions().map(({ at }) => at)).toEqual([2]);
  });
});
