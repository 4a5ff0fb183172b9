// Facts kept by an older version of the program are read again when they are needed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runImport, runTokens, runUpkeep } from '../../core/engine/jobs/index.ts';
import { importText } from '../../core/importers/memory.ts';
import { FACTS_VERSION, readMessage } from '../../core/model/readMessage.ts';
import type { Library, StoredSource } from '../../core/store/index.ts';
import { filesBelow } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, imageMessage, openSource, writeSession } from './support.ts';

/** A library with a transcript of two pages, counted, as it is now. */
async function counted(): Promise<{ library: Library; id: string }> {
  const dir = tempDir();
  const library = openLibrary(dir);
  const path = join(dir, 'a.jsonl');
  const text = (i: number) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content: `message ${i}` });
  writeSession(path, [...Array.from({ length: 600 }, (_, i) => text(i)), imageMessage('x')]);
  const { id } = (await runImport(library, path)).transcripts[0]!;
  await runTokens(library, id, 'o200k_base');
  return { library, id };
}

/** Makes it as a version would have left it that saw in every message one opaque part more. */
function age(library: Library): void {
  const { db } = library.tables;
  for (const { id, facts, count: messages } of db
    .prepare<[], { id: number; facts: string; count: number }>('SELECT id, facts, count FROM message_pages')
    .all()) {
    const rows: unknown[][] = JSON.parse(facts);
    for (const row of rows) row.push([6, 0, 0, [], 0]);
    const parts = new Uint8Array(Uint32Array.from(rows, (row) => row.length - 2).buffer);
    db.prepare('UPDATE message_pages SET facts_version = 0, facts = ?, part_counts = ? WHERE id = ?').run(
      JSON.stringify(rows),
      parts,
      id,
    );
    db.prepare('UPDATE transcripts SET parts = parts + ?').run(messages);
  }
}

function everythingOf(library: Library, source: StoredSource) {
  const indices = Array.from({ length: source.length }, (_, i) => i);
  return {
    facts: indices.map((index) => source.facts(index)),
    parts: [...source.partCounts()],
    counts: library.get(source.id)?.counts,
  };
}

describe('facts of an older version', () => {
  test('are read again when the transcript is opened; its tokens are counted anew', async () => {
    const { library, id } = await counted();
    const now = everythingOf(library, openSource(library, id));
    const totals = library.tokenTotals('o200k_base').get(id);
    age(library);
    expect(library.get(id)?.counts.parts).not.toBe(now.counts?.parts);
    expect(everythingOf(library, openSource(library, id))).toEqual(now);
    expect(library.tokenTotals('o200k_base').get(id)).toBeUndefined();
    expect(count(library, 'token_counts')).toBe(0);
    await runTokens(library, id, 'o200k_base');
    expect(library.tokenTotals('o200k_base').get(id)).toEqual(totals);
  });

  test('are read again beforehand, page by page', async () => {
    const { library, id } = await counted();
    const now = everythingOf(library, openSource(library, id));
    await runUpkeep(library);
    expect(library.needsUpkeep()).toBe(false);
    age(library);
    expect(library.needsUpkeep()).toBe(true);
    let steps = 0;
    while (library.upkeepStep()) steps++;
    // One step a page at least; what is derived from the facts follows.
    expect(steps).toBeGreaterThanOrEqual(2);
    expect(library.needsUpkeep()).toBe(false);
    expect(everythingOf(library, openSource(library, id))).toEqual(now);
  });

  test('that are the same are approved, and nothing is counted anew', async () => {
    const { library, id } = await counted();
    const totals = library.tokenTotals('o200k_base').get(id);
    library.tables.db.exec('UPDATE message_pages SET facts_version = 0');
    await runUpkeep(library);
    expect(library.needsUpkeep()).toBe(false);
    expect(library.tokenTotals('o200k_base').get(id)).toEqual(totals);
  });
});

// Whoever changes what is read out of messages must raise FACTS_VERSION, and then put the new digest here.
test('the version stands for what is read', () => {
  const fixtures = filesBelow(join(import.meta.dirname, '..', 'fixtures')).filter((path) => /\.jsonl?$/.test(path));
  const hash = createHash('sha256');
  for (const path of fixtures) {
    for (const { messages } of importText(readFileSync(path)).transcripts) {
      for (const { text } of messages) hash.update(JSON.stringify(readMessage(JSON.parse(text))));
    }
  }
  expect({ version: FACTS_VERSION, digest: hash.digest('hex').slice(0, 16) }).toMatchInlineSnapshot(`
    {
      "digest": "120a9ee3ec637f53",
      "version": 9,
    }
  `);
});
