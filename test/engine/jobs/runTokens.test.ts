import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport, runTokens, runUpkeep } from '../../../core/engine/jobs/index.ts';
import { CATEGORIES } from '../../../core/model/category.ts';
import { loadCounter } from '../../../core/tokens/counters.ts';
import { partTokens } from '../../../core/tokens/partTokens.ts';
import { count, imageMessage, openSource, writeSession } from '../../store/support.ts';
import { openLibrary, tempDir } from '../../support/tempLibrary.ts';

const text = (content: string) => ({ role: 'user', content });

test('counts every part, by category, each content once in the library', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const [a, b] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl')];
  writeSession(a, [text('hello there'), text('one two three'), imageMessage('look')]);
  writeSession(b, [text('hello there'), text('four')]);
  const [first, second] = [
    (await runImport(library, a)).transcripts[0]!,
    (await runImport(library, b)).transcripts[0]!,
  ];
  expect(await runTokens(library, first.id, 'o200k_base')).toEqual({ counted: 3, known: 0 });
  expect(await runTokens(library, second.id, 'o200k_base')).toEqual({ counted: 1, known: 1 });
  expect(await runTokens(library, second.id, 'o200k_base')).toEqual({ counted: 0, known: 0 });
  const source = openSource(library, first.id);
  const counts = [0, 1, 2].map((index) => [...(source.tokenCounts(index, 'o200k_base') ?? [])]);
  // An image of 800 × 600 by Anthropic's rule: 640 tokens.
  expect(counts).toEqual([[2], [3], [640, 1]]);
  const totals = library.tokenTotals('o200k_base').get(first.id)!;
  expect(totals.messages).toBe(3);
  expect(CATEGORIES.map((category, slot) => [category, totals.byCategory[slot]]).filter(([, n]) => n !== 0)).toEqual([
    ['user', 6],
    ['image', 640],
  ]);
});

test('another tokenizer has its own numbers; none are made up', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'a.jsonl');
  writeSession(path, [text('größer als 10')]);
  const { id } = (await runImport(library, path)).transcripts[0]!;
  const source = openSource(library, id);
  expect(source.tokenCounts(0, 'estimate')).toBeNull();
  await runTokens(library, id, 'estimate');
  expect(source.tokenCounts(0, 'estimate')).toBeNull();
  source.refreshTokens('estimate');
  expect([...source.tokenCounts(0, 'estimate')!]).toEqual([4]);
  expect(source.tokenCounts(0, 'cl100k_base')).toBeNull();
  expect(library.tokenTotals('cl100k_base').size).toBe(0);
});

test('cancelled, it keeps what is counted and goes on from there', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'a.jsonl');
  writeSession(
    path,
    Array.from({ length: 1500 }, (_, i) => text(`message ${i}`)),
  );
  const { id } = (await runImport(library, path)).transcripts[0]!;
  const abort = new AbortController();
  const run = runTokens(library, id, 'o200k_base', { signal: abort.signal, onProgress: () => abort.abort() });
  await expect(run).rejects.toThrow(/abort/i);
  const kept = library.tokenTotals('o200k_base').get(id)!.messages;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(1500);
  expect(await runTokens(library, id, 'o200k_base')).toEqual({ counted: 1500 - kept, known: 0 });
  const source = openSource(library, id);
  const counter = await loadCounter('o200k_base');
  let sum = 0;
  for (let i = 0; i < source.length; i++) {
    const expected = partTokens(JSON.parse(source.text(i)), source.facts(i), counter).tokens;
    expect([...source.tokenCounts(i, 'o200k_base')!], `message ${i}`).toEqual(expected);
    sum += expected.reduce((total, tokens) => total + tokens, 0);
  }
  const totals = library.tokenTotals('o200k_base').get(id)!;
  expect(totals.byCategory.reduce((total, tokens) => total + tokens, 0)).toBe(sum);
});

test('counts go with the transcript', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'a.jsonl');
  writeSession(path, [text('hello there')]);
  const { id } = (await runImport(library, path)).transcripts[0]!;
  await runTokens(library, id, 'o200k_base');
  expect(count(library, 'token_counts')).toBe(1);
  library.remove(id);
  await runUpkeep(library);
  expect(['token_counts', 'token_pages', 'token_totals'].map((table) => count(library, table))).toEqual([0, 0, 0]);
  expect(await runTokens(library, id, 'o200k_base')).toBeNull();
});

test('a very long message is counted in slices, and counts the same', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const path = join(dir, 'long.jsonl');
  const long = Array.from({ length: 60_000 }, (_, i) => `line ${i}: naïve 漢字 ${'='.repeat(i % 40)}`).join('\n');
  const block = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: long }] };
  writeSession(path, [
    { role: 'user', content: long },
    { role: 'user', content: [{ type: 'text', text: 'short' }, block] },
  ]);
  const { id } = (await runImport(library, path)).transcripts[0]!;
  await runTokens(library, id, 'o200k_base');
  const counter = await loadCounter('o200k_base');
  const source = library.source(id)!;
  source.refreshTokens('o200k_base');
  expect([...(source.tokenCounts(0, 'o200k_base') ?? [])]).toEqual([counter.count(long)]);
  expect([...(source.tokenCounts(1, 'o200k_base') ?? [])]).toEqual([counter.count('short'), counter.count(long)]);
});
