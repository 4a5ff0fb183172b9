import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { arrayAt, isRecord, ownAt, recordAt } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, jsonl, texts } from './support.ts';

const human = (content: unknown, more: object = {}): object => ({
  type: 'human',
  content,
  additional_kwargs: {},
  ...more,
});
const ai = (content: unknown, more: object = {}): object => ({
  type: 'ai',
  content,
  additional_kwargs: {},
  response_metadata: {},
  ...more,
});
const serialised = (name: string, kwargs: object): object => ({
  lc: 1,
  type: 'constructor',
  id: ['langchain', name],
  kwargs,
});
const read = (...messages: unknown[]) => importText(JSON.stringify(messages));
const USER = '{"role":"user","content":"hi"}';

describe('the forms of a message', () => {
  it.each([
    ['dumped', human('hi'), USER],
    ['as a dict', { type: 'human', data: { content: 'hi', id: null } }, USER],
    ['as a constructor', serialised('HumanMessage', { content: 'hi', type: 'human' }), USER],
    [
      'a constructor of a chunk',
      serialised('AIMessageChunk', { content: 'hi' }),
      '{"role":"assistant","content":"hi"}',
    ],
    ['a system message', serialised('SystemMessage', { content: 'hi' }), '{"role":"system","content":"hi"}'],
    [
      'a failed result',
      { type: 'tool', content: 'x', tool_call_id: '1', name: 'f', status: 'error', response_metadata: {} },
      '{"role":"tool","tool_call_id":"1","name":"f","content":"x","status":"error"}',
    ],
    ['of a named speaker', human('hi', { name: 'ann' }), '{"role":"user","name":"ann","content":"hi"}'],
    [
      'of a role of its own',
      serialised('ChatMessage', { content: 'hi', role: 'critic' }),
      '{"role":"critic","content":"hi"}',
    ],
    ['in the words of other APIs', { role: 'human', content: 'hi' }, USER],
    [
      'in the words of the API',
      { role: 'user', content: 'hi', name: 'x' },
      '{"role":"user","content":"hi","name":"x"}',
    ],
    ['as a pair', ['human', 'hi'], USER],
  ])('%s', (_name, message, text) => {
    const file = read(ai('first'), message);
    expect(file.format).toBe('langchain');
    expect(texts(file)[1]).toBe(text);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps the exact texts', () => {
    const file = importText(
      '[{"type":"ai","response_metadata":{},"content":"h\\u0069","tool_calls":[{"name":"f","args":{"n":1.0},"id":"a"}]}]',
    );
    expect(texts(file)).toEqual([
      '{"role":"assistant","content":"h\\u0069","tool_calls":[{"id":"a","name":"f","args":{"n":1.0}}]}',
    ]);
  });
});

describe('calls', () => {
  const call = { name: 'f', args: { a: 1 }, id: '1' };
  const copy = { id: '1', type: 'function', function: { name: 'f', arguments: '{}' } };
  it.each<[string, object, (string | null)[]]>([
    ['and the copy of the provider', { tool_calls: [call], additional_kwargs: { tool_calls: [copy] } }, ['1']],
    ['in the copy only', { tool_calls: [], additional_kwargs: { tool_calls: [copy] } }, ['1']],
    ['in the old copy only', { additional_kwargs: { function_call: copy.function } }, [null]],
    [
      'and the block of it',
      { content: [{ type: 'tool_use', id: '1', name: 'f', input: {} }], tool_calls: [call] },
      ['1'],
    ],
    [
      'and the block of another',
      { content: [{ type: 'tool_use', id: '2', name: 'f', input: {} }], tool_calls: [call] },
      ['1', '2'],
    ],
    ['as a block only', { content: [{ type: 'tool_use', id: '2', name: 'f', input: {} }] }, ['2']],
    ['that are broken', { tool_calls: [call], invalid_tool_calls: [{ name: 'f', args: '{"a', id: '3' }] }, ['1', '3']],
  ])('%s', (_name, more, ids) => {
    const [text] = texts(read(ai('', more)));
    expect(callsOf(readMessage(JSON.parse(text ?? ''))).map(({ part }) => part.callId)).toEqual(ids);
  });

  it('are answered, and a status says that it failed', () => {
    const file = read(
      ai('', { tool_calls: [call] }),
      { type: 'tool', content: 'x', tool_call_id: '1', status: 'error', additional_kwargs: {} },
      { type: 'tool', content: 'x', tool_call_id: '1', status: 'success', additional_kwargs: {} },
    );
    const results = texts(file).flatMap((text) => resultsOf(readMessage(JSON.parse(text))));
    expect(results.map(({ part }) => [part.callId, part.isError])).toEqual([
      ['1', true],
      ['1', false],
    ]);
  });
});

