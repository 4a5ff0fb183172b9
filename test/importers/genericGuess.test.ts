// The guess at a mapping: on small files of many makes, and measured on real ones whose readers know better.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { genericFormat } from '../../core/importers/formats/generic/format.ts';
import { type Guess, guessMapping } from '../../core/importers/formats/generic/guess.ts';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { FormatRegistry } from '../../core/importers/registry.ts';
import { sniff } from '../../core/importers/sniff.ts';
import { readMapping } from '../../core/model/mapping/read.ts';
import type { Mapping } from '../../core/model/mapping/types.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, jsonl, texts } from './support.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function guess(text: string): Guess {
  return guessMapping(sniff(bytesOf(text), true));
}

function readBy(mapping: Mapping, bytes: Uint8Array): ImportedFile {
  const format = genericFormat(mapping);
  return importText(bytes, { registry: new FormatRegistry([format]), format: format.id });
}

const json = (value: unknown) => JSON.stringify(value);

/** What, the file, what of the mapping has to be, and the roles of the messages it gives. */
const SHAPES: readonly (readonly [what: string, file: string, mapping: object, roles: readonly string[]])[] = [
  [
    'a chat with author and body',
    json([
      { author: 'customer', body: 'My order is late', at: '2026-01-01T10:00:00Z' },
      { author: 'bot', body: 'Let me look', at: '2026-01-01T10:00:01Z' },
    ]),
    {
      at: '$[*]',
      messages: [
        { role: { path: '@.author', values: { customer: 'user', bot: 'assistant' } }, text: '@.body', time: '@.at' },
      ],
    },
    ['user', 'assistant'],
  ],
  [
    'nested turns of conversations with titles',
    json({
      conversations: [
        {
          id: 'c1',
          subject: 'Order',
          turns: [
            { speaker: { kind: 'human' }, message: { markdown: 'hi there' } },
            { speaker: { kind: 'ai' }, message: { markdown: 'hello' } },
          ],
        },
        { id: 'c2', subject: 'Other', turns: [{ speaker: { kind: 'human' }, message: { markdown: 'help me' } }] },
      ],
    }),
    {
      at: '$.conversations[*].turns[*]',
      transcripts: { at: '$.conversations[*]', id: '@.id', title: '@.subject' },
      messages: [{ role: { path: '@.speaker.kind' }, text: '@.message.markdown' }],
    },
    ['user', 'assistant', 'user'],
  ],
  [
    'as OpenAI has it, with odd names; ids pair the answers',
    jsonl(
      { sender: 'human', msg: 'What is here?' },
      { sender: 'model', msg: 'I look.', actions: [{ cid: 'k-1', tool: 'ls', with: { path: '.' } }] },
      { sender: 'exec', msg: 'a.txt', ran: 'k-1' },
      { sender: 'model', msg: 'a.txt is.' },
    ),
    {
      at: '$',
      messages: [
        {
          role: { values: { human: 'user', model: 'assistant', exec: 'tool' } },
          calls: { at: '@.actions[*]', id: '@.cid', name: '@.tool', arguments: '@.with' },
          results: { callId: '@.ran' },
        },
      ],
    },
    ['user', 'assistant', 'tool', 'assistant'],
  ],
  [
    'results in a list beside the calls',
    json({
      log: [
        { role: 'user', content: 'go on' },
        {
          role: 'agent',
          content: 'doing',
          calls: [{ id: 'x-1', function: { name: 'f', arguments: '{}' } }],
          results: [{ call_id: 'x-1', output: 'done', status: 'ok' }],
        },
      ],
    }),
    {
      at: '$.log[*]',
      messages: [
        {
          calls: { at: '@.calls[*]', name: '@.function.name' },
          results: { at: '@.results[*]', callId: '@.call_id', text: '@.output', error: '@.status' },
        },
      ],
    },
    ['user', 'assistant', 'tool'],
  ],
  [
    'prompts and completions',
    jsonl(
      { prompt: 'what is 2+2', completion: '4', model: 'm' },
      { prompt: 'capital of France', completion: 'Paris', model: 'm' },
    ),
    {
      at: '$',
      messages: [
        { role: { constant: 'user' }, text: '@.prompt' },
        { role: { constant: 'assistant' }, text: '@.completion', model: '@.model' },
      ],
    },
    ['user', 'assistant', 'user', 'assistant'],
  ],
  [
    'a flag for who speaks',
    json({
      messages: [
        { is_user: true, mes: 'hello my friend, how are you' },
        { is_user: false, mes: 'I am fine, thanks for asking' },
      ],
    }),
    { messages: [{ role: { path: '@.is_user', values: { true: 'user', false: 'assistant' } }, text: '@.mes' }] },
    ['user', 'assistant'],
  ],
  [
    'a tree by ids, as a web chat exports it',
    json([
      {
        title: 'T',
        mapping: {
          a: { id: 'a', message: null, parent: null },
          b: { id: 'b', parent: 'a', message: { author: { role: 'user' }, content: { parts: ['question'] } } },
          c: { id: 'c', parent: 'b', message: { author: { role: 'assistant' }, content: { parts: ['answer'] } } },
        },
      },
    ]),
    {
      at: '$[*].mapping.*',
      transcripts: { at: '$[*]', title: '@.title' },
      messages: [
        { role: { path: '@.message.author.role' }, text: '@.message.content.parts', id: '@.id', parent: '@.parent' },
      ],
    },
    ['user', 'assistant'],
  ],
  [
    'lines that are dialogs, with single letters for roles',
    jsonl(
      {
        id: 1,
        dialog: [
          { who: 'Q', said: 'how are you doing' },
          { who: 'A', said: 'well, thanks' },
        ],
      },
      {
        id: 2,
        dialog: [
          { who: 'Q', said: 'and now' },
          { who: 'A', said: 'nothing' },
        ],
      },
    ),
    { at: '$.dialog[*]', transcripts: { at: '$', id: '@.id' } },
    ['user', 'assistant', 'user', 'assistant'],
  ],
  [
    'sessions by a shared id, with tokens and reasoning',
    jsonl(
      { session: 's1', from: 'human', value: 'please do it' },
      {
        session: 's1',
        from: 'gpt',
        value: 'done it',
        thoughts: 'hmm let me',
        usage: { prompt_tokens: 7, completion_tokens: 2 },
      },
      { session: 's2', from: 'human', value: 'another one' },
    ),
    {
      transcripts: { by: '@.session' },
      messages: [
        { reasoning: '@.thoughts', usage: { input: '@.usage.prompt_tokens', output: '@.usage.completion_tokens' } },
      ],
    },
    ['user', 'assistant', 'user'],
  ],
  [
    'parts of several kinds',
    json({
      turns: [
        { who: 'user', parts: [{ text: 'list it' }] },
        { who: 'model', parts: [{ text: 'ok' }, { functionCall: { name: 'ls', args: {} } }] },
        { who: 'user', parts: [{ functionResponse: { name: 'ls', response: { a: 1 } } }] },
      ],
    }),
    {
      messages: [
        {
          text: '@.parts[*].text',
          calls: { at: '@.parts[*].functionCall' },
          results: { at: '@.parts[*].functionResponse' },
        },
      ],
    },
    ['user', 'assistant', 'tool'],
  ],
  [
    'one message alone',
    json({ role: 'assistant', content: [{ type: 'text', text: 'hello' }], model: 'm-1' }),
    { at: '$', messages: [{ role: { path: '@.role' }, text: '@.content', model: '@.model' }] },
    ['assistant'],
  ],
  [
    'people by their names: somebody has to say who is the assistant',
    json([
      { speaker: 'Ann', text: 'shall we begin with it' },
      { speaker: 'Bob', text: 'yes, let us begin' },
    ]),
    { messages: [{ role: { path: '@.speaker', otherwise: 'user' } }] },
    ['user', 'user'],
  ],
];

