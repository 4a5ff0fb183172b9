// What is special about Codex rollouts: answers in several items, counts before or after them, echoes, sessions in one
// file.
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, jsonl, texts } from './support.ts';

const line = (type: string, payload: object) => ({ timestamp: '2026-07-01T10:00:00.000Z', type, payload });
const meta = (id: string, more: object = {}) => line('session_meta', { id, cli_version: '0.142.4', ...more });
const item = (payload: object) => line('response_item', payload);
const user = (text: string) => item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
const said = (text: string) => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const call = (id: string) => item({ type: 'function_call', id: `fc_${id}`, name: 'sh', arguments: '{}', call_id: id });
const output = (id: string, text = 'ok') => item({ type: 'function_call_output', call_id: id, output: text });
const event = (type: string, more: object = {}) => line('event_msg', { type, ...more });
const turn = (model: string) => line('turn_context', { model });

let total = 0;
function count(input: number): object {
  total += input;
  const info = { total_token_usage: { input_tokens: total }, last_token_usage: { input_tokens: input } };
  return event('token_count', { info });
}

function read(...lines: readonly object[]) {
  const file = importText(jsonl(meta('s'), ...lines));
  expect(file.format).toBe('codex');
  expect(addsUp(file)).toBe(true);
  const messages = file.transcripts[0]?.messages ?? [];
  const events = (file.transcripts[0]?.events ?? []).map(({ kind }) => kind);
  return { file, messages, events, roles: messages.map(({ text }) => readMessage(JSON.parse(text)).role) };
}

describe('answers', () => {
  it.each<[string, readonly object[], readonly string[]]>([
    ['items in a row are one answer', [user('a'), said('b'), call('1'), call('2')], ['user', 'assistant']],
    ['an output ends it', [call('1'), output('1'), said('b')], ['assistant', 'tool', 'assistant']],
    ['a token count ends it', [said('a'), count(1), said('b')], ['assistant', 'assistant']],
    ['a turn context ends it', [said('a'), turn('m'), said('b')], ['assistant', 'assistant']],
    ['events do not', [said('a'), event('web_search_end'), call('1')], ['assistant']],
  ])('%s', (_name, lines, roles) => {
    expect(read(...lines).roles).toEqual(roles);
  });

  it('are made of the own texts of their items', () => {
    const spaced = '{"type":"function_call",  "name":"sh","arguments":"{\\u0022a\\u0022: 1}", "call_id":"c1"}';
    const raw = `${jsonl(meta('s'), said('x'))}{"timestamp":"2026","type":"response_item","payload":${spaced}}\n`;
    expect(texts(importText(raw))).toEqual([
      `{"role":"assistant","content":[{"type":"output_text","text":"x"},${spaced}]}`,
    ]);
  });

  it('pair calls with outputs by call_id', () => {
    const { messages } = read(call('c1'), output('c1'));
    const [made, answered] = messages.map(({ text }) => readMessage(JSON.parse(text)).parts[0]);
    expect(made).toMatchObject({ kind: 'tool_call', callId: 'c1', name: 'sh' });
    expect(answered).toMatchObject({ kind: 'tool_result', callId: 'c1' });
  });
});

describe('reasoning', () => {
  it.each<[string, object, object]>([
    ['encrypted', { encrypted_content: 'gAAAAA', summary: [] }, { kind: 'opaque', signed: true }],
    ['scrubbed', { encrypted_content: 'REDACTED', summary: [] }, { kind: 'opaque', signed: false }],
    ['without content', { encrypted_content: null, summary: [] }, { kind: 'opaque', signed: false }],
    [
      'with a summary',
      { encrypted_content: 'gAAAAA', summary: [{ type: 'summary_text', text: 'so' }] },
      { kind: 'thinking', signed: true, chars: 2 },
    ],
  ])('%s', (_name, fields, part) => {
    const { messages } = read(item({ type: 'reasoning', ...fields }));
    expect(readMessage(JSON.parse(messages[0]?.text ?? '')).parts).toMatchObject([part]);
  });
});

