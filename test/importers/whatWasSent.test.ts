// Words that a model was given or that it said, recorded in places of their own: they are messages, not events.
import { describe, expect, test } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { hasFailed } from '../../core/model/failure.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const failures = (file: ReturnType<typeof importText>): number =>
  file.transcripts
    .flatMap(({ messages }) => messages)
    .flatMap(({ text, meta }) => readMessage(JSON.parse(text)).parts.filter((part) => hasFailed(part, meta))).length;

describe('a Managed Agents session that was given an outcome', () => {
  const at = (second: number) => `2026-05-01T10:00:0${second}.000Z`;
  const outcome = {
    id: 'sevt_1',
    type: 'user.define_outcome',
    processed_at: at(1),
    outcome_id: 'outc_1',
    max_iterations: 3,
    description: 'Audit the paper.',
    rubric: { type: 'text', content: '# Rubric\n- cites each table' },
  };
  const answer = {
    id: 'sevt_2',
    type: 'agent.message',
    processed_at: at(2),
    content: [{ type: 'text', text: 'Done.' }],
  };
  const grade = (result: string) => ({
    id: `sevt_${result}`,
    type: 'span.outcome_evaluation_end',
    processed_at: at(3),
    outcome_id: 'outc_1',
    result,
    explanation: 'Table 2 is not cited.',
  });

  test('begins with the task, which is its title', () => {
    const file = importText(jsonl(outcome, answer));
    expect(file.format).toBe('claude-managed-agents');
    expect(texts(file)).toEqual([
      '{"role":"user","content":[{"type":"text","text":"Audit the paper."},{"type":"text","text":"# Rubric\\n- cites each table"}]}',
      '{"role":"assistant","content":[{"type":"text","text":"Done."}]}',
    ]);
    expect(file.transcripts[0]?.meta.title).toBe('Audit the paper.');
    expect(addsUp(file)).toBe(true);
  });

  test.each([
    ['a rubric in a file', { type: 'file', file_id: 'file_1' }, 1],
    ['a rubric that is a text', 'cites each table', 2],
    ['no rubric', undefined, 1],
  ])('%s', (_name, rubric, blocks) => {
    const [task] = importText(jsonl({ ...outcome, rubric }, answer)).transcripts[0]?.messages ?? [];
    expect(readMessage(JSON.parse(task?.text ?? '{}')).parts).toHaveLength(blocks);
  });

  test('what the grader hands back is a message of the client', () => {
    const again = { ...answer, id: 'sevt_4', processed_at: at(4) };
    const file = importText(jsonl(outcome, answer, grade('needs_revision'), again, grade('satisfied')));
    expect(file.transcripts[0]?.messages.map(({ meta }) => meta.injected === true)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(texts(file)[2]).toContain('Table 2 is not cited.');
  });

  test('sent by the SDK and told back by the session, it is one message', () => {
    const { id: _id, processed_at: _at, ...sent } = outcome;
    const file = importText(jsonl(['client.beta.sessions.events.send', { events: [sent] }], outcome, answer));
    expect(texts(file)).toHaveLength(2);
  });
});

describe('codex: an output without an exit code', () => {
  const call = (id: string) => ({
    timestamp: '2026-01-01T00:00:00Z',
    type: 'response_item',
    payload: { type: 'custom_tool_call', call_id: id, name: 'apply_patch', input: '*** Begin Patch' },
  });
  const output = (id: string, said: unknown) => ({
    timestamp: '2026-01-01T00:00:01Z',
    type: 'response_item',
    payload: { type: 'custom_tool_call_output', call_id: id, output: said },
  });
  const read = (said: unknown) => importText(jsonl(call('c'), output('c', said)));

  test.each([
    ['apply_patch verification failed: Failed to find expected lines in a.ts:\n  x'],
    ['{"output":"apply_patch verification failed: no","metadata":{}}'],
    ['exec_command failed for `ls`: CreateProcess { message: "no" }'],
    ['write_stdin failed: unknown process id'],
    ['execution error: Io(Os { code: 2 })'],
    ['tool call error: tool call failed'],
    ['failed to parse function arguments: missing field `cmd`'],
    ['unsupported call: read'],
    ['patch rejected: empty patch'],
    ['aborted by user after 3.2s'],
    [[{ type: 'input_text', text: 'apply_patch verification failed: no' }]],
  ])('has failed: %s', (said) => {
    expect(failures(read(said))).toBe(1);
  });

  test.each([
    ['Success. Updated the following files:\nM a.ts'],
    ['Exit code: 0\nWall time: 1 seconds\nOutput:\napply_patch verification failed: in a log'],
    ['{"output":"apply_patch verification failed: in a log","metadata":{"exit_code":0}}'],
    ['The tests say: it failed: no'],
  ])('has not: %s', (said) => {
    expect(failures(read(said))).toBe(0);
  });
});

describe('gemini', () => {
  const call = { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'read', args: {} } }] };
  const result = { functionResponse: { id: 'c1', name: 'read', response: { output: 'x' } } };
  const ask = { role: 'user', parts: [{ text: 'Read.' }] };

  test.each([
    ['a list of parts', [result]],
    ['a part alone', result],
    ['a text', 'and now?'],
  ])('the pending request of an error report is the last message: %s', (_name, pending) => {
    const file = importText(JSON.stringify({ error: { message: 'x' }, context: [ask, call, pending] }));
    expect(file.format).toBe('gemini-contents');
    expect(texts(file)).toHaveLength(3);
    expect(codes(file)).toEqual([]);
    const { parts } = readMessage(JSON.parse(texts(file)[2] ?? ''));
    expect(parts.map(({ kind, callId }) => [kind, callId ?? null])).toEqual(
      pending === 'and now?' ? [['text', null]] : [['tool_result', 'c1']],
    );
  });

  test('an entry of a Gemini CLI session may hold parts', () => {
    const messages = [
      { id: 'm1', type: 'user', content: 'Hello?' },
      { id: 'm2', type: 'model', parts: [{ text: 'Hello.' }] },
      { id: 'm3', type: 'user', parts: [{ text: 'More.' }] },
      { id: 'm4', type: 'model' },
    ];
    const file = importText(JSON.stringify({ sessionId: 's', projectHash: 'p', messages }));
    expect(texts(file)).toEqual([
      '{"role":"user","parts":[{"text":"Hello?"}]}',
      '{"role":"model","parts":[{"text":"Hello."}]}',
      '{"role":"user","parts":[{"text":"More."}]}',
    ]);
    expect(codes(file)).toEqual(['import.message_without_content']);
    expect(addsUp(file)).toBe(true);
  });
});

