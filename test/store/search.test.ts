// Search finds what a plain scan of the texts finds: every occurrence and nothing else, whatever was done to the library.
import { createHash } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { runImport, runUpkeep } from '../../core/engine/jobs/index.ts';
import { runIndex } from '../../core/engine/jobs/runIndex.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { ftsExpression } from '../../core/search/ftsExpression.ts';
import { findMarks } from '../../core/search/marks.ts';
import { searchText } from '../../core/search/messageText.ts';
import { parseQuery, positiveTerms } from '../../core/search/parseQuery.ts';
import type { Expr, Term } from '../../core/search/types.ts';
import type { Library } from '../../core/store/index.ts';
import { migration007 } from '../../core/store/migrations/007.ts';
import { migration012 } from '../../core/store/migrations/012.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { countTerm, fits, type ScannedMessage, scanMessage } from '../oracle/plainScan.ts';
import { FORMATS } from '../support/formats.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { openLibrary, tempDir } from '../support/tempLibrary.ts';
import { count, sessionLines, wholeFile } from './support.ts';

const WORDS = [
  'alpha',
  'Beta',
  'gamma',
  'file.ts:42',
  'snake_case',
  'Café',
  '全文',
  '検',
  'C:\\new',
  'x\\nline',
  'a',
  '—',
  '\u0000',
  '\ue001role',
  '"quoted"',
  '42',
];
const TOOLS = ['Bash', 'mcp__files__read', 'Read'];

function randomText(rng: Rng): string {
  return Array.from({ length: rng.below(12) }, () => rng.pick(WORDS)).join(rng.pick([' ', '\n', ', ']));
}

function randomMessage(rng: Rng, calls: string[], stem: string): unknown {
  const kind = rng.below(4);
  if (kind === 0) return { role: 'user', content: randomText(rng) };
  if (kind === 1)
    return {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: randomText(rng), signature: 's' },
        { type: 'text', text: randomText(rng) },
      ],
    };
  if (kind === 2) {
    const id = `${stem}-call${calls.length}`;
    calls.push(id);
    return {
      role: 'assistant',
      content: [
        { type: 'text', text: randomText(rng) },
        { type: 'tool_use', id, name: rng.pick(TOOLS), input: { text: randomText(rng) } },
      ],
    };
  }
  const answered = calls.length === 0 ? 'none' : rng.pick(calls);
  const result = { type: 'tool_result', tool_use_id: answered, content: randomText(rng), is_error: rng.chance(0.3) };
  return { role: 'user', content: [result] };
}