describe('token counts', () => {
  const inputs = (lines: readonly object[]) =>
    read(...lines).messages.flatMap(({ text, meta: { usage } }) => (text.includes('"tool"') ? [] : [usage?.input]));

  it('belong to the answer before them, with outputs between', () => {
    expect(inputs([call('1'), output('1'), count(10), said('b'), count(20)])).toEqual([10, 20]);
  });

  it('belong to the answer after them in older releases', () => {
    const first = [turn('m'), count(10), call('1'), output('1')];
    expect(inputs([...first, turn('m'), count(20), said('b')])).toEqual([10, 20]);
  });

  it('belong to nobody after a compaction', () => {
    const before = [said('a'), count(10), line('compacted', { message: '', replacement_history: [] })];
    expect(inputs([...before, turn('m'), count(5), said('b'), count(20)])).toEqual([10, 20]);
    expect(inputs([...before, turn('m'), count(5), said('b')])).toEqual([10, undefined]);
  });

  it('are said twice and read once', () => {
    const twice = count(10);
    expect(inputs([said('a'), twice, twice, said('b'), count(20)])).toEqual([10, 20]);
  });
});

describe('echoes', () => {
  it('are passed over before and after their item, and kept without one', () => {
    const { file, events } = read(
      user('a'),
      event('user_message', { message: 'a' }),
      event('agent_message', { message: 'b\n' }),
      said('b'),
      event('agent_message', { message: 'never an item' }),
    );
    expect(file.ignored.length).toBe(2);
    expect(events).toEqual(['session_meta', 'agent_message']);
  });
});

describe('sessions', () => {
  it('a resumed one and a fork are one transcript each, another id is another', () => {
    const resumed = importText(jsonl(meta('s'), user('a'), meta('s'), user('b')));
    expect(resumed.transcripts.map(({ messages }) => messages.length)).toEqual([2]);
    const forked = importText(jsonl(meta('s', { forked_from_id: 'r' }), meta('r'), meta('q'), user('a'), meta('r')));
    expect(forked.transcripts.map(({ messages }) => messages.length)).toEqual([1]);
    const two = importText(jsonl(meta('s'), user('a'), said('b'), meta('t'), user('c'), meta('s'), user('d')));
    expect(two.transcripts.map(({ meta: { sessionId }, messages }) => [sessionId, messages.length])).toEqual([
      ['s', 3],
      ['t', 1],
    ]);
    for (const file of [resumed, forked, two]) expect(addsUp(file)).toBe(true);
  });

  it('scrubbed ids are no ids', () => {
    const file = importText(jsonl(meta('s'), user('a'), meta('[trimmed]'), user('b'), meta('REDACTED'), user('c')));
    expect(file.transcripts.map(({ messages }) => messages.length)).toEqual([3]);
  });
});

describe('injected messages', () => {
  it.each<[string, object, true | undefined]>([
    ['a person', user('Hello <environment_context>'), undefined],
    ['AGENTS.md', user('# AGENTS.md instructions for /a\n\nx'), true],
    ['the environment', user('<environment_context>\n</environment_context>'), true],
    ['an aborted turn', user('<turn_aborted>\nx'), true],
    ['a developer', item({ type: 'message', role: 'developer', content: 'x' }), true],
  ])('%s', (_name, value, injected) => {
    expect(read(value).messages[0]?.meta.injected).toBe(injected);
  });

  it('a picture among wrappers is no wrapper', () => {
    const content = [
      { type: 'input_text', text: '<environment_context>' },
      { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
    ];
    expect(read(item({ type: 'message', role: 'user', content })).messages[0]?.meta.injected).toBeUndefined();
  });
});

it('a compaction preserves what its replacement repeats, in whatever order its keys are', () => {
  const kept = { role: 'user', content: [{ text: 'a', type: 'input_text' }], type: 'message' };
  const { file } = read(
    user('a'),
    said('b'),
    user('c'),
    line('compacted', { message: '', replacement_history: [kept, { type: 'compaction', encrypted_content: 'x' }] }),
    user('d'),
  );
  expect(file.transcripts[0]?.compactions).toEqual([{ at: 3, preserved: [0] }]);
});

it.each([null, {}, 'x', 7])('a compaction whose replacement is %j has none', (history) => {
  const { file } = read(user('a'), line('compacted', { replacement_history: history }), user('b'));
  expect(file.transcripts[0]?.compactions).toEqual([{ at: 1 }]);
});

it('an exit code is told beside the output, whose text stays', () => {
  const end = event('exec_command_end', { call_id: 'c', command: ['ls', '-l'], exit_code: 2 });
  const { file, messages } = read(call('c'), end, output('c', 'gone'));
  expect(messages[1]?.text).toBe('{"role":"tool","tool_call_id":"c","content":"gone"}');
  expect(file.transcripts[0]?.events.map(({ text }) => text)).toContain('exit code 2: ls -l');
});
