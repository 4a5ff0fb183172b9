// What is special about the Responses API: histories named instead of repeated, answers in items, streams.
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const user = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });
const said = (text: string, more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...more,
});
const call = (id: string) => ({ type: 'function_call', name: 'sh', arguments: '{}', call_id: id });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' });

const response = (id: string, items: readonly object[]) => ({
  id,
  object: 'response',
  status: 'completed',
  output: items,
});
const exchange = (input: unknown, id: string, items: readonly object[], previous?: string) => ({
  request: {
    model: 'm',
    instructions: 'i',
    input,
    ...(previous === undefined ? {} : { previous_response_id: previous }),
  },
  response: response(id, items),
});

function roles(...lines: readonly object[]): readonly (readonly string[])[] {
  const file = importText(jsonl(...lines));
  expect(file.format).toBe('openai-responses');
  expect(addsUp(file)).toBe(true);
  return file.transcripts.map(({ messages }) => messages.map(({ text }) => readMessage(JSON.parse(text)).role));
}

describe('requests in a log', () => {
  const own = { id: 'msg_1', status: 'completed', annotations: [] };

  it.each<[string, readonly object[], readonly (readonly string[])[]]>([
    [
      'name the response before',
      [exchange([user('a')], 'r1', [call('1')]), exchange([output('1')], 'r2', [said('b')], 'r1')],
      [['user', 'assistant', 'tool', 'assistant']],
    ],
    [
      'repeat the history without what the response wrote beside it',
      [exchange([user('a')], 'r1', [said('b', own)]), exchange([user('a'), said('b'), user('c')], 'r2', [said('d')])],
      [['user', 'assistant', 'user', 'assistant']],
    ],
    [
      'name it, then repeat all',
      [
        exchange([user('a')], 'r1', [said('b', own)]),
        exchange([user('c')], 'r2', [said('d', own)], 'r1'),
        exchange([user('a'), said('b'), user('c'), said('d'), user('e')], 'r3', [said('f')]),
      ],
      [['user', 'assistant', 'user', 'assistant', 'user', 'assistant']],
    ],
    [
      'continue an earlier response twice',
      [
        exchange([user('a')], 'r1', [said('b')]),
        exchange([user('c')], 'r2', [said('d')], 'r1'),
        exchange([user('e')], 'r3', [said('f')], 'r1'),
      ],
      [
        ['user', 'assistant', 'user', 'assistant'],
        ['user', 'assistant', 'user', 'assistant'],
      ],
    ],
    ['hold a text', [exchange('hello', 'r1', [said('b')])], [['user', 'assistant']]],
    [
      'open a connection',
      [exchange([], 'r0', []), exchange([user('a')], 'r1', [said('b')], 'r0')],
      [['user', 'assistant']],
    ],
  ])('%s', (_name, lines, expected) => {
    expect(roles(...lines)).toEqual(expected);
  });

  it('say what is missing', () => {
    const file = importText(jsonl(exchange([user('a')], 'r2', [said('b')], 'r1')));
    expect(codes(file)).toEqual(['import.history_missing']);
    expect(file.transcripts.length).toBe(1);
  });
});

describe('documents', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['a request', { model: 'm', input: [user('a'), call('1'), output('1')] }, ['user', 'assistant', 'tool']],
    ['a response', response('r', [{ type: 'reasoning', summary: [] }, said('a'), call('1')]), ['assistant']],
    ['a list', { object: 'list', data: [user('a'), said('b'), said('c')] }, ['user', 'assistant']],
    ['an array', [user('a'), call('1'), output('1')], ['user', 'assistant', 'tool']],
    [
      'a list of two responses',
      { object: 'list', data: [said('a', { created_by: 'r1' }), said('b', { created_by: 'r2' })] },
      ['assistant', 'assistant'],
    ],
  ])('%s', (_name, value, expected) => {
    for (const indent of [0, 2]) {
      const file = importText(JSON.stringify(value, null, indent));
      expect(file.format).toBe('openai-responses');
      expect(file.transcripts[0]?.messages.map(({ text }) => readMessage(JSON.parse(text)).role)).toEqual(expected);
      expect(addsUp(file)).toBe(true);
    }
  });

  it('a response tells usage, status, id and time of its answer', () => {
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 4 }, output_tokens: 2 };
    const body = {
      ...response('r', [said('a')]),
      usage,
      created_at: 1782900000,
      incomplete_details: { reason: 'max' },
    };
    expect(importText(JSON.stringify(body)).transcripts[0]?.messages[0]?.meta).toEqual({
      id: 'r',
      stopReason: 'max',
      timestamp: '2026-07-01T10:00:00.000Z',
      usage: { input: 9, cacheRead: 4, output: 2 },
    });
  });

  it.each([
    ['an item', (items: readonly object[]) => jsonl(...items)],
    ['an item of a request', (items: readonly object[]) => jsonl({ model: 'm', instructions: 'i', input: items })],
  ])('an output of Codex names the call that failed: %s', (_where, write) => {
    const ran = (id: string, code: number) => ({
      ...output(id),
      output: `Process exited with code ${code}\nOutput:\n`,
    });
    const file = importText(write([user('a'), call('1'), call('2'), ran('1', 0), ran('2', 1)]));
    const failed = file.transcripts.flatMap(({ messages }) => messages.map(({ meta }) => meta.failedCallIds ?? []));
    expect(failed).toEqual([[], [], [], ['2']]);
  });

  it('messages are made of the own texts of their items', () => {
    const item = '{ "type": "function_call", "call_id" : "c", "name":"sh", "arguments": "{\\u0020}" }';
    const file = importText(
      `{"model":"m","input":[${item}, {"type":"function_call_output","call_id":"c","output":[ 1 ]}]}`,
    );
    expect(texts(file)).toEqual([
      `{"role":"assistant","content":[${item}]}`,
      '{"role":"tool","tool_call_id":"c","content":[ 1 ]}',
    ]);
  });
});

it.each([null, {}, 'x', 7])('a response whose output is %j has no answer', (output) => {
  const file = importText(JSON.stringify({ id: 'r', object: 'response', status: 'failed', output }));
  expect(file.transcripts[0]?.messages).toEqual([]);
  expect(addsUp(file)).toBe(true);
});

it('a stream is read from its last event', () => {
  const events = [
    { type: 'response.created', response: response('r', []) },
    { type: 'response.output_text.delta', delta: 'a' },
    { type: 'response.completed', response: response('r', [said('a')]) },
  ];
  const sse = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  for (const text of [sse, jsonl(...events)]) {
    const file = importText(text);
    expect(file.format).toBe('openai-responses');
    expect(texts(file)).toEqual(['{"role":"assistant","content":[{"type":"output_text","text":"a"}]}']);
    expect(file.ignored.length).toBe(2);
  }
});

it.each<[string, unknown]>([
  ['a chat request', { model: 'm', messages: [{ role: 'user', content: 'a' }] }],
  ['a chat log', [{ role: 'user', content: 'a' }]],
  ['an embeddings request', { model: 'm', input: ['a', 'b'] }],
  ['an embeddings request of one text', { model: 'm', input: 'a' }],
])('%s is not of this API', (_name, value) => {
  expect(importText(JSON.stringify(value)).format).not.toBe('openai-responses');
});