test.each(SHAPES)('%s', (_what, file, expected, roles) => {
  const { mapping, confidence, why } = guess(file);
  expect(mapping).toMatchObject(expected);
  expect(confidence).toBeGreaterThan(0.4);
  expect(why.length).toBeGreaterThan(1);
  expect(readMapping(mapping).faults).toEqual([]);
  if (mapping === null) return;
  const read = readBy(mapping, bytesOf(file));
  const said = read.transcripts.flatMap((_, at) => texts(read, at)).map((text) => readMessage(JSON.parse(text)).role);
  expect(said).toEqual(roles);
  expect(addsUp(read)).toBe(true);
});

describe('what is no conversation is refused, with the reason', () => {
  test.each<[what: string, file: string, why: string]>([
    ['a table', '[["role","text"],["user","hi"]]', 'a table'],
    ['a table in lines', '["role","text"]\n["user","hi"]\n', 'a table'],
    ['bare values', '["a","b"]', 'bare values'],
    ['a package', '{"name":"x","dependencies":{"a":"1"}}', 'No list of objects'],
    [
      'a map',
      json({
        features: [
          { type: 'Feature', properties: { name: 'a place' } },
          { type: 'Feature', properties: { name: 'another' } },
        ],
      }),
      'No list of objects',
    ],
    ['text', 'milk\nbread\n', 'A mapping reads JSON'],
    ['nothing', '', 'an empty file'],
  ])('%s', (_what, file, why) => {
    const { mapping, confidence, why: reasons } = guess(file);
    expect(mapping).toBeNull();
    expect(confidence).toBe(0);
    expect(reasons.join(' ')).toContain(why);
  });
});

