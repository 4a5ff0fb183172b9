import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const said = (role: string, text: string): object => ({ role, parts: [{ text }] });
const response = (text: string, more: object = {}): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, ...more }],
  modelVersion: 'm',
});

describe('gemini-contents', () => {
  const contents = '[ {"parts":[{"text":"h\\u0069"}], "role":"user"}, {"role":"model","parts":[ {"text":"yes"} ]} ]';
  it.each([
    ['a bare list', contents],
    ['a request', `{"contents":${contents},"generationConfig":{}}`],
    ['a request in a line', `{"contents":${contents}}\n{"contents":${contents}}\n`],
    ['a saved history', `{"name":"x","history":${contents},"questions":[]}`],
    ['the context of an error', `{"error":{},"context":${contents}}`],
    [
      'lines of contents',
      `{"parts":[{"text":"h\\u0069"}], "role":"user"}\n{"role":"model","parts":[ {"text":"yes"} ]}\n`,
    ],
  ])('takes the exact texts from %s', (_name, text) => {
    const file = importText(text);
    expect(file.format).toBe('gemini-contents');
    expect(texts(file)).toEqual([
      '{"parts":[{"text":"h\\u0069"}], "role":"user"}',
      '{"role":"model","parts":[ {"text":"yes"} ]}',
    ]);
    expect(file.transcripts.map((transcript) => transcript.meta.title)).toEqual(['hi']);
    expect(addsUp(file)).toBe(true);
  });

  it('takes chunks with one id for one answer, and answers with others for others', () => {
    const chunks = [
      { ...response('a'), responseId: '1' },
      { ...response('b', { finishReason: 'STOP' }), responseId: '1' },
      { ...response('c', { finishReason: 'STOP' }), responseId: '2' },
    ];
    const file = importText(JSON.stringify(chunks));
    expect(file.transcripts.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual([
      '{"role":"model","parts":[{"text":"ab"}]}',
      '{"role":"model","parts":[{"text":"c"}]}',
    ]);
    expect(file.transcripts[0]?.messages[0]?.origins).toHaveLength(2);
    expect(addsUp(file)).toBe(true);
  });

  it('reads a stream of server-sent events', () => {
    const events = [response('a'), response('b', { finishReason: 'STOP' })];
    const file = importText(events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
    expect(texts(file)).toEqual(['{"role":"model","parts":[{"text":"ab"}]}']);
    expect(file.transcripts[0]?.messages[0]?.meta).toMatchObject({ model: 'm', stopReason: 'STOP' });
  });

  it('continues a conversation whose answer came back with an id and without its signature', () => {
    const call = { name: 'f', args: { a: 1 } };
    const log = jsonl(
      {
        request: { contents: [said('user', 'q')] },
        response: {
          candidates: [{ content: { role: 'model', parts: [{ functionCall: call, thoughtSignature: 's' }] } }],
        },
      },
      {
        request: {
          contents: [
            said('user', 'q'),
            { role: 'model', parts: [{ functionCall: { id: 'x', ...call } }] },
            said('user', 'r'),
          ],
        },
      },
      { request: { contents: [said('user', 'another')] } },
    );
    const file = importText(log);
    expect(file.transcripts.map(({ messages }) => messages.length)).toEqual([3, 1]);
    expect(texts(file)[1]).toContain('"id":"x"');
  });

  it('does not take messages of others', () => {
    const ui = JSON.stringify([{ id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] }]);
    expect(importText(ui).format).not.toBe('gemini-contents');
    expect(importText(JSON.stringify([{ role: 'user', content: 'x' }])).format).toBe('openai-chat');
  });
});

const session = { sessionId: 's', projectHash: 'p', startTime: '2026-01-01T00:00:00Z' };
const user = (id: string, content: unknown): object => ({ id, type: 'user', content });
const gemini = (id: string, content: unknown, more: object = {}): object => ({ id, type: 'gemini', content, ...more });

describe('gemini-cli', () => {
  it('a damaged entry that names a session is an event', () => {
    const messages = [user('a', 'one'), { sessionId: 'x', content: 'no type' }];
    const file = importText(JSON.stringify({ ...session, messages }));
    expect(addsUp(file)).toBe(true);
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['unknown:untyped']);
  });

  it('lets a later line take the place of an earlier one, wherever lines stand between', () => {
    const file = importText(
      jsonl(session, gemini('a', 'old'), { $set: { lastUpdated: 'x' } }, user('b', 'u'), gemini('a', 'new')),
    );
    expect(texts(file)).toEqual([
      '{"role":"model","parts":[{"text":"new"}]}',
      '{"role":"user","parts":[{"text":"u"}]}',
    ]);
    expect(file.transcripts[0]?.messages[0]?.origins.map(({ line }) => line)).toEqual([2, 5]);
    expect(file.ignored.map(({ line }) => line)).toEqual([3]);
    expect(addsUp(file)).toBe(true);
  });

  const toolCall = (id: string, more: object = {}): object => ({
    id,
    name: 'f',
    args: {},
    status: 'success',
    result: [{ functionResponse: { id, name: 'f', response: { output: 'done' } } }],
    ...more,
  });

  it('adds results that come with a later line, unless other messages follow', () => {
    const calls = { toolCalls: [toolCall('1')] };
    const added = importText(
      jsonl(
        session,
        user('a', 'u'),
        gemini('b', 'x'),
        { id: 'i', type: 'info', content: 'i' },
        gemini('b', 'x', calls),
      ),
    );
    expect(texts(added)).toHaveLength(3);
    expect(codes(added)).toEqual([]);
    const late = importText(jsonl(session, gemini('b', 'x'), user('a', 'u'), gemini('b', 'x', calls)));
    expect(texts(late).map((text) => JSON.parse(text).role)).toEqual(['model', 'user', 'model', 'user']);
    expect(codes(late)).toEqual(['import.late_block']);
  });

  it('goes back before the entry named, and leaves all alone where there is none', () => {
    const lines = [session, user('a', 'one'), gemini('b', 'x'), user('c', 'two'), gemini('d', 'y')];
    const file = importText(jsonl(...lines, { $rewindTo: 'c' }, user('e', 'three'), { $rewindTo: 'nobody' }));
    const said = file.transcripts.map(({ messages }) => messages.map(({ meta }) => meta.id).join(' '));
    expect(said).toEqual(['a b e', 'a b c d']);
    expect(file.transcripts[1]?.meta).toMatchObject({ branchOf: 'main', branchAt: 2, title: 'two' });
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['session', 'rewind', 'rewind']);
    expect(codes(file)).toEqual(['import.branches']);
    expect(addsUp(file)).toBe(true);
  });

  it('names the agents that calls started, once, and knows an agent', () => {
    const call = { toolCalls: [toolCall('1', { agentId: 'ag' })] };
    const file = importText(jsonl({ ...session, kind: 'subagent' }, gemini('b', 'x', call), gemini('b', 'y', call)));
    expect(file.transcripts[0]?.spawns).toEqual([{ callId: '1', sessionId: 'ag' }]);
    expect(file.transcripts[0]?.meta).toMatchObject({ sessionId: 's', agentId: 's' });
  });

  it('keeps a line that comes too late, and says so', () => {
    const between = Array.from({ length: 70 }, (_, i) => user(`u${i}`, String(i)));
    const file = importText(jsonl(session, gemini('a', 'old'), ...between, gemini('a', 'new')));
    expect(texts(file)).toHaveLength(72);
    expect(codes(file)).toEqual(['import.late_block']);
  });

  it.each([
    ['a text', 'x', '[{"text":"x"}]'],
    ['parts', [{ text: 'x' }, { inlineData: { mimeType: 'image/png', data: 'AA' } }], null],
    ['bare strings in a list', ['x'], '[{"text":"x"}]'],
    ['one part', { text: 'x' }, '[{"text":"x"}]'],
    ['nothing', '', '[]'],
  ])('reads content that is %s', (_name, content, parts) => {
    const file = importText(jsonl(session, user('a', content)));
    expect(texts(file)).toEqual([`{"role":"user","parts":${parts ?? JSON.stringify(content)}}`]);
  });

  it('tells a failed call by its status, and takes a result that is a bare text', () => {
    const toolCalls = [
      {
        id: '1',
        name: 'f',
        args: {},
        status: 'cancelled',
        result: [{ functionResponse: { id: '1', name: 'f', response: {} } }],
      },
      { id: '2', name: 'g', args: {}, status: 'success', result: 'done' },
      { id: '3', name: 'h', args: {}, status: 'error', result: null },
    ];
    const [answer, results] = texts(importText(jsonl(session, gemini('a', '', { toolCalls }))));
    expect(JSON.parse(answer ?? '').parts).toHaveLength(3);
    expect(JSON.parse(results ?? '').parts).toEqual([
      { status: 'cancelled', functionResponse: { id: '1', name: 'f', response: {} } },
      { functionResponse: { id: '2', name: 'g', response: { output: 'done' } } },
    ]);
  });

  it('records what the client put in place of the history', () => {
    const kept = user('b', 'two');
    const file = importText(
      jsonl(
        session,
        user('a', 'one'),
        kept,
        { $set: { messages: [kept, user('c', 'three')] } },
        { $set: { messages: [kept] } },
      ),
    );
    expect(texts(file)).toHaveLength(3);
    expect(file.transcripts[0]?.compactions).toEqual([
      { at: 2, preserved: [1] },
      { at: 3, preserved: [1] },
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('takes the messages of a first line, and of a patch before any other', () => {
    const file = importText(
      jsonl({ ...session, messages: [user('a', 'one')] }, { $set: { messages: [user('a', 'one'), user('b', 'two')] } }),
    );
    expect(texts(file)).toHaveLength(2);
    expect(file.transcripts[0]?.compactions).toEqual([]);
    expect(addsUp(file)).toBe(true);
  });
});
