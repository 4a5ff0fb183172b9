import { describe, expect, it, test } from 'vitest';
import { type ImportedFile, importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, codes, importFile, jsonl, texts } from './support.ts';

const TIME = '2026-03-04T05:06:07Z';
let ids = 0;
const event = (type: string, more: object = {}): object => ({ id: `sevt_${ids++}`, processed_at: TIME, type, ...more });
const text = (said: string) => [{ type: 'text', text: said }];
const user = (said: string, more: object = {}) => event('user.message', { content: text(said), ...more });
const agent = (said: string, more: object = {}) => event('agent.message', { content: text(said), ...more });
const send = (...events: object[]) => ['client.beta.sessions.events.send', ['sesn_1', { events }]];
const stream = (value: object) => ['client.beta.sessions.events.stream', value];
const read = (...lines: unknown[]): ImportedFile => importText(jsonl(...lines));
const roles = (file: ImportedFile, at = 0) =>
  (file.transcripts[at]?.messages ?? [])
    .map(({ value }) => readMessage(value))
    .map(({ role, parts }) => `${role}: ${parts.map(({ kind }) => kind).join(' ')}`);

describe('the same conversation is read', () => {
  const said = [user('hi'), agent('ho')];
  const cases: readonly [name: string, input: string][] = [
    ['from events in lines', jsonl(...said)],
    ['from events under raw', jsonl(...said.map((raw) => ({ role: 'x', kind: 'message', time: TIME, raw })))],
    ['from recorded calls', jsonl(...said.map(stream))],
    ['from a list', JSON.stringify(said)],
    ['from a page', JSON.stringify({ data: said, next_page: null })],
    ['from a page on a line', jsonl({ data: said }, { data: [] })],
    ['from a stream', said.map((one) => `event: x\ndata: ${JSON.stringify(one)}\n\n`).join('')],
  ];

  test.each(cases)('%s', (_name, input) => {
    const file = importText(input);
    expect(file.format).toBe('claude-managed-agents');
    expect(roles(file)).toEqual(['user: text', 'assistant: text']);
    expect(file.transcripts[0]?.messages[0]?.meta.timestamp).toBe(TIME);
    expect(addsUp(file)).toBe(true);
  });
});

describe('an answer', () => {
  const use = event('agent.tool_use', { id: 'sevt_use', name: 'bash', input: { command: 'ls' } });
  const ended = event('span.model_request_end', { model_usage: { input_tokens: 3, output_tokens: 2 } });

  it('ends with its request, and has its usage', () => {
    const file = read(user('a'), agent('b'), use, ended, agent('c'));
    expect(roles(file)).toEqual(['user: text', 'assistant: text tool_call', 'assistant: text']);
    expect(file.transcripts[0]?.messages.map(({ meta }) => meta.usage)).toEqual([
      undefined,
      { input: 3, output: 2 },
      undefined,
    ]);
    expect(file.transcripts[0]?.messages[1]?.origins.length).toBe(2);
  });

  it('of which no more is known than that it thought, has an opaque block', () => {
    expect(roles(read(event('agent.thinking'), agent('b')))).toEqual(['assistant: opaque text']);
    expect(roles(read(event('agent.thinking', { content: [{ type: 'thinking', thinking: 'hm' }] })))).toEqual([
      'assistant: thinking',
    ]);
  });

  const results: readonly [type: string, key: string][] = [
    ['agent.tool_result', 'tool_use_id'],
    ['agent.mcp_tool_result', 'mcp_tool_use_id'],
    ['user.custom_tool_result', 'custom_tool_use_id'],
    ['user.tool_result', 'tool_use_id'],
  ];

  test.each(results)('is followed by its %s', (type, key) => {
    const file = read(user('a'), use, event(type, { [key]: 'sevt_use', content: text('no'), is_error: true }));
    const [result] = readMessage(file.transcripts[0]?.messages[2]?.value).parts;
    expect(result).toMatchObject({ kind: 'tool_result', callId: 'sevt_use', isError: true });
  });
});