/** Formats that hold a conversation once, message by message: there a guess can be measured. */
const MEASURED = ['tau2', 'mini-swe-agent', 'pi', 'atif', 'gemini-contents', 'claude-code', 'anthropic-messages'];
const MOST_BYTES = 3_000_000;

interface Counts {
  texts: number;
  calls: number;
  results: number;
}

function countsOf(file: ImportedFile): Counts {
  const counts = { texts: 0, calls: 0, results: 0 };
  for (const { messages } of file.transcripts) {
    for (const { parts } of messages.map(({ text }) => readMessage(JSON.parse(text)))) {
      counts.texts += parts.filter(({ kind }) => kind === 'text').length;
      counts.calls += parts.filter(({ kind }) => kind === 'tool_call').length;
      counts.results += parts.filter(({ kind }) => kind === 'tool_result').length;
    }
  }
  return counts;
}

const near = (a: number, b: number) => Math.abs(a - b) <= Math.max(1, b * 0.05);

const shared = sharedDir();

describe.skipIf(!shared)('on real files of known formats (skipped where there is no shared material)', () => {
  test('most guesses find the texts, calls and results that the format knows', () => {
    const files = MEASURED.flatMap(corpusFiles).filter((path) => statSync(path).size <= MOST_BYTES);
    const outcomes = files.map((path) => {
      const bytes = readFileSync(path);
      const head = bytes.subarray(0, 512 * 1024);
      const { mapping } = guessMapping(sniff(head, head.length === bytes.length));
      if (mapping === null) return { path, hits: 0 };
      const read = readBy(mapping, bytes);
      expect(addsUp(read), path).toBe(true);
      const [mine, real] = [countsOf(read), countsOf(importText(bytes))];
      const hits = [near(mine.texts, real.texts), near(mine.calls, real.calls), near(mine.results, real.results)];
      return { path, hits: hits.filter(Boolean).length };
    });
    const all = outcomes.filter(({ hits }) => hits === 3).length;
    const some = outcomes.filter(({ hits }) => hits > 0).length;
    const missed = outcomes.filter(({ hits }) => hits < 3).map(({ path, hits }) => `${basename(path)} ${hits}/3`);
    const report = `${all} of ${files.length} files as their format, ${some} in part; not whole: ${missed.join(', ')}`;
    // 48 of 57 when this was written.
    expect(all, report).toBeGreaterThan(files.length * 0.75);
  });
});
