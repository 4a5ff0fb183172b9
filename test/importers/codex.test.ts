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
  expect(file.transcripts[0]?.compactions).toMatchObject([{ at: 3, preserved: [0] }]);
});

describe('a replacement is incomplete', () => {
  const person = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] };
  const developer = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] };
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'b' }] };

  it.each<[string, object, boolean]>([
    ['of people and clients alone', { message: '', replacement_history: [person, developer] }, true],
    ['without a message', { replacement_history: [person] }, true],
    ['with a summary', { message: 'So far: a.', replacement_history: [person] }, false],
    ['with an answer', { message: '', replacement_history: [person, answer] }, false],
    ['with an encrypted item', { message: '', replacement_history: [person, { type: 'compaction' }] }, false],
    ['that is empty', { message: '', replacement_history: [] }, false],
    ['of a summary alone', { message: 'So far: a.' }, false],
  ])('%s', (_name, payload, incomplete) => {
    const { file } = read(user('a'), said('b'), line('compacted', payload), user('c'));
    expect(file.transcripts[0]?.compactions.map((each) => each.incomplete === true)).toEqual([incomplete]);
  });
});

it.each([null, {}, 'x', 7])('a compaction whose replacement is %j has none', (history) => {
  const { file } = read(user('a'), line('compacted', { replacement_history: history }), user('b'));
  expect(file.transcripts[0]?.compactions).toEqual([{ kind: 'replacement', at: 1 }]);
});

it('an exit code is told beside the output, whose text stays', () => {
  const end = event('exec_command_end', { call_id: 'c', command: ['ls', '-l'], exit_code: 2 });
  const { file, messages } = read(call('c'), end, output('c', 'gone'));
  expect(messages[1]?.text).toBe('{"role":"tool","tool_call_id":"c","content":"gone"}');
  expect(file.transcripts[0]?.events.map(({ text }) => text)).toContain('exit code 2: ls -l');
});

describe('turns taken back', () => {
  const context = (text: string) => user(`<environment_context>${text}</environment_context>`);
  const back = (turns: number) => event('thread_rolled_back', { num_turns: turns });
  const words = (messages: readonly { readonly text: string }[]): string =>
    messages.map(({ text }) => /"text":"([^"]*)"/.exec(text)?.[1] ?? '').join(' ');

  it.each<[string, readonly object[], readonly string[]]>([
    ['the last turn', [user('a'), said('b'), user('c'), said('d'), back(1), user('e')], ['a b e', 'a b c d']],
    ['two turns', [user('a'), said('b'), user('c'), said('d'), user('e'), back(2), user('f')], ['a b f', 'a b c d e']],
    [
      'more turns than there are',
      [context('x'), user('a'), said('b'), back(9), user('c')],
      [`${'<environment_context>x</environment_context>'} c`, '<environment_context>x</environment_context> a b'],
    ],
    [
      'what the client added for the turn',
      [user('a'), said('b'), context('x'), user('c'), back(1)],
      ['a b', 'a b <environment_context>x</environment_context> c'],
    ],
    ['none', [user('a'), said('b'), back(0)], ['a b']],
    ['where nobody wrote', [context('x'), said('b'), back(1)], ['<environment_context>x</environment_context> b']],
  ])('%s', (_name, lines, expected) => {
    const { file } = read(...lines);
    expect(file.transcripts.map(({ messages }) => words(messages))).toEqual(expected);
    expect(file.problems.map(({ code }) => code)).toEqual(expected.length > 1 ? ['import.branches'] : []);
    expect(file.transcripts[1]?.meta.branchOf).toBe(expected.length > 1 ? 's' : undefined);
  });
});

describe('failures', () => {
  const ended = (id: string, exit: number) => event('exec_command_end', { call_id: id, exit_code: exit });
  const failed = (...lines: readonly object[]) =>
    read(...lines).messages.map(({ meta: { failedCallIds } }) => failedCallIds);

  it.each<[string, readonly object[], readonly (readonly string[] | undefined)[]]>([
    ['an event before the output', [ended('1', 2), output('1')], [['1']]],
    ['an event after the output', [output('1'), output('2'), ended('1', 2)], [['1'], undefined]],
    ['an exit code of nothing', [output('1'), ended('1', 0)], [undefined]],
    ['a patch', [event('patch_apply_end', { call_id: '1', success: false }), output('1')], [['1']]],
    ['another server', [event('mcp_tool_call_end', { call_id: '1', result: { Err: 'x' } }), output('1')], [['1']]],
    [
      'another server that says so inside',
      [event('mcp_tool_call_end', { call_id: '1', result: { Ok: { isError: true } } }), output('1')],
      [['1']],
    ],
    [
      'the head of the output',
      [output('1', 'Chunk ID: 7\nWall time: 1 s\nProcess exited with code 3\nOutput:\nx')],
      [['1']],
    ],
    [
      'a command that went well',
      [output('1', 'Chunk ID: 7\nProcess exited with code 0\nOutput:\nProcess exited with code 1')],
      [undefined],
    ],
    ['the first line', [output('1', 'Exit code: 1\nWall time: 0 s\nOutput:\nx')], [['1']]],
    ['old JSON', [output('1', '{"output":"x","metadata":{"exit_code":127}}')], [['1']]],
    ['broken JSON', [output('1', '{"output":"x","metadata":{"exit_code":1')], [undefined]],
  ])('are told by %s', (_name, lines, expected) => {
    expect(failed(user('go'), ...lines).slice(1)).toEqual(expected);
  });

  it('leave the text of the output as it is', () => {
    const { messages } = read(ended('1', 2), output('1', 'fine'));
    expect(messages[0]?.text).toBe('{"role":"tool","tool_call_id":"1","content":"fine"}');
  });
});

