import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const info = (role: string, extra: object = {}): object => ({ id: `msg_${role}`, sessionID: 'ses_1', role, ...extra });
const text = (value: string, extra: object = {}): object => ({ id: 'prt_t', type: 'text', text: value, ...extra });
const tool = (state: object, extra: object = {}): object => ({
  id: 'prt_1',
  type: 'tool',
  callID: 'call_1',
  tool: 'bash',
  state,
  ...extra,
});
const asked = { info: info('user'), parts: [text('hi')] };
const answer = (parts: readonly object[], extra: object = {}): object => ({ info: info('assistant', extra), parts });
const list = (...messages: readonly object[]): string => JSON.stringify(messages);
const done = { status: 'completed', input: { a: 1 }, output: 'out' };

describe('opencode documents', () => {
  it.each([
    ['a list', list(asked, answer([text('ho')]))],
    ['an export', JSON.stringify({ info: { id: 'ses_1' }, messages: [asked, answer([text('ho')])] }, null, 2)],
    ['an export on a line', jsonl({ info: { id: 'ses_1' }, messages: [asked] }, answer([text('ho')]))],
    ['lines of messages', jsonl(asked, answer([text('ho')]))],
    ['one message', JSON.stringify({ info: info('user'), parts: [text('hi'), text('ho')] })],
  ])('reads %s', (_name, source) => {
    const file = importText(source);
    expect([file.format, file.transcripts.map(({ key }) => key)]).toEqual(['opencode', ['ses_1']]);
    expect(texts(file).join()).toMatch(/"hi".*"ho"/);
    expect([codes(file), addsUp(file)]).toEqual([[], true]);
  });

  it('cuts values out of the part as they are', () => {
    const part =
      '{"id":"p","type":"tool","callID":"c\\u0031","tool":"bash","state":{"status":"completed","input":{"a": 1.0},"output":"\\u00e9"}}';
    const file = importText(
      `[${JSON.stringify(asked)},{"info":${JSON.stringify(info('assistant'))},"parts":[${part}]}]`,
    );
    expect(texts(file).slice(1)).toEqual([
      '{"role":"assistant","content":[{"type":"tool_use","id":"c\\u0031","name":"bash","input":{"a": 1.0}}]}',
      '{"role":"tool","tool_call_id":"c\\u0031","name":"bash","content":"\\u00e9"}',
    ]);
  });

  it.each([
    ['completed', done, [{ kind: 'tool_result', isError: false, callId: 'call_1', name: 'bash' }]],
    ['error', { status: 'error', input: {}, error: 'no' }, [{ kind: 'tool_result', isError: true, chars: 2 }]],
    ['running', { status: 'running', input: {} }, []],
    ['pending', { status: 'pending', input: {}, raw: '' }, []],
    ['without a state', {}, []],
  ])('reads a call that is %s', (_name, state, results) => {
    const file = importText(list(asked, answer([tool(state)])));
    const parts = file.transcripts[0]?.messages.slice(1).map(({ value }) => readMessage(value).parts) ?? [];
    expect(parts[0]).toMatchObject([{ kind: 'tool_call', callId: 'call_1', name: 'bash' }]);
    expect(parts.slice(1).flat()).toMatchObject(results);
    expect(parts).toHaveLength(1 + results.length);
  });

  it('pairs calls whose ids were scrubbed by the ids of their parts, or by nothing', () => {
    const scrubbed = (id: string): object => tool(done, { callID: 'REDACTED', id });
    const file = importText(list(asked, answer([scrubbed('prt_a'), scrubbed('prt_b'), scrubbed('REDACTED')])));
    const ids = file.transcripts[0]?.messages.flatMap(({ value }) =>
      readMessage(value).parts.map((part) => part.callId),
    );
    expect(ids?.slice(1)).toEqual(['prt_a', 'prt_b', null, 'prt_a', 'prt_b', null]);
  });

  it('keeps an export together whose ids were scrubbed in part, and exports on lines apart', () => {
    const scrubbed = { info: info('user', { sessionID: 'REDACTED' }), parts: [text('hi')] };
    const whole = { info: { id: 'ses_1', directory: '/w' }, messages: [scrubbed, answer([text('ho')]), scrubbed] };
    const file = importText(JSON.stringify(whole, null, 2));
    expect(file.transcripts.map(({ messages, meta }) => [messages.length, meta.sessionId, meta.cwd])).toEqual([
      [3, 'ses_1', '/w'],
    ]);
    const line = { info: { id: 'ses_REDACTED' }, messages: [scrubbed] };
    const lines = importText(jsonl(line, line));
    expect(lines.transcripts.map(({ messages, meta }) => [messages.length, meta.sessionId])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
  });

  it('ends where NUL bytes stand for a message, and says so once', () => {
    const file = importText(`[${JSON.stringify(asked)},\0\0\0\0]`);
    expect([texts(file).length, codes(file), addsUp(file)]).toEqual([1, ['import.broken_element'], true]);
  });

  it('makes an answer of each step, with its own tokens', () => {
    const step = (n: number): object[] => [
      { type: 'step-start' },
      tool(done, { callID: `c${n}` }),
      { type: 'step-finish', reason: 'tool-calls', tokens: { input: n } },
    ];
    const file = importText(list(asked, answer([...step(1), ...step(2)], { tokens: { input: 9 } })));
    const messages = file.transcripts[0]?.messages ?? [];
    expect(messages.map(({ value }) => readMessage(value).role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect([messages[1]?.meta.usage, messages[3]?.meta.usage]).toEqual([{ input: 1 }, { input: 2 }]);
  });

  it.each([
    ['an answer that failed', answer([], { error: { name: 'X', data: { message: 'overloaded' } } }), 'error'],
    ['a message without parts', { info: info('user'), parts: [] }, 'message.empty'],
    ['what is no message', { what: 1 }, 'unknown:untyped'],
    ['a part that is no object', { info: info('user'), parts: [7] }, 'unknown:part.untyped'],
  ])('keeps %s as an event', (_name, element, kind) => {
    const file = importText(list(asked, element));
    expect(file.transcripts[0]?.events[0]?.kind).toBe(kind);
    expect([file.counts.messages, addsUp(file)]).toEqual([1, true]);
  });

  it('takes a summary for a compaction, and its tail from the part that asked for it', () => {
    const request = { id: 'p', type: 'compaction', auto: false, tail_start_id: 'msg_assistant' };
    const file = importText(
      list(
        asked,
        answer([tool(done)]),
        { info: info('user', { id: 'm3' }), parts: [request] },
        answer([text('sum')], { id: 'm4', summary: true }),
      ),
    );
    expect(file.transcripts[0]?.compactions).toEqual([
      { at: 3, summaryIndex: 3, trigger: 'manual', preserved: [1, 2] },
    ]);
    expect(file.transcripts[0]?.messages[3]?.meta.compactSummary).toBe(true);
  });
});

describe('opencode streams', () => {
  const event = (type: string, properties: object): object => ({ type, properties });
  const message = event('message.updated', { info: info('assistant', { id: 'm' }) });
  const part = (extra: object): object =>
    event('message.part.updated', { part: { sessionID: 'ses_1', messageID: 'm', ...extra } });
  const delta = (value: string): object =>
    event('message.part.delta', { sessionID: 'ses_1', messageID: 'm', partID: 'prt_t', field: 'text', delta: value });

  it.each([
    ['bare', (each: object) => each],
    ['of a plugin', (each: object) => ['event', { event: each }]],
    ['global', (each: object) => ({ directory: '/w', payload: each })],
  ])('reads events %s: the last state of a part counts', (_name, wrap) => {
    const file = importText(jsonl(...[message, part(text('a')), delta('b'), part(text('abc'))].map(wrap)));
    expect(texts(file)).toEqual(['{"role":"assistant","content":[{"type":"text","text":"abc"}]}']);
    expect(file.ignored).toHaveLength(2);
    expect([codes(file), addsUp(file)]).toEqual([[], true]);
  });

  it('puts a part together whose last state did not come', () => {
    const file = importText(jsonl(message, part(text('a')), delta('"b'), delta('\u00e9')));
    expect(texts(file)).toEqual(['{"role":"assistant","content":[{"type":"text","text":"a\\"bé"}]}']);
    expect(file.transcripts[0]?.messages[0]?.origins.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  it('accounts for the pieces of a part it does not know', () => {
    const unknown = { id: 'prt_t', sessionID: 'ses_1', messageID: 'm', type: 'new', text: '' };
    const file = importText(
      jsonl(
        event('message.updated', { info: info('assistant', { id: 'm' }) }),
        event('message.part.updated', { part: unknown }),
        delta('a'),
        delta('b'),
      ),
    );
    expect(addsUp(file)).toBe(true);
    const pieces = file.transcripts[0]?.events.filter(({ kind }) => kind === 'message.part.delta');
    expect(pieces).toHaveLength(2);
  });

  it('takes nothing for the same that has a scrubbed id', () => {
    const scrubbed = { id: 'REDACTED', messageID: 'REDACTED' };
    const file = importText(jsonl(message, part(text('a', scrubbed)), part(text('b', scrubbed))));
    expect(texts(file)[0]).toContain('[{"type":"text","text":"a"},{"type":"text","text":"b"}]');
  });

  it('keeps parts and pieces of nothing as events', () => {
    const file = importText(jsonl(delta('x'), part(text('y')), message));
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual([
      'message.part.delta',
      'part.without_message',
      'message.empty',
    ]);
    expect(addsUp(file)).toBe(true);
  });
});

describe('opencode sessions that belong together', () => {
  it('names the session that a task started, and the one a session was started by', () => {
    const task = tool({ ...done, metadata: { sessionId: 'ses_9' } });
    const child = { info: { id: 'ses_9', parentID: 'ses_1' }, messages: [] };
    const file = importText(jsonl(asked, answer([task]), child));
    expect(
      file.transcripts.map(({ key, meta, spawns }) => [key, meta.parentSessionId, meta.parentCallId, spawns]),
    ).toEqual([
      ['ses_1', undefined, undefined, [{ callId: 'call_1', sessionId: 'ses_9' }]],
      ['ses_9', 'ses_1', 'call_1', []],
    ]);
  });

  it('reads outputs cleared later as a compaction at the first request after it', () => {
    const at = (created: number): object => ({ time: { created }, modelID: 'm' });
    const cleared = { ...done, time: { end: 1_700_000_001_000, compacted: 1_700_000_005_500 } };
    const file = importText(
      list(
        asked,
        answer([tool(cleared), tool(cleared, { id: 'prt_2', callID: 'call_2' })], at(1_700_000_000_000)),
        answer([text('before')], { id: 'msg_2', ...at(1_700_000_005_000) }),
        answer([text('after')], { id: 'msg_3', ...at(1_700_000_006_000) }),
      ),
    );
    expect(file.transcripts[0]?.compactions).toEqual([
      { kind: 'cleared', at: 5, clearedCallIds: ['call_1', 'call_2'] },
    ]);
    expect(addsUp(file)).toBe(true);
  });
});
