// The active branch of Claude Code sessions against an oracle that holds the whole tree: it walks from the last message
// up to the root, where the reader goes back as it reads.
import { readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formats } from '../../core/importers/formats/index.ts';
import { ImportStream } from '../../core/importers/importStream.ts';
import { importText, MemorySink } from '../../core/importers/memory.ts';
import { seededRng } from '../../core/util/rng.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import { cases } from '../support/cases.ts';
import { RewoundSession } from '../support/rewoundSession.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, jsonl } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A message with all its lines, or a line that is none (`isNote`). */
interface OracleNode {
  readonly id: string;
  readonly parent: OracleNode | null;
  readonly isNote: boolean;
  readonly isResult: boolean;
  readonly calls: Set<string>;
  readonly answers: readonly string[];
  readonly serial: number;
}

function blocks(line: Fields): readonly Fields[] {
  const content = isRecord(line.message) ? line.message.content : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function idsIn(line: Fields, type: string, key: string): string[] {
  return blocks(line).flatMap((block) => (block.type === type ? [String(block[key])] : []));
}

/** All main messages of a session, each under its parent; notes are nodes too. */
function tree(lines: readonly Fields[]): { readonly messages: OracleNode[]; readonly leaf: OracleNode | null } {
  const byUuid = new Map<string, OracleNode>();
  const byMessage = new Map<string, OracleNode>();
  const contents = new Set<string>();
  const messages: OracleNode[] = [];
  for (const line of lines) {
    if (line.isSidechain === true) continue;
    const uuid = stringAt(line, 'uuid');
    const isMessage = (line.type === 'user' || line.type === 'assistant') && isRecord(line.message);
    const content = isRecord(line.message) ? line.message.content : undefined;
    if (isMessage && content !== undefined) {
      const print = `${uuid} ${JSON.stringify(content)}`;
      if (uuid !== undefined && contents.has(print)) continue;
      contents.add(print);
    }
    const answerId = isMessage && line.type === 'assistant' && isRecord(line.message) ? line.message.id : undefined;
    const known = typeof answerId === 'string' ? byMessage.get(answerId) : undefined;
    if (known) {
      for (const call of idsIn(line, 'tool_use', 'id')) known.calls.add(call);
      if (uuid !== undefined) byUuid.set(uuid, known);
      continue;
    }
    const named = typeof line.parentUuid === 'string' ? byUuid.get(line.parentUuid) : undefined;
    const node: OracleNode = {
      id: typeof answerId === 'string' ? answerId : (uuid ?? ''),
      parent: named ?? messages.at(-1) ?? null,
      isNote: !isMessage || content === undefined,
      isResult: idsIn(line, 'tool_result', 'tool_use_id').length > 0,
      calls: new Set(idsIn(line, 'tool_use', 'id')),
      answers: idsIn(line, 'tool_result', 'tool_use_id'),
      serial: messages.length,
    };
    if (uuid !== undefined) byUuid.set(uuid, node);
    if (typeof answerId === 'string') byMessage.set(answerId, node);
    if (!node.isNote) messages.push(node);
  }
  return { messages, leaf: messages.at(-1) ?? null };
}

/** The path to a leaf, with the results of the calls made on it, in the order of the file. */
function pathTo(leaf: OracleNode | null, messages: readonly OracleNode[]): string[] {
  const path = new Set<OracleNode>();
  for (let node = leaf; node; node = node.parent) if (!node.isNote) path.add(node);
  const calls = new Set([...path].flatMap((node) => [...node.calls]));
  const found = messages.filter((node) => path.has(node) || node.answers.some((call) => calls.has(call)));
  return found.map(({ id }) => id);
}

function linesOf(text: string): Fields[] {
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

interface Named {
  readonly meta: { readonly id?: string };
}

function idsOf(transcript: { readonly messages: readonly Named[] } | undefined) {
  return (transcript?.messages ?? []).map(({ meta }) => meta.id ?? '');
}

const shared = sharedDir();
const files = corpusFiles('claude-code').map((path) => [relative(join(shared ?? '', 'corpus'), path), path] as const);

/**
 * What the active transcript holds beside the path of its last message, and why it belongs there. Never words of a
 * person, an answer or a result: those are on the path, or on a branch.
 */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  // The summary hangs below the boundary; what follows names the last message before it, which was preserved.
  'omp-large-compact-2.jsonl': ['960b1961-f69f-4f91-9525-f151007612d8'],
  // The same, and a skill's text between two lines of one answer.
  'omp-spliced-one-session.jsonl': ['960b1961-f69f-4f91-9525-f151007612d8', 'c8f793d1-d7a2-4316-bd9e-d42dc377596d'],
};

describe.skipIf(!shared)('the active branch of the corpus (skipped where there is no shared material)', () => {
  it.each(files)('%s', (_name, path) => {
    const text = readFileSync(path, 'utf8');
    const { transcripts } = importText(text);
    const main = transcripts.find(({ key }) => key === 'main');
    const { leaf, messages } = tree(linesOf(text));
    const expected = pathTo(leaf, messages);
    const beside = BESIDE[basename(path)] ?? [];
    const [attached, own] = [true, false].map((is) => ({
      messages: (main?.messages ?? []).filter(({ meta }) => (meta.provenance !== undefined) === is),
    }));
    expect(idsOf(own).filter((id) => !beside.includes(id))).toEqual(expected);
    // What the client attached stands in the file's order among them.
    const lines = (main?.messages ?? []).map(({ origins }) => origins[0]?.line ?? 0);
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(new Set(idsOf(attached)).size).toBe(attached?.messages.length);
    const flags = (main?.messages ?? []).filter(({ meta }) => beside.includes(meta.id ?? ''));
    expect(flags.map(({ meta }) => meta.injected === true || meta.compactSummary === true)).toEqual(
      beside.map(() => true),
    );
    // None of these sessions was rewound.
    expect(transcripts.filter(({ meta }) => meta.branchOf !== undefined)).toEqual([]);
  });
});

describe('a message without a parent', () => {
  const line = (type: 'user' | 'assistant', uuid: string, parentUuid: string | null, text: string) => ({
    ...{ type, uuid, parentUuid, sessionId: 's', cwd: '/w', version: '2.1.0', timestamp: '2026-01-02T03:04:05.000Z' },
    message: { role: type, content: text, ...(type === 'assistant' && { id: `m-${uuid}` }) },
  });
  const said = (...lines: readonly object[]) =>
    importText(jsonl(...lines)).transcripts.map(({ messages }) =>
      messages.map(({ text }) => String(JSON.parse(text).content)),
    );

  it('after one that was never answered continues it', () => {
    const [first, second] = [line('user', 'a', null, 'one'), line('user', 'b', null, 'two')];
    expect(said(first, second, line('assistant', 'c', 'b', 'answer'))).toEqual([['one', 'two', 'answer']]);
  });

  it('after an answer is the first prompt, edited', () => {
    const before = [line('user', 'a', null, 'one'), line('assistant', 'x', 'a', 'first answer')];
    const after = [line('user', 'b', null, 'two'), line('assistant', 'c', 'b', 'answer')];
    expect(said(...before, ...after)).toEqual([
      ['two', 'answer'],
      ['one', 'first answer'],
    ]);
  });
});

describe('made-up sessions that go back and forth', () => {
  const seeds = Array.from({ length: cases(150, 60) }, (_none, i) => i + 1);

  // The last ten are longer than what may be moved to and fro: branches are written on where they are.
  it.each([...seeds, ...Array.from({ length: cases(10, 4) }, (_none, i) => 1001 + i)])('seed %i', (seed) => {
    const session = new RewoundSession(seed);
    if (seed > 1000) session.weave(400, 2 + (seed % 3));
    else session.write(3 + (seed % 12));
    const file = importText(jsonl(...session.lines));
    expect(addsUp(file)).toBe(true);
    const { leaf, messages } = tree(session.lines);
    const [main, ...branches] = file.transcripts;
    expect(idsOf(main)).toEqual(pathTo(leaf, messages));
    const paths = branches.map((branch) => idsOf(branch).join(' '));
    expect(new Set(paths).size).toBe(paths.length);
    for (const branch of branches) {
      const last = messages.find(({ id }) => id === idsOf(branch).at(-1));
      expect(idsOf(branch)).toEqual(pathTo(last ?? null, messages));
    }
    // Every message stands in one transcript or more.
    const said = new Set(file.transcripts.flatMap(idsOf));
    expect([...said].sort()).toEqual(messages.map(({ id }) => id).sort());
    for (const { key, meta } of branches) expect([key, sharedWith(main, file, key)]).toEqual([key, meta.branchAt]);
  });

  it('have branches', () => {
    const made = seeds.map((seed) => {
      const session = new RewoundSession(seed);
      session.write(3 + (seed % 12));
      return importText(jsonl(...session.lines)).transcripts.length - 1;
    });
    expect(made.reduce((sum, branches) => sum + branches, 0)).toBeGreaterThan(seeds.length);
  });

  it.each([...seeds.slice(0, cases(40, 20)), 1001, 1002])('however often it is settled: seed %i', (seed) => {
    const session = new RewoundSession(seed);
    if (seed > 1000) session.weave(400, 2 + (seed % 3));
    else session.write(3 + (seed % 12));
    const lines = session.lines.map((line) => jsonl(line));
    const whole = importText(lines.join(''));
    const rng = seededRng(seed * 7919);
    const sink = new MemorySink();
    const stream = new ImportStream(sink, { registry: formats });
    for (const line of lines) {
      stream.push(new TextEncoder().encode(line));
      if (rng.chance()) stream.settle();
    }
    stream.end();
    expect(sink.result()).toEqual({ transcripts: whole.transcripts, problems: whole.problems, ignored: whole.ignored });
  });
});

type Transcripts = ReturnType<typeof importText>;

function sharedWith(main: Transcripts['transcripts'][number] | undefined, file: Transcripts, key: string): number {
  const own = idsOf(file.transcripts.find((transcript) => transcript.key === key));
  const active = idsOf(main);
  let at = 0;
  while (at < own.length && own[at] === active[at]) at++;
  return at;
}