function writeRandomSession(path: string, rng: Rng, messages: number, stem: string): void {
  const calls: string[] = [];
  const lines = sessionLines(Array.from({ length: messages }, () => randomMessage(rng, calls, stem)));
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** All messages of the library, scanned; `transcript idx` → message. */
function scanLibrary(library: Library): Map<string, ScannedMessage> {
  const scanned = new Map<string, ScannedMessage>();
  for (const { id } of library.list()) {
    const source = library.source(id);
    const ids = library.tables.transcripts.ids(id);
    if (source === null || ids === null) continue;
    const names = new Map<string, string>();
    for (let i = 0; i < source.length; i++) {
      for (const part of source.facts(i).parts) {
        if (part.kind === 'tool_call' && part.callId && part.name) names.set(part.callId, part.name);
      }
    }
    for (let i = 0; i < source.length; i++) {
      const message: unknown = JSON.parse(source.text(i));
      scanned.set(
        `${ids.id} ${i}`,
        scanMessage(message, source.facts(i), (call) => names.get(call), source.meta(i)),
      );
    }
  }
  return scanned;
}

function found(library: Library, expr: Expr): string[] {
  const hits = library.tables.searchQueries.hits(ftsExpression(expr), 1_000_000);
  return hits.map(({ transcript, idx }) => `${transcript} ${idx}`).sort();
}

function expected(scanned: ReadonlyMap<string, ScannedMessage>, expr: Expr): string[] {
  return [...scanned].flatMap(([key, message]) => (fits(message, expr) ? [key] : [])).sort();
}

const QUERIES = [
  'alpha',
  'beta gamma',
  'alp*',
  '"beta gamma"',
  'file.ts',
  'ts:42',
  'case',
  'snake_c*',
  'cafe',
  '文',
  '全文',
  'new',
  'ew',
  'line',
  'nline',
  '-alpha',
  'alpha -beta',
  'alpha OR 全',
  '(alpha beta) OR -gamma',
  'role:user',
  'role:tool alpha',
  'tool:bash',
  'tool:mcp__*',
  'tool:read beta',
  'is:error',
  '-is:error role:tool',
  'has:signature gamma',
  'has:call -has:thinking',
  '42',
  '"alpha alpha"',
  'role',
];

const NOW = { time: 0, zoneMinutes: 0 };

function randomExpr(rng: Rng, depth: number): Expr {
  const kind = depth === 0 ? 0 : rng.below(4);
  if (kind === 1) return { kind: 'and', of: [randomExpr(rng, depth - 1), randomExpr(rng, depth - 1)] };
  if (kind === 2) return { kind: 'or', of: [randomExpr(rng, depth - 1), randomExpr(rng, depth - 1)] };
  if (kind === 3) return { kind: 'not', of: randomExpr(rng, depth - 1) };
  return parseQuery(rng.pick(QUERIES), NOW).expr;
}

function expectAllFound(library: Library, queries: readonly string[], exprs: readonly Expr[] = []): void {
  const scanned = scanLibrary(library);
  for (const query of queries)
    expect([query, found(library, parseQuery(query, NOW).expr)]).toEqual([
      query,
      expected(scanned, parseQuery(query, NOW).expr),
    ]);
  for (const expr of exprs) expect([expr, found(library, expr)]).toEqual([expr, expected(scanned, expr)]);
}

/** Occurrences of a term as the screen marks them. */
function marked(library: Library, term: Term): number {
  let total = 0;
  for (const { content } of library.tables.searchQueries.hits(ftsExpression(term), 1_000_000)) {
    const message: unknown = JSON.parse(library.tables.searchQueries.text(content) ?? 'null');
    for (const part of readMessage(message).parts) total += findMarks(searchText(message, part), [term]).length;
  }
  return total;
}

describe('against a plain scan', () => {
  test.each([1, 2, 3, 4])('every occurrence and nothing else, seed %i', async (seed) => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const rng = seededRng(seed);
    for (const name of ['a', 'b', 'c']) {
      const path = join(dir, `${name}.jsonl`);
      writeRandomSession(path, rng, 150, name);
      await runImport(library, path);
    }
    await runIndex(library);
    expect(library.searchCoverage()).toEqual({ indexed: 450, total: 450, cut: 0 });
    const exprs = Array.from({ length: 60 }, () => randomExpr(rng, 3));
    expectAllFound(library, QUERIES, exprs);
    const scanned = [...scanLibrary(library).values()];
    for (const term of QUERIES.flatMap((query) => positiveTerms(parseQuery(query, NOW).expr))) {
      const plain = scanned.reduce((sum, message) => sum + countTerm(message, term), 0);
      expect([term, marked(library, term)]).toEqual([term, plain]);
    }
  });

  const shared = sharedDir();
  test.skipIf(shared === null)('over files of the corpus', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const files = FORMATS.flatMap((format) => corpusFiles(format).slice(0, 1)).filter(
      (path) => statSync(path).size < 3_000_000,
    );
    for (const file of files) await runImport(library, file);
    await runIndex(library);
    const scanned = scanLibrary(library);
    expect(scanned.size).toBeGreaterThan(100);
    const words = [...scanned.values()].flatMap(({ parts }) => parts.flat());
    const rng = seededRng(7);
    const at = () => rng.below(words.length - 3);
    const queries = Array.from({ length: 60 }, (_, i) => {
      const start = at();
      if (i % 3 === 0) return `"${words[start]}"`;
      return i % 3 === 1 ? `"${words.slice(start, start + 2).join(' ')}"` : `"${words[start]}" "${words[at()]}"`;
    });
    expectAllFound(library, queries);
  });
});

