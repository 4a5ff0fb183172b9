// Mappings through the engine: how one is found, saved and used, and what a transcript read by it is known by.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { ImportOutcome } from '../../core/protocol/types.ts';
import { failureOf, sessionFile, testEngine } from './support.ts';

const LINES = [
  { who: 'customer', body: 'Where is my order?', ticket: 7 },
  { who: 'helper', body: 'It left yesterday.', ticket: 7 },
  { who: 'customer', body: 'Thanks!', ticket: 7 },
];

const jsonl = (lines: readonly unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const MAPPING = {
  mapping: 1,
  name: 'Tickets',
  at: '$',
  messages: [{ role: { path: '@.who', values: { customer: 'user', helper: 'assistant' } }, text: '@.body' }],
};
const OTHER = { ...MAPPING, messages: [{ role: { path: '@.who', otherwise: 'user' }, text: '@.body' }] };

function setUp() {
  const { client, dir } = testEngine();
  const path = join(dir, 'tickets.jsonl');
  writeFileSync(path, jsonl(LINES));
  return { client, dir, path };
}

async function importOf(client: EngineClient, path: string, mapping?: unknown): Promise<ImportOutcome> {
  const by = mapping === undefined ? {} : { mapping };
  const { jobId } = await client.call('import.start', { paths: [path], ...by });
  const { outcomes } = await client.call('import.result', { jobId });
  const [first] = outcomes;
  if (first === undefined) throw new Error('nothing came of the import');
  return first;
}

const idsOf = ({ transcripts }: ImportOutcome) => transcripts.map(({ id }) => id);
const codesOf = ({ problems }: ImportOutcome) => problems.map(({ code }) => code);

test('a file nobody knows says how it can be opened', async () => {
  const { client, path } = setUp();
  const { error } = await importOf(client, path);
  expect(error?.code).toBe('import.not_recognised');
  expect(error?.text).toContain('map its fields');
});

test('a given mapping opens it; the same again is the same, another one is another transcript', async () => {
  const { client, path } = setUp();
  const first = await importOf(client, path, MAPPING);
  expect(first.transcripts).toMatchObject([{ messages: 3, existed: false }]);
  const renamed = await importOf(client, path, { ...MAPPING, name: 'Another name' });
  expect(renamed.transcripts).toMatchObject([{ id: idsOf(first)[0], existed: true }]);
  const other = await importOf(client, path, OTHER);
  expect(other.transcripts).toMatchObject([{ messages: 3, existed: false }]);
  expect(idsOf(other)).not.toEqual(idsOf(first));
  const { transcripts } = await client.call('library.list', {});
  expect(transcripts.map(({ format }) => format)).toEqual(['generic-json', 'generic-json']);
});

test('a saved mapping is used for what it fits, and that is said', async () => {
  const { client, path, dir } = setUp();
  await client.call('mapping.save', { name: 'Tickets', mapping: MAPPING });
  const outcome = await importOf(client, path);
  expect(outcome.error).toBeNull();
  expect(outcome.problems[0]).toMatchObject({ code: 'import.mapped', severity: 'info' });
  expect(outcome.problems[0]?.text).toContain('"Tickets"');
  writeFileSync(join(dir, 'else.json'), '{"dependencies":{"a":"1.0.0"}}');
  expect((await importOf(client, join(dir, 'else.json'))).error?.code).toBe('import.not_recognised');
});

test('no mapping takes a file that a format knows, unless it is given for it', async () => {
  const { client, dir } = setUp();
  const greedy = {
    mapping: 1,
    name: 'All',
    at: '$',
    messages: [{ role: { path: '@.type' }, text: '@.message.content' }],
  };
  await client.call('mapping.save', { name: 'All', mapping: greedy });
  const path = join(dir, 'session.jsonl');
  writeFileSync(path, sessionFile());
  const own = await importOf(client, path);
  const mapped = await importOf(client, path, greedy);
  const { transcripts } = await client.call('library.list', {});
  const formats = new Map(transcripts.map(({ id, format }) => [id, format]));
  expect(idsOf(own).map((id) => formats.get(id))).toEqual(['claude-code']);
  expect(idsOf(mapped).map((id) => formats.get(id))).toEqual(['generic-json']);
});

test('a mapped file that grew goes on in the same transcript, without being told the mapping again', async () => {
  const { client, path } = setUp();
  const before = await importOf(client, path, MAPPING);
  appendFileSync(path, jsonl([{ who: 'helper', body: 'You are welcome.' }]));
  const after = await importOf(client, path);
  expect(after.transcripts).toMatchObject([{ id: idsOf(before)[0], messages: 4 }]);
  expect(codesOf(after)).toContain('import.mapped');
});

test('in a folder a given mapping is for the files no format knows', async () => {
  const { client, dir } = setUp();
  const folder = join(dir, 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), jsonl(LINES));
  writeFileSync(join(folder, 'b.jsonl'), sessionFile());
  writeFileSync(join(folder, 'c.json'), '{"name":"no transcript"}');
  const { jobId } = await client.call('import.start', { paths: [folder], mapping: MAPPING });
  const { folders } = await client.call('import.result', { jobId });
  expect(folders).toMatchObject([{ transcripts: 2, skipped: 1 }]);
  const { transcripts } = await client.call('library.list', {});
  expect(transcripts.map(({ format }) => format).sort()).toEqual(['claude-code', 'generic-json']);
});