describe('what a user sent', () => {
  const hello = { type: 'user.message', content: [{ type: 'text', text: 'hello' }] };
  const told = user('hello', { content: [{ text: 'hello', type: 'text' }] });
  const cases: readonly [name: string, lines: readonly unknown[], messages: readonly string[]][] = [
    [
      'and the session told back, is one message',
      [send(hello), stream(told), stream(agent('ho'))],
      ['user: text', 'assistant: text'],
    ],
    [
      'and the session never told back, counts as sent',
      [send(hello), stream(agent('ho'))],
      ['user: text', 'assistant: text'],
    ],
    [
      'waits, and comes when it is processed',
      [send(hello), stream({ ...told, processed_at: null }), stream(told), stream(agent('ho'))],
      ['user: text', 'assistant: text'],
    ],
    ['last, stands last', [stream(agent('ho')), send(hello)], ['assistant: text', 'user: text']],
    [
      'twice, is two messages',
      [send(hello), send(hello), stream(told), stream(agent('ho'))],
      ['user: text', 'user: text', 'assistant: text'],
    ],
  ];

  test.each(cases)('%s', (_name, lines, messages) => {
    const file = read(...lines);
    expect(roles(file)).toEqual(messages);
    expect(addsUp(file)).toBe(true);
  });
});

describe('a session', () => {
  const session = (id: string, title: string | null) => [
    'client.beta.sessions.create',
    { type: 'session', id, title, agent: { model: 'm1', system: 'Be brief.', tools: [{ type: 't' }] } },
  ];

  it('names its model, system prompt and tools', () => {
    const [transcript] = read(session('s1', null), stream(user('hi')), stream(agent('ho'))).transcripts;
    expect(transcript?.key).toBe('session s1');
    expect(transcript?.meta).toMatchObject({
      sessionId: 's1',
      title: 'hi',
      systemJson: '"Be brief."',
      toolsJson: '[{"type":"t"}]',
    });
    expect(transcript?.messages[1]?.meta.model).toBe('m1');
  });

  it('follows another in one recording', () => {
    const file = read(session('s1', 'One'), stream(user('a')), session('s2', 'Two'), stream(user('b')));
    expect(file.transcripts.map(({ meta }) => meta.title)).toEqual(['One', 'Two']);
    expect([texts(file, 0).length, texts(file, 1).length]).toEqual([1, 1]);
  });

  it('starts threads, which are transcripts', () => {
    const thread = { session_thread_id: 'sthr_2' };
    const file = read(
      user('a'),
      event('session.thread_created', { ...thread, agent_name: 'Scout' }),
      agent('inside', thread),
      event('agent.thread_message_received', { content: text('found'), from_session_thread_id: 'sthr_2' }),
      agent('outside'),
    );
    expect(file.transcripts.map(({ key, meta }) => [key, meta.parentKey, meta.title])).toEqual([
      ['main', undefined, 'a'],
      ['main sthr_2', 'main', 'Scout'],
    ]);
    expect([roles(file, 0), roles(file, 1)]).toEqual([
      ['user: text', 'user: text', 'assistant: text'],
      ['assistant: text'],
    ]);
    expect(file.transcripts[0]?.messages[1]?.meta.injected).toBe(true);
  });

  it('tells an event once, and what is none as such', () => {
    const one = agent('a');
    const file = read(one, one, { note: 1 }, stream(one));
    expect(roles(file)).toEqual(['assistant: text']);
    expect(file.ignored.length).toBe(1);
    expect(codes(file)).toEqual(['import.unknown_record']);
    expect(addsUp(file)).toBe(true);
  });
});

it.skipIf(!sharedDir())('every line of the corpus counts (skipped where there is no shared material)', () => {
  const [path = ''] = corpusFiles('claude-managed-agents');
  const file = importFile(path);
  expect(file.counts.records).toBe(27);
  expect(roles(file)).toEqual([
    'user: text',
    'assistant: text tool_call',
    'user: tool_result',
    'assistant: opaque text tool_call',
    'user: tool_result',
    'assistant: text',
  ]);
  const parts = file.transcripts.flatMap(({ messages }) => messages.flatMap(({ value }) => readMessage(value).parts));
  expect(parts.filter(({ isError }) => isError).length).toBe(1);
});