describe('states', () => {
  const lengths = (...values: unknown[]): number[] =>
    importText(jsonl(...values)).transcripts.map(({ messages }) => messages.length);

  it.each<[string, unknown[], number[]]>([
    ['that grow', [{ messages: [human('a')] }, { messages: [human('a'), ai('b')] }], [2]],
    ['newest first', [{ messages: [human('a'), ai('b')] }, { messages: [human('a')] }], [2]],
    [
      'that repeat in another form',
      [{ messages: [human('a')] }, { messages: [[serialised('HumanMessage', { content: 'a' })]] }],
      [1],
    ],
    ['of other conversations', [{ messages: [human('a')] }, { messages: [human('b')] }], [1, 1]],
    ['below values', [{ values: { messages: [human('a')] } }, { values: { messages: [human('a'), ai('b')] } }], [2]],
    [
      'answered in a run',
      [{ inputs: { messages: [[human('a')]] }, outputs: { generations: [[{ message: ai('b') }]] } }, {}],
      [2],
    ],
    ['answered in the next record', [{ messages: [[human('a')]] }, { input: ai('b') }], [2]],
    ['with something between', [{ messages: [[human('a')]] }, { question: 'x' }, { input: ai('b') }], [1, 1]],
    [
      'asked twice, answered differently',
      [
        { inputs: { messages: [[human('a')]] }, outputs: { generations: [[{ message: ai('b') }]] } },
        { inputs: { messages: [[human('a')]] }, outputs: { generations: [[{ message: ai('c') }]] } },
      ],
      [2, 2],
    ],
    [
      'an update told before',
      [{ messages: [human('a'), ai('b', { id: '1' })] }, { messages: [ai('b', { id: '1' })] }],
      [2],
    ],
  ])('%s', (_name, values, expected) => {
    expect(lengths(...values)).toEqual(expected);
    expect(addsUp(importText(jsonl(...values)))).toBe(true);
  });

  const summary = human('s', { additional_kwargs: { lc_source: 'summarization' } });
  const all = { type: 'remove', id: '__remove_all__', content: '' };
  it.each<[string, unknown[], string[], object[]]>([
    ['at the start', [{ messages: [summary, human('a')] }], ['s a'], [{ at: 0, summaryIndex: 0 }]],
    [
      'in a state',
      [{ messages: [human('a'), ai('b'), human('c')] }, { messages: [summary, human('c'), ai('d')] }],
      ['a b c s d'],
      [{ at: 3, summaryIndex: 3, preserved: [2] }],
    ],
    [
      'in an update',
      [
        { messages: [human('a'), ai('b'), human('c')] },
        { node: { messages: [all, summary, human('c')] } },
        { node: { messages: [ai('d')] } },
      ],
      ['a b c s d'],
      [{ at: 3, summaryIndex: 3, preserved: [2] }],
    ],
    ['of another conversation', [{ messages: [human('a')] }, { messages: [summary, human('x')] }], ['a', 's x'], []],
  ])('takes the summary of a middleware for a compaction: %s', (_name, values, expected, compactions) => {
    const file = importText(jsonl(...values));
    const said = file.transcripts.map(({ messages }) =>
      messages.map(({ value }) => isRecord(value) && value.content).join(' '),
    );
    expect(said).toEqual(expected);
    expect(file.transcripts[0]?.compactions).toEqual(compactions);
    expect(addsUp(file)).toBe(true);
  });

  it('marks the summary', () => {
    const [transcript] = importText(jsonl({ messages: [summary, human('a')] })).transcripts;
    expect(transcript?.messages.map(({ meta }) => [meta.compactSummary, meta.injected])).toEqual([
      [true, true],
      [undefined, undefined],
    ]);
    expect(transcript?.meta.title).toBe('a');
  });

  it('keeps what stands beside the messages', () => {
    const file = importText(jsonl({ messages: [human('a')], steps: ['x'] }, { question: 'b' }));
    const events = file.transcripts.flatMap((transcript) => transcript.events);
    expect(events.map(({ text, json }) => [text, json])).toEqual([
      ['state: steps', '{"messages":[],"steps":["x"]}'],
      ['state: question', '{"question":"b"}'],
    ]);
  });
});

describe('what is not its own', () => {
  it.each([
    ['chat messages', [{ role: 'user', content: 'a "additional_kwargs": {}' }]],
    ['a system record of another tool', [{ type: 'system', content: 'x', uuid: 'u' }]],
  ])('%s', (_name, value) => expect(importText(JSON.stringify(value)).format).not.toBe('langchain'));
});

const files = corpusFiles('langchain').map((path) => [basename(path), path] as const);

/** The calls of all answers of a file, each once: counted without the importer. */
function callsIn(value: unknown, calls: Map<string, unknown>): Map<string, unknown> {
  if (Array.isArray(value)) for (const each of value) callsIn(each, calls);
  if (!isRecord(value)) return calls;
  const kwargs = recordAt(value, 'kwargs') ?? value;
  const asked = ownAt(kwargs, 'type') === 'ai' ? (arrayAt(kwargs, 'tool_calls') ?? []) : [];
  for (const call of asked.filter(isRecord)) calls.set(JSON.stringify([call.id, call.name, call.args]), call.id);
  for (const inner of Object.values(value)) callsIn(inner, calls);
  return calls;
}

describe.skipIf(files.length === 0)('real dumps (skipped where there is no shared material)', () => {
  it.each(files)('%s: every call once', (name, path) => {
    const text = readFileSync(path, 'utf8');
    const values: unknown[] = name.endsWith('.jsonl')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [JSON.parse(text)];
    const file = importFile(path);
    const all = file.transcripts.flatMap(({ messages }) => messages);
    const calls = all.flatMap(({ value }) => callsOf(readMessage(value)));
    expect(calls.map(({ part }) => part.callId).sort()).toEqual([...callsIn(values, new Map()).values()].sort());
    expect(file.problems).toEqual([]);
  });
});
