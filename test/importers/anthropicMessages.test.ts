import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const block = (text: string, extra: object = {}): object => ({ type: 'text', text, ...extra });
const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const cached = { cache_control: { type: 'ephemeral' } };
const json = (...values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));
const response = (content: unknown, extra: object = {}): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-x',
  content,
  stop_reason: 'end_turn',
  usage: { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 2 },
  ...extra,
});
const packet = (messages: unknown, body: unknown, extra: object = {}): object => ({
  path: '/v1/messages?beta=true',
  request: { body: { model: 'claude-x', system: 'S', messages } },
  response: { body },
  ...extra,
});

describe('anthropic-messages', () => {
  it('reads a request body: messages, system and tools by their exact texts', () => {
    const text =
      '{"model":"claude-x","system":[ {"type":"text","text":"S"} ],"messages":[{"role":"user","content":"h\\u0069"} ,\n{"role":"system","content":"mid"}],"tools":[{"name":"t","input_schema":{ }}],"max_tokens":1}';
    const file = importText(text);
    expect(texts(file)).toEqual(['{"role":"user","content":"h\\u0069"}', '{"role":"system","content":"mid"}']);
    expect(file.transcripts[0]?.meta).toEqual({
      format: 'anthropic-messages',
      title: 'hi',
      models: ['claude-x'],
      systemJson: '[ {"type":"text","text":"S"} ]',
      toolsJson: '[{"name":"t","input_schema":{ }}]',
      settingsJson: '{"max_tokens":1}',
    });
    expect(addsUp(file)).toBe(true);
  });

  it('reads a response body as a transcript of one message', () => {
    const file = importText(JSON.stringify(response([block('x')]), null, 2));
    expect(file.transcripts[0]?.messages).toMatchObject([
      {
        meta: { id: 'msg_1', model: 'claude-x', stopReason: 'end_turn', usage: { input: 7, output: 3, cacheRead: 2 } },
      },
    ]);
    expect(JSON.parse(texts(file)[0] ?? '')).toEqual(assistant([block('x')]));
    expect(addsUp(file)).toBe(true);
  });

  it('reads a request with its response', () => {
    const file = importText(
      JSON.stringify({
        request: { model: 'claude-x', max_tokens: 1, messages: [user('go')] },
        response: response([block('x')]),
      }),
    );
    expect(texts(file)).toEqual(json(user('go'), assistant([block('x')])));
  });

  it('folds a trace: cache marks may move, the answer keeps the text it was sent back with', () => {
    const thought = { type: 'thinking', thinking: '', signature: '' };
    const signed = { ...thought, signature: 'Ep' };
    const packets = [
      packet([user([block('go', cached)])], response([thought, block('one')])),
      packet([user('go'), assistant([signed, block('one')]), user([block('on', cached)])], response([block('two')])),
    ];
    const file = importText(JSON.stringify({ session: 'S1', agent: 'claude', packets }));
    expect(texts(file)).toEqual(
      json(
        user([block('go', cached)]),
        assistant([signed, block('one')]),
        user([block('on', cached)]),
        assistant([block('two')]),
      ),
    );
    expect(file.transcripts[0]?.messages[1]?.meta).toMatchObject({ id: 'msg_1', usage: { output: 3 } });
    expect(file.transcripts[0]?.meta).toMatchObject({ sessionId: 'S1', systemJson: '"S"', title: 'go' });
    expect(codes(file)).toEqual([]);
    expect(addsUp(file)).toBe(true);
  });

  it('compares results inside messages without their cache marks', () => {
    const result = (extra: object): object => ({ type: 'tool_result', tool_use_id: 't', content: [block('r', extra)] });
    const use = { type: 'tool_use', id: 't', name: 'n', input: {} };
    const packets = [
      packet([user('go')], response([use])),
      packet([user('go'), assistant([use]), user([result(cached)])], null),
      packet([user('go'), assistant([use]), user([result({})]), user('x')], null),
    ];
    const file = importText(JSON.stringify({ packets }));
    expect(file.transcripts).toHaveLength(1);
    expect(file.transcripts[0]?.messages).toHaveLength(4);
  });

  it('passes over packets that continue no conversation, with the reason', () => {
    const packets = [
      packet([user('go')], response([block('x')])),
      packet([user('go')], { input_tokens: 5 }, { path: '/v1/messages/count_tokens' }),
      { path: '/api/hello', request: { body: null }, response: {} },
    ];
    const file = importText(JSON.stringify({ packets }));
    expect(file.ignored.map((ignored) => ignored.reason)).toEqual([
      'a count_tokens request continues no conversation',
      'the packet holds no Messages API request',
    ]);
    expect(file.transcripts).toHaveLength(1);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps calls on the side as transcripts of their own', () => {
    const packets = [
      packet([user('title?')], response([block('T')])),
      packet([user('go')], response([block('x')])),
      packet([user('go'), assistant([block('x')]), user('on')], { type: 'error', error: {} }),
    ];
    const file = importText(JSON.stringify({ packets }));
    expect(file.transcripts.map((_, i) => texts(file, i))).toEqual([
      json(user('title?'), assistant([block('T')])),
      json(user('go'), assistant([block('x')]), user('on')),
    ]);
    expect(file.transcripts[1]?.events).toMatchObject([{ kind: 'response', json: '{"type":"error","error":{}}' }]);
  });

  it('records a compaction block as a compaction, and edits the provider applied', () => {
    const compaction = { type: 'compaction', content: 'the story' };
    const request = {
      model: 'claude-x',
      max_tokens: 1,
      messages: [user('a'), assistant([compaction, block('b')]), user('c')],
    };
    const edits = { applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3 }] };
    const file = importText(
      jsonl(
        { request, response: response([block('x')], { context_management: edits }) },
        { request: { messages: [user('z')] } },
      ),
    );
    expect(file.transcripts[0]?.compactions).toEqual([{ at: 1, summaryIndex: 1 }]);
    expect(file.transcripts[0]?.events).toMatchObject([
      { kind: 'compaction', at: 1, json: JSON.stringify(compaction) },
      { kind: 'context_management', text: 'the provider edited the context: clear_tool_uses_20250919' },
    ]);
  });

  const stream = [
    {
      type: 'message_start',
      message: {
        id: 'msg_s',
        role: 'assistant',
        model: 'claude-x',
        content: [],
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'a"b' } },
    { type: 'ping' },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'U0k=' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hé' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '!' } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'n', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"x":' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '1.0}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ];
  const sse = (events: readonly { type: string }[]): string =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

  it('puts a streamed answer together from its events', () => {
    const file = importText(sse(stream), { chunkSize: 50 });
    expect(texts(file)).toEqual([
      '{"role":"assistant","content":[{"type":"thinking","thinking":"a\\"b","signature":"U0k="},{"type":"text","text":"Hé!"},{"type":"tool_use","id":"t","name":"n","input":{"x":1.0}}]}',
    ]);
    expect(file.transcripts[0]?.messages[0]?.meta).toEqual({
      id: 'msg_s',
      model: 'claude-x',
      stopReason: 'tool_use',
      usage: { input: 9, output: 20 },
    });
    expect(codes(file)).toEqual([]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps what came of a stream that was cut off', () => {
    const file = importText(sse(stream.slice(0, 11)));
    expect(texts(file)[0]).toContain('"text":"Hé!"},{"type":"tool_use","id":"t","name":"n","input":"{\\"x\\":"}]}');
  });
});