describe('what is done to the library', () => {
  const message = (text: string) => ({ role: 'user', content: text });
  const query = (text: string) => parseQuery(text, NOW).expr;

  async function importOne(library: Library, name: string, texts: readonly string[]): Promise<string> {
    const path = join(library.dir, name);
    writeFileSync(path, `${sessionLines(texts.map(message)).join('\n')}\n`);
    return (await runImport(library, path)).transcripts[0]!.id;
  }

  test('what is not indexed yet is told, and indexed in slices', async () => {
    const library = openLibrary(tempDir());
    await importOne(library, 'a.jsonl', ['one', 'two']);
    expect(library.searchCoverage()).toEqual({ indexed: 0, total: 2, cut: 0 });
    expect(library.needsIndexing()).toBe(true);
    expect(library.indexStep()).toBe(true);
    expect(library.indexStep()).toBe(false);
    expect(library.searchCoverage()).toEqual({ indexed: 2, total: 2, cut: 0 });
    await importOne(library, 'b.jsonl', ['three']);
    expect(library.searchCoverage()).toEqual({ indexed: 2, total: 3, cut: 0 });
  });

  test('a content that several messages share is indexed once and found at each', async () => {
    const library = openLibrary(tempDir());
    await importOne(library, 'a.jsonl', ['shared text', 'a', 'shared text']);
    await importOne(library, 'b.jsonl', ['b', 'shared text']);
    await runIndex(library);
    expect(found(library, query('shared'))).toHaveLength(3);
    expect(count(library, 'search_docsize')).toBe(3);
  });

  test('what is removed is gone at once, and its words with its rows', async () => {
    const library = openLibrary(tempDir());
    const first = await importOne(library, 'a.jsonl', ['shared text', 'only here']);
    await importOne(library, 'b.jsonl', ['shared text', 'other']);
    await runIndex(library);
    library.remove(first);
    expect(found(library, query('only'))).toEqual([]);
    expect(found(library, query('shared'))).toHaveLength(1);
    await runUpkeep(library);
    expect(count(library, 'search_gone')).toBe(1);
    await runIndex(library);
    expect([count(library, 'search_docsize'), count(library, 'search_gone')]).toEqual([2, 0]);
    expect(count(library, 'search_pages')).toBe(1);
    // A new content may get the number of one that is gone, also while its words are still there.
    await importOne(library, 'c.jsonl', ['fresh words', 'more of them']);
    await runIndex(library);
    expect(found(library, query('fresh'))).toHaveLength(1);
    expect(found(library, query('only'))).toEqual([]);
    expectAllFound(library, ['shared', 'text', 'other', 'more']);
  });

  test('a new content with the number of one whose words are still there', async () => {
    const library = openLibrary(tempDir());
    await importOne(library, 'a.jsonl', ['kept']);
    const gone = await importOne(library, 'b.jsonl', ['old words']);
    await runIndex(library);
    library.remove(gone);
    await runUpkeep(library);
    await importOne(library, 'c.jsonl', ['new words']);
    // Not found by the words of the other, and not yet by its own.
    expect(found(library, query('words'))).toEqual([]);
    await runIndex(library);
    expectAllFound(library, ['old', 'new', 'words', 'kept']);
    expect(count(library, 'search_gone')).toBe(0);
  });

  test('a message that is amended is found by its new words only', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    const sha256 = createHash('sha256').update('x').digest();
    const start = library.tables.beginImport({ path: '/x', bytes: 0, mtimeMs: 0, probe: sha256, sha256 });
    if (start.kind !== 'writer') throw new Error(start.kind);
    const { writer } = start;
    const send = (text: string) => ({ text: JSON.stringify(message(text)), meta: {}, origins: [] });
    writer.begin('main', { format: 'pi' });
    for (const text of ['first', 'second', 'third']) writer.message(send(text));
    writer.flush(0);
    await runIndex(library);
    expect(found(library, query('second'))).toHaveLength(1);
    writer.amend(1, send('replaced'));
    writer.message(send('fourth'));
    writer.finish(wholeFile(''));
    expect(library.needsIndexing()).toBe(true);
    await runIndex(library);
    expectAllFound(library, ['first', 'second', 'third', 'fourth', 'replaced']);
    expect(found(library, query('replaced'))).toHaveLength(1);
    expect(found(library, query('second'))).toEqual([]);
  });

  test('an index that another version made is made anew', async () => {
    const library = openLibrary(tempDir());
    await importOne(library, 'a.jsonl', ['one', 'two']);
    await runIndex(library);
    library.tables.db.exec(`UPDATE search_state SET version = 'older'`);
    expect(library.searchCoverage().indexed).toBe(0);
    await runIndex(library);
    expect(found(library, query('one'))).toHaveLength(1);
    expect(count(library, 'search_docsize')).toBe(2);
  });

  test('a library of an earlier version is indexed by the job', async () => {
    const dir = tempDir();
    const library = openLibrary(dir);
    await importOne(library, 'a.jsonl', ['one', 'two']);
    library.close();
    const db = new Database(join(dir, 'library.sqlite'));
    db.exec(
      'DROP TRIGGER search_page_changed; DROP TRIGGER search_message_changed; DROP TRIGGER search_content_deleted; DROP TABLE search; DROP TABLE search_state; DROP TABLE search_pages; DROP TABLE search_cut; DROP TABLE search_todo; DROP TABLE search_gone; DROP TRIGGER search_page_added',
    );
    db.exec(migration007);
    db.exec(migration012);
    db.close();
    const again = openLibrary(dir);
    expect(again.needsIndexing()).toBe(true);
    await runIndex(again);
    expect(found(again, query('two'))).toHaveLength(1);
  });

  test('of a message beyond all measure the beginning is found, and the library says so', async () => {
    const library = openLibrary(tempDir());
    await importOne(library, 'a.jsonl', [`begin ${'word '.repeat(1_700_000)} end`]);
    await runIndex(library);
    expect(library.searchCoverage()).toEqual({ indexed: 1, total: 1, cut: 1 });
    expect(found(library, query('begin'))).toHaveLength(1);
    expect(found(library, query('end'))).toEqual([]);
  });
});