test('otel: the kind of a span may be a field of it, and says what is a tool, an agent, and a model', () => {
  const span = (id: string, parent: string | null, kind: string, attributes: object, second: number) => ({
    name: `${kind} ${id}`,
    context: { trace_id: 't', span_id: id },
    span_kind: kind,
    parent_id: parent,
    start_time: `2026-01-01T00:00:0${second}Z`,
    end_time: `2026-01-01T00:00:0${second + 1}Z`,
    status_code: 'OK',
    attributes,
  });
  const llm = (asked: string, said: object) => ({
    'llm.input_messages': [{ message: { role: 'user', content: asked } }],
    'llm.output_messages': [{ message: { role: 'assistant', ...said } }],
  });
  const calls = [{ tool_call: { id: 'c1', function: { name: 'delegate', arguments: '{"task":"t"}' } } }];
  const spans = [
    span('a', null, 'AGENT', {}, 0),
    span('b', 'a', 'LLM', llm('Go.', { tool_calls: calls }), 1),
    span('c', 'a', 'TOOL', { 'tool.name': 'delegate', 'tool_call.id': 'c1', 'output.value': 'done' }, 3),
    span('d', 'c', 'AGENT', {}, 4),
    span('e', 'd', 'LLM', llm('Do t.', { content: 'It is done.' }), 5),
  ];
  const file = importText(jsonl(...spans));
  expect(file.format).toBe('otel');
  const [main, agent] = file.transcripts;
  expect(main?.messages.map(({ text }) => readMessage(JSON.parse(text)).role)).toEqual(['user', 'assistant', 'tool']);
  expect(agent?.meta).toMatchObject({ parentKey: main?.key, parentCallId: 'c1' });
  expect(main?.events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['agent']));
});

test('opencode: a call whose id was scrubbed names the session it started by the id of its part', () => {
  const part = (id: string, callID: string) => ({
    id,
    type: 'tool',
    tool: 'task',
    callID,
    state: { status: 'completed', input: {}, output: 'ok', metadata: { sessionId: `ses_${id}` } },
  });
  const message = {
    info: { id: 'm', sessionID: 'ses_1', role: 'assistant' },
    parts: [part('p1', 'c1'), part('p2', 'REDACTED')],
  };
  const [transcript] = importText(JSON.stringify([message])).transcripts;
  expect(transcript?.spawns).toEqual([
    { callId: 'c1', sessionId: 'ses_p1' },
    { callId: 'p2', sessionId: 'ses_p2' },
  ]);
  const calls = transcript?.messages.flatMap(({ text }) => readMessage(JSON.parse(text)).parts) ?? [];
  expect(new Set(calls.map(({ callId }) => callId))).toEqual(new Set(['c1', 'p2']));
});

describe('a call that the provider ran itself and that failed', () => {
  test('ai-sdk: is an error', () => {
    const part = (state: string, said: object) => ({
      type: 'tool-web_search',
      toolCallId: 'c',
      state,
      input: { query: 'q' },
      providerExecuted: true,
      ...said,
    });
    const message = (state: string, said: object) =>
      importText(JSON.stringify([{ id: 'm', role: 'assistant', parts: [part(state, said)] }]));
    expect(failures(message('output-error', { errorText: 'no' }))).toBe(1);
    expect(failures(message('output-available', { output: 'yes' }))).toBe(0);
  });

  test.each([
    ['a flag', { type: 'mcp_tool_result', tool_use_id: 'c', is_error: true, content: [] }, true],
    [
      'an error in place of the results',
      {
        type: 'web_search_tool_result',
        tool_use_id: 'c',
        content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
      },
      true,
    ],
    ['results', { type: 'web_search_tool_result', tool_use_id: 'c', content: [] }, false],
  ])('Anthropic: %s', (_name, block, failed) => {
    const [part] = readMessage({ role: 'assistant', content: [block] }).parts;
    expect(part && hasFailed(part, {})).toBe(failed);
  });
});