describe('the history after a compaction', () => {
  const kept = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] };
  const compactions = (payload: object) =>
    read(user('a'), said('b'), line('compacted', payload)).file.transcripts[0]?.compactions;

  it('is given as messages, those that were kept pointed out', () => {
    const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'sum' }] };
    expect(compactions({ message: '', replacement_history: [kept, answer, { type: 'ghost_snapshot' }] })).toEqual([
      {
        kind: 'replacement',
        at: 2,
        preserved: [0],
        replacement: [
          '{"role":"user","content":[{"type":"input_text","text":"a"}]}',
          '{"role":"assistant","content":[{"type":"output_text","text":"sum"}]}',
        ],
      },
    ]);
  });

  it('is opaque where it is encrypted, with its size', () => {
    const encrypted = { type: 'compaction', encrypted_content: 'gAAAAAB' };
    const [compaction] = compactions({ message: '', replacement_history: [kept, encrypted] }) ?? [];
    expect(compaction).toMatchObject({ kind: 'opaque', opaqueChars: 7, preserved: [0] });
    const parts = (compaction?.replacement ?? []).map((text) =>
      readMessage(JSON.parse(text)).parts.map(({ kind }) => kind),
    );
    expect(parts).toEqual([['text'], ['opaque']]);
  });

  it('is the summary in old releases, and not known where nothing is recorded', () => {
    expect(compactions({ message: 'sum' })).toEqual([
      { kind: 'replacement', at: 2, replacement: ['{"role":"user","content":"sum"}'] },
    ]);
    expect(compactions({ message: '' })).toEqual([{ kind: 'replacement', at: 2 }]);
  });
});

describe('agents in sessions of their own', () => {
  it('are named by the call that started them, in an event or in its output', () => {
    const spawn = (id: string) => item({ type: 'function_call', name: 'spawn_agent', arguments: '{}', call_id: id });
    const { file } = read(
      user('go'),
      spawn('c1'),
      event('collab_agent_spawn_end', { call_id: 'c1', new_thread_id: 'n1' }),
      output('c1', 'ok'),
      spawn('c2'),
      output('c2', '{"agent_id":"n2","nickname":"x"}'),
      call('c3'),
      output('c3', '{"agent_id":"n3"}'),
      event('collab_agent_spawn_end', { call_id: 'c4', new_thread_id: '[trimmed for fixture]' }),
    );
    expect(file.transcripts[0]?.spawns).toEqual([
      { callId: 'c1', sessionId: 'n1' },
      { callId: 'c2', sessionId: 'n2' },
    ]);
  });

  it.each([
    [
      { source: { subagent: { thread_spawn: { parent_thread_id: 'p', depth: 1 } } } },
      { parentSessionId: 'p', agentId: 's' },
    ],
    [
      { source: { subagent: 'review' }, parent_thread_id: 'p' },
      { parentSessionId: 'p', agentId: 's' },
    ],
    [{ source: 'cli', forked_from_id: 'o' }, { continuesSessionId: 'o' }],
    [{ source: 'cli', forked_from_id: 'REDACTED' }, {}],
  ])('say where they come from: %j', (more, expected) => {
    const file = importText(jsonl(meta('s', more), user('go')));
    const { parentSessionId, continuesSessionId, agentId } = file.transcripts[0]?.meta ?? {};
    expect(JSON.parse(JSON.stringify({ parentSessionId, continuesSessionId, agentId }))).toEqual(expected);
  });
});

describe('the context window', () => {
  const windowed = (window: unknown) => event('task_started', { model_context_window: window });
  const counted = (window: unknown) =>
    event('token_count', { info: { model_context_window: window, last_token_usage: { input_tokens: 7 } } });
  it.each<[string, readonly object[], number | undefined]>([
    ['is the one that the runtime states', [windowed(258_400), user('a'), said('b')], 258_400],
    ['is stated with a count, too', [user('a'), said('b'), counted(121_600)], 121_600],
    ['is the last of several', [windowed(258_400), user('a'), said('b'), windowed(400_000), user('c')], 400_000],
    [
      'is not 0, null or a text',
      [windowed(258_400), user('a'), said('b'), counted(0), windowed(null), windowed('9')],
      258_400,
    ],
    ['is not made up', [user('a'), said('b')], undefined],
  ])('%s', (_, lines, window) => {
    expect(read(...lines).file.transcripts[0]?.meta.contextWindow).toBe(window);
  });
});
