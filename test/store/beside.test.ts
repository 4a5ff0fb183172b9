// Counts of what stands beside messages: shared by what has the same, and gone with the last that has it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runImport, runTokens, runUpkeep } from '../../core/engine/jobs/index.ts';
import type { Library } from '../../core/store/index.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count } from './support.ts';

const TOKENIZER = 'estimate';

async function counted(library: Library, dir: string, name: string, instructions: string): Promise<string> {
  const path = join(dir, `${name}.json`);
  const input = [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: `Say ${name}.` }] }];
  writeFileSync(path, JSON.stringify({ model: 'gpt-4o', instructions, input }));
  const { id } = (await runImport(library, path)).transcripts[0]!;
  await runTokens(library, id, TOKENIZER);
  return id;
}

const overheadOf = (library: Library, id: string) => library.source(id)?.overheadCounts(TOKENIZER, 'openai') ?? null;

test('counts stay for as long as a transcript has what they are of', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const a = await counted(library, dir, 'a', 'Answer briefly.');
  const b = await counted(library, dir, 'b', 'Answer briefly.');
  const c = await counted(library, dir, 'c', 'Answer at length, and with care.');
  expect(count(library, 'beside_counts')).toBe(2);
  library.remove(a);
  await runUpkeep(library);
  expect([overheadOf(library, b), overheadOf(library, c)]).toEqual([
    { system: 4, tools: 0 },
    { system: 8, tools: 0 },
  ]);
  library.remove(b);
  await runUpkeep(library);
  expect(count(library, 'beside_counts')).toBe(1);
  library.remove(c);
  await runUpkeep(library);
  expect([count(library, 'beside_counts'), count(library, 'beside_uses')]).toEqual([0, 0]);
});

test('a transcript that comes to record something else leaves nothing of what it recorded before', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const id = await counted(library, dir, 'a', 'Answer briefly.');
  const { tokens, transcripts } = library.tables;
  const ids = transcripts.ids(id)!;
  const [before, after] = [{ systemJson: '"Answer briefly."' }, { systemJson: '"Answer at length."' }];
  expect(tokens.isBesideUsed(ids.id, before)).toBe(true);
  tokens.putBeside(ids.id, after, TOKENIZER, 'openai', { system: 5, tools: 0 });
  expect(tokens.beside(before, TOKENIZER, 'openai')).toBeNull();
  expect(tokens.beside(after, TOKENIZER, 'openai')).toEqual({ system: 5, tools: 0 });
  expect(count(library, 'beside_counts')).toBe(1);
});

test('counts of a transcript that was deleted meanwhile are not kept', async () => {
  const dir = tempDir();
  const library = openLibrary(join(dir, 'library'));
  const id = await counted(library, dir, 'a', 'Answer briefly.');
  const row = library.tables.transcripts.ids(id)!.id;
  library.remove(id);
  await runUpkeep(library);
  library.tables.tokens.putBeside(row, { toolsJson: '[]' }, TOKENIZER, 'openai', { system: 0, tools: 1 });
  expect(count(library, 'beside_counts')).toBe(0);
});