test('mappings are saved by name, listed, replaced and removed', async () => {
  const { client } = setUp();
  const list = async () => (await client.call('mapping.list', {})).mappings.map(({ name, hash }) => [name, hash]);
  const { hash } = await client.call('mapping.save', { name: 'B', mapping: MAPPING });
  const { hash: second } = await client.call('mapping.save', { name: 'A', mapping: OTHER });
  expect(await list()).toEqual([
    ['A', second],
    ['B', hash],
  ]);
  const third = { ...MAPPING, at: '$[*]' };
  const { hash: replaced } = await client.call('mapping.save', { name: 'A', mapping: third });
  expect(await list()).toEqual([
    ['A', replaced],
    ['B', hash],
  ]);
  expect(await client.call('mapping.remove', { name: 'B' })).toEqual({ removed: true });
  expect(await client.call('mapping.remove', { name: 'B' })).toEqual({ removed: false });
  expect(await list()).toEqual([['A', replaced]]);
});

test('a mapping that is none is refused with the field and the column', async () => {
  const { client, path } = setUp();
  const broken = { ...MAPPING, messages: [{ role: { path: '@.who' }, text: '@.a..b' }] };
  const failure = await failureOf(client.call('import.start', { paths: [path], mapping: broken }));
  expect(failure).toMatchObject({ code: 'mapping.invalid', expected: true });
  expect(failure.message).toContain('messages[0].text');
  expect(failure.message).toContain('column 4');
  const { preview, faults, fields } = await client.call('mapping.preview', { path, mapping: broken });
  expect(preview).toBeNull();
  expect(faults).toMatchObject([{ field: 'messages[0].text', column: 4 }]);
  expect(fields.message.map((one) => one.path)).toEqual(['@', '@.who', '@.body', '@.ticket']);
});

test('a mapping is guessed, and what it gives is shown before anything is imported', async () => {
  const { client, path } = setUp();
  const look = await client.call('mapping.guess', { path });
  expect(look).toMatchObject({ format: null, shape: 'jsonl' });
  expect(look.guess.confidence).toBeGreaterThan(0.5);
  const { preview } = await client.call('mapping.preview', { path, mapping: look.guess.mapping, limit: 2 });
  expect(preview?.messages.map(({ role, parts }) => [role, parts[0]?.text])).toEqual([
    ['user', 'Where is my order?'],
    ['user', 'Thanks!'],
  ]);
  expect((await client.call('library.list', {})).transcripts).toEqual([]);
});

test('a mapping that finds no message says so, and nothing is imported', async () => {
  const { client, path } = setUp();
  const { error } = await importOf(client, path, { ...MAPPING, at: '$.turns[*]' });
  expect(error?.code).toBe('mapping.no_messages');
  expect(error?.text).toContain('$.turns[*]');
  expect(error?.text).toContain('who, body, ticket');
  expect((await client.call('library.list', {})).transcripts).toEqual([]);
});

const SAID = [
  { role: 'user', content: [{ type: 'words', words: 'What is in a.txt?' }] },
  { role: 'assistant', content: [{ type: 'words', words: 'It says hello.' }] },
];
const WORDS = {
  mapping: 1,
  name: 'Words',
  at: '$',
  messages: [{ role: { path: '@.role' }, text: '@.content[*].words' }],
};

test('a file of which its format reads little is imported with a warning, and a saved mapping that fits takes it', async () => {
  const { client, dir } = testEngine();
  const path = join(dir, 'words.jsonl');
  writeFileSync(path, jsonl(SAID));
  const byFormat = await importOf(client, path);
  expect(byFormat.problems).toMatchObject([{ code: 'import.unknown_blocks', severity: 'warning' }]);
  expect((await client.call('mapping.guess', { path })).format).toBeNull();
  await client.call('mapping.save', { name: 'Words', mapping: WORDS });
  const byMapping = await importOf(client, path);
  expect(byMapping.problems[0]).toMatchObject({
    code: 'import.mapped',
    text: expect.stringContaining(
      'The format that knows this file reads little of it; it was read by the mapping "Words"',
    ),
  });
  expect(byMapping.transcripts).toMatchObject([{ messages: 2, existed: false }]);
  expect(idsOf(byMapping)).not.toEqual(idsOf(byFormat));
});

test('a mapping given for a folder takes such files in it, and not those that a format reads', async () => {
  const { client, dir } = testEngine();
  const folder = join(dir, 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'words.jsonl'), jsonl(SAID));
  writeFileSync(join(folder, 'session.jsonl'), sessionFile());
  const { jobId } = await client.call('import.start', { paths: [folder], mapping: WORDS });
  const { outcomes } = await client.call('import.result', { jobId });
  const { transcripts } = await client.call('library.list', {});
  expect(outcomes.map(({ error }) => error)).toEqual([null, null]);
  expect(transcripts.map(({ format }) => format).sort()).toEqual(['claude-code', expect.stringContaining('generic')]);
});

test('a file that nests without end ends no import: neither of several files nor of a folder', async () => {
  const { client, dir } = testEngine();
  const folder = join(dir, 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.jsonl'), sessionFile());
  writeFileSync(join(folder, 'b.json'), '['.repeat(20_000) + ']'.repeat(20_000));
  writeFileSync(
    join(folder, 'c.jsonl'),
    jsonl([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]),
  );
  const files = ['a.jsonl', 'b.json', 'c.jsonl'].map((name) => join(folder, name));
  const byName = await client.call('import.start', { paths: files });
  const { outcomes } = await client.call('import.result', byName);
  expect(outcomes.map(({ error }) => error?.code ?? null)).toEqual([null, 'import.not_recognised', null]);
  const byFolder = await client.call('import.result', await client.call('import.start', { paths: [folder] }));
  expect(byFolder.outcomes.map(({ transcripts }) => transcripts.length)).toEqual([1, 1]);
});
