import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { seededRng } from '../../core/util/rng.ts';
import { arrayAt, isRecord } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, codes, importFile, jsonl, texts } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

let made = 0;
const time = (second: number): string => new Date(Date.UTC(2026, 2, 1, 0, 0, second)).toISOString();
function observation(second: number, fields: Fields): Fields {
  const id = `o${made++}`;
  const times = { startTime: time(second), endTime: time(second + 1) };
  return { id, traceId: 't', type: 'GENERATION', name: 'call', parentObservationId: 'root', ...times, ...fields };
}
const read = (...observations: readonly Fields[]) => importText(JSON.stringify({ trace: { id: 't' }, observations }));
const user = (content: unknown): Fields => ({ role: 'user', content });
const assistant = (content: unknown): Fields => ({ role: 'assistant', content });
const lc = (name: string, kwargs: Fields): Fields => ({ lc: 1, type: 'constructor', id: ['langchain', name], kwargs });

describe('langfuse: what a generation was given', () => {
  const hi = '{"role":"user","content":"hi"}';
  it.each<readonly [string, unknown, readonly string[]]>([
    ['messages', [user('hi')], [hi]],
    ['messages in a string', JSON.stringify([user('hi')]), [hi]],
    ['messages encoded twice', JSON.stringify(JSON.stringify([user('hi')])), [hi]],
    ['a body', { model: 'm', messages: [user('hi')] }, [hi]],
    ['one message', user('hi'), [hi]],
    ['a prompt', 'hi', [hi]],
    ['a prompt with a system prompt', { prompt: 'hi', system: 's' }, ['{"role":"system","content":"s"}', hi]],
    ['a batch of one prompt of LangChain objects', [[lc('HumanMessage', { content: 'hi' })]], [hi]],
    ['roles of LangChain', [{ role: 'human', content: 'hi' }], [hi]],
    [
      'typed parts',
      [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }],
      ['{"role":"user","content":[{"type":"text","text":"hi"}]}'],
    ],
    ['contents', { contents: [{ parts: [{ text: 'hi' }] }] }, ['{"role":"user","parts":[{"text":"hi"}]}']],
    ['one text as contents', { contents: 'hi' }, ['{"role":"user","parts":[{"text":"hi"}]}']],
    [
      'bodies of events',
      [{ content: 'hi', role: 'user', 'gen_ai.message.index': 0, 'event.name': 'gen_ai.user.message' }],
      [hi],
    ],
    [
      'messages of the AI SDK',
      [
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'text', value: 'r' } }],
        },
      ],
      ['{"role":"tool","tool_call_id":"c","name":"f","content":"r"}'],
    ],
    [
      'protected reasoning of .NET',
      [
        {
          role: 'assistant',
          parts: [{ type: 'Microsoft.Extensions.AI.TextReasoningContent', content: { text: '', protectedData: 'x' } }],
        },
      ],
      ['{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"x"}]}'],
    ],
    ['items', { input: [{ type: 'message', role: 'user', content: 'hi' }] }, [hi]],
    ['something unknown', { question: 'hi' }, ['{"role":"user","content":[{"question":"hi"}]}']],
    ['a text that only looks like JSON', '[hi', ['{"role":"user","content":"[hi"}']],
  ])('%s', (_name, input, expected) => {
    const file = read(observation(1, { input, output: 'yes' }));
    expect(file.format).toBe('langfuse');
    expect(texts(file)).toEqual([...expected, '{"role":"assistant","content":"yes"}']);
    expect(addsUp(file)).toBe(true);
  });
});

describe('langfuse: what it answered', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const called =
    '{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}';
  it.each<readonly [string, unknown, string]>([
    ['a message', { ...assistant(''), tool_calls: [call] }, called],
    ['with calls beside', { ...assistant(''), additional_kwargs: { tool_calls: [call] } }, called],
    ['choices', { choices: [{ message: { ...assistant(''), tool_calls: [call] } }] }, called],
    [
      'calls of the AI SDK',
      [{ toolCallId: 'c', toolName: 'f', input: '{}' }],
      '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c","toolName":"f","input":"{}"}]}',
    ],
    [
      'text and calls of the AI SDK',
      { text: 't', toolCalls: [] },
      '{"role":"assistant","content":[{"type":"text","text":"t"}]}',
    ],
    ['a content', { content: { role: 'model', parts: [{ text: 't' }] } }, '{"role":"model","parts":[{"text":"t"}]}'],
    [
      'a candidate',
      { candidates: [{ content: { role: 'model', parts: [{ text: 't' }] } }] },
      '{"role":"model","parts":[{"text":"t"}]}',
    ],
    [
      'a response',
      { object: 'response', output: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] },
      '{"role":"assistant","content":[{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}',
    ],
    ['generations', { generations: [[{ text: 't' }]] }, '{"role":"assistant","content":"t"}'],
    ['something unknown', { quality: 1 }, '{"role":"assistant","content":[{"quality":1}]}'],
  ])('%s', (_name, output, expected) => {
    expect(texts(read(observation(1, { input: [user('q')], output }))).slice(1)).toEqual([expected]);
  });
});

describe('langfuse: from generations to a conversation', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
  const asks = { role: 'assistant', content: null, tool_calls: [call] };

  it('takes one conversation for one transcript, in whatever order the file has it', () => {
    const first = observation(1, { input: [user('q')], output: asks });
    const then = observation(5, {
      input: [user('q'), asks, { role: 'tool', tool_call_id: 'c1', content: 'r' }],
      output: 'end',
    });
    const file = read(then, first);
    expect(file.transcripts).toHaveLength(1);
    expect(texts(file).map((text) => JSON.parse(text).role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  it('takes what was sent back in other words, and keeps what was said as an event', () => {
    const file = read(
      observation(1, { input: [user('q')], output: assistant('as said') }),
      observation(3, { input: [user('q'), assistant('as sent'), user('go on')], output: 'end' }),
    );
    expect(file.transcripts).toHaveLength(1);
    expect(texts(file)[1]).toBe('{"role":"assistant","content":"as sent"}');
    expect(file.transcripts[0]?.events.map(({ kind, json }) => [kind, json])).toEqual([
      ['answer', '{"role":"assistant","content":"as said"}'],
    ]);
    expect(codes(file)).toEqual(['import.answer_reworded']);
  });

  it('reads calls that stand as text, each sent back with its result', () => {
    const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
    const [first, second] = ['a', 'b'].map((id) => JSON.stringify([call(id)]));
    const result = (content: string): Fields => ({ role: 'tool', content });
    const file = read(
      observation(1, { input: [user('q')], output: [assistant(first), assistant(second)] }),
      observation(3, {
        input: [user('q'), result(first ?? ''), result('1'), result(second ?? ''), result('2')],
        output: 'end',
      }),
    );
    expect(file.transcripts).toHaveLength(1);
    const facts = texts(file).map((text) => readMessage(JSON.parse(text)));
    expect(facts.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
    expect(facts.flatMap(resultsOf).map(({ part }) => part.callId)).toEqual(['a', 'b']);
    expect(codes(file)).toEqual([]);
  });

  it('keeps two answers to one request apart', () => {
    const ask = { input: [user('q')] };
    const file = read(observation(1, { ...ask, output: 'one' }), observation(2, { ...ask, output: 'two' }));
    expect(file.transcripts).toHaveLength(2);
  });

  it.each([
    ['the id in its metadata', { metadata: { attributes: { 'gen_ai.tool.call.id': 'c1' } } }, 'c1'],
    ['name and arguments', { input: '{"a": 1}' }, 'c1'],
    ['a name there is one call of', { input: '{"a": 2}' }, 'c1'],
  ])('adds the result of a tool that no request holds: paired by %s', (_name, more, id) => {
    const tool = observation(3, { type: 'TOOL', name: 'f', output: 'r', ...more });
    const file = read(observation(1, { input: [user('q')], output: asks }), tool);
    expect(texts(file).at(-1)).toBe(`{"role":"tool","tool_call_id":"${id}","name":"f","content":"r"}`);
  });

  it('says why a tool failed', () => {
    const tool = { type: 'TOOL', name: 'f', level: 'ERROR', statusMessage: 'no disk' };
    const file = read(observation(1, { input: [user('q')], output: asks }), observation(3, tool));
    const [result] = resultsOf(readMessage(JSON.parse(texts(file).at(-1) ?? '')));
    expect(result?.part).toMatchObject({ callId: 'c1', isError: true, chars: 7 });
  });

  it('leaves a tool that nobody called an event', () => {
    const file = read(
      observation(1, { input: [user('q')], output: 'a' }),
      observation(3, { type: 'TOOL', name: 'g', output: 'r' }),
    );
    expect(texts(file)).toHaveLength(2);
    expect(file.transcripts[0]?.events.map(({ kind, at }) => [kind, at])).toEqual([['tool', 2]]);
  });

  it('makes what is called inside a tool a transcript of its own', () => {
    const tool = observation(2, { type: 'TOOL', name: 'f', id: 'tool', input: '{"a":1}', output: 'r' });
    const inner = observation(3, { parentObservationId: 'tool', input: [user('inner')], output: 'r' });
    const file = read(observation(1, { input: [user('q')], output: asks }), tool, inner);
    expect(file.transcripts.map(({ meta }) => [meta.parentKey, meta.parentCallId])).toEqual([
      [undefined, undefined],
      ['0', 'c1'],
    ]);
  });

  it('passes over a record around the call itself', () => {
    const outer = observation(1, { id: 'outer', input: { prompt: 'q' }, output: 'a' });
    const file = read(outer, observation(2, { parentObservationId: 'outer', input: [user('q')], output: 'a' }));
    expect(file.transcripts.map(({ messages, events }) => [messages.length, events.length])).toEqual([[2, 1]]);
  });

  it('reads usage under each of its names', () => {
    const usages = [
      [{ usageDetails: { input: 3, output: 2, input_cached_tokens: 1 } }, { input: 3, output: 2, cacheRead: 1 }],
      [{ usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 } }, { input: 3, output: 2, total: 5 }],
      [{ output: '5' }, undefined],
    ] as const;
    for (const [fields, usage] of usages) {
      const file = read(observation(1, { input: [user('q')], output: 'a', ...fields }));
      expect(file.transcripts[0]?.messages[1]?.meta.usage).toEqual(usage);
    }
  });

  it('reads a failed call: the question and the error', () => {
    const file = read(observation(1, { input: [user('q')], level: 'ERROR', statusMessage: 'overloaded' }));
    expect(texts(file)).toHaveLength(1);
    expect(file.transcripts[0]?.events.map(({ kind, text, at }) => [kind, text, at])).toEqual([
      ['error', 'overloaded', 1],
    ]);
  });

  it('takes the fuller of two records of an observation', () => {
    const whole = observation(1, { id: 'x', input: [user('q')], output: 'a' });
    const file = importText(
      JSON.stringify({
        trace: { id: 't', observations: [{ ...whole, input: null, output: null }] },
        observations: [whole],
      }),
    );
    expect(texts(file)).toHaveLength(2);
    expect(file.ignored).toHaveLength(1);
    expect(addsUp(file)).toBe(true);
  });

  it('reads a trace a line', () => {
    const line = (id: string) => ({
      id,
      name: 'n',
      sessionId: `session of ${id}`,
      observations: [{ ...observation(1, { input: [user(id)], output: 'a' }), traceId: id }],
    });
    const file = importText(jsonl(line('t1'), line('t2'), { other: 1 }));
    expect(file.transcripts.map(({ meta }) => [meta.sessionId, meta.title])).toEqual([
      ['session of t1', 't1'],
      ['session of t2', 't2'],
    ]);
    expect(codes(file)).toEqual(['import.unknown_record']);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps a trace without a call as events', () => {
    const file = importText(jsonl(observation(1, { type: 'SPAN' }), observation(2, { type: 'NEW' })));
    expect(file.transcripts.map(({ messages, events }) => [messages.length, events.map(({ kind }) => kind)])).toEqual([
      [0, ['span', 'unknown:NEW']],
    ]);
    expect(codes(file)).toEqual(['import.unknown_record', 'import.no_messages']);
  });
});

// Agents that talk at the same time, each call with its whole history, the file in any order: what was said comes back.
describe('langfuse: random conversations (replay by the seed)', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => seed))('seed %i', (seed) => {
    const rng = seededRng(seed);
    const agents = Array.from({ length: 1 + rng.below(4) }, (_, agent): Fields[] => [user(`task ${agent}`)]);
    const calls: Fields[] = [];
    for (let second = 0; second < 2 + rng.below(12); second++) {
      const agent = second < agents.length ? second : rng.below(agents.length);
      const history = agents[agent] ?? [];
      if (second >= agents.length) history.push(user(`and ${second}`));
      const output = assistant(rng.chance() ? `said ${second}` : [{ type: 'text', text: `said ${second}` }]);
      const input = rng.chance() ? JSON.stringify(history) : [...history];
      calls.push(observation(second * 2, { input, output: rng.chance() ? JSON.stringify(output) : output }));
      history.push(output);
    }
    const file = read(...rng.shuffle(calls));
    const spoken = agents.filter((history) => history.length > 1);
    const told = file.transcripts.map((transcript) => transcript.messages.map(({ value }) => value));
    expect(told).toEqual(spoken);
    expect(addsUp(file)).toBe(true);
  });
});

const files = corpusFiles('langfuse').map((path) => [basename(path), path] as const);

// Transcripts, messages, calls and results, counted by hand from the payloads.
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  autogen: [1, 2, 0, 0],
  beeai: [1, 4, 0, 0],
  'claude-agent': [1, 7, 2, 2],
  'google-adk': [1, 4, 1, 1],
  'langgraph-js': [1, 4, 1, 1],
  'langgraph-python': [1, 5, 1, 1],
  'openai-agents': [1, 4, 1, 1],
  'pydantic-ai-tools': [2, 12, 4, 3],
  'vercel-aisdk': [1, 3, 1, 1],
};

describe.skipIf(files.length === 0)('real traces (skipped where there is no shared material)', () => {
  it.each(files)('%s', (name, path) => {
    const file = importFile(path);
    const facts = file.transcripts.flatMap(({ messages }) => messages.map(({ value }) => readMessage(value)));
    const [calls, results] = [facts.flatMap(callsOf), facts.flatMap(resultsOf)];
    const counts = [file.transcripts.length, facts.length, calls.length, results.length];
    expect(counts).toEqual(COUNTS[/^lf-(.+)-\d{4}-/.exec(name)?.[1] ?? '']);
    for (const { part } of results) {
      expect(calls.some((call) => call.part.callId === part.callId || call.part.name === part.name)).toBe(true);
    }
  });

  it.each(files)('%s: every observation once', (_name, path) => {
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const observations = isRecord(document) ? (arrayAt(document, 'observations') ?? []) : [];
    const { counts } = importFile(path);
    expect(counts.inMessages + counts.inEvents).toBe(observations.length);
  });
});

describe('langfuse: what only the record around the calls knows', () => {
  const around = (output: unknown, type = 'GENERATION'): Fields =>
    observation(1, {
      id: 'w',
      type,
      name: 'ai.streamText',
      input: { prompt: 'What is it?' },
      output,
      endTime: time(9),
    });
  const inner = (second: number, messages: readonly Fields[], output: unknown): Fields =>
    observation(second, { name: 'ai.streamText.doStream', parentObservationId: 'w', input: { messages }, output });
  const tool = (second: number, type = 'TOOL'): Fields =>
    observation(second, {
      type,
      name: 'ai.toolCall',
      parentObservationId: 'w',
      input: { query: 'dataset' },
      output: { hits: 2 },
      metadata: { attributes: { 'ai.toolCall.name': 'search', 'ai.toolCall.id': 'c1' } },
    });
  const ask = user('What is it?');
  const ASK = '{"role":"user","content":"What is it?"}';
  const CALL =
    '{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"search","input":{"query":"dataset"}}]}';
  const RESULT = '{"role":"tool","tool_call_id":"c1","name":"search","content":{"hits":2}}';
  const ANSWER = '{"role":"assistant","content":"A collection."}';

  it.each(['GENERATION', 'SPAN'])('the answer of a stream (%s)', (type) => {
    expect(texts(read(around('A collection.', type), inner(2, [ask], null)))).toEqual([ASK, ANSWER]);
  });

  it('the answer after the tools, and the call that no answer tells', () => {
    const file = read(around('A collection.'), inner(2, [ask], null), tool(4));
    expect(texts(file)).toEqual([ASK, CALL, RESULT, ANSWER]);
    expect(addsUp(file)).toBe(true);
  });

  it('the same where the tool is a span', () => {
    expect(texts(read(around('A collection.'), inner(2, [ask], null), tool(4, 'SPAN')))).toEqual([
      ASK,
      CALL,
      RESULT,
      ANSWER,
    ]);
  });

  it('a text before the call that only the tool tells', () => {
    const first = '{"role":"assistant","content":"I look it up."}';
    const file = read(around('A collection.'), inner(2, [ask], 'I look it up.'), tool(4));
    expect(texts(file)).toEqual([ASK, first, CALL, RESULT, ANSWER]);
  });

  it('the answer of the last of two calls, whose request holds what was called', () => {
    const called = {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: {} }],
    };
    const result = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { type: 'text', value: 'r' } }],
    };
    const file = read(around('A collection.'), inner(2, [ask], null), tool(4), inner(6, [ask, called, result], null));
    expect(file.transcripts).toHaveLength(1);
    expect(texts(file).at(-1)).toBe(ANSWER);
    expect(texts(file)).toHaveLength(4);
  });

  it('not to the agent that a tool is', () => {
    const sub = observation(5, {
      name: 'other.call',
      parentObservationId: 'tool',
      input: { messages: [user('Sub-task.')] },
      output: null,
    });
    const file = read(around('A collection.'), inner(2, [ask], null), { ...tool(4), id: 'tool' }, sub);
    expect(file.transcripts.map((_one, at) => texts(file, at).at(-1))).toEqual([
      ANSWER,
      '{"role":"user","content":"Sub-task."}',
    ]);
  });

  it('no answer twice: what the call itself has is not taken from around it', () => {
    const file = read(around('A collection.'), inner(2, [ask], 'A collection.'));
    expect(texts(file)).toEqual([ASK, ANSWER]);
    const withTool = read(
      around([{ toolCallId: 'c1', toolName: 'search', input: '{}' }]),
      inner(2, [ask], [{ toolCallId: 'c1', toolName: 'search', input: '{}' }]),
      tool(4),
    );
    expect(texts(withTool)).toHaveLength(3);
  });

  it('the next request sends the late answer back', () => {
    const next = observation(20, {
      input: { messages: [ask, assistant('A collection.'), user('Thanks.')] },
      output: 'Yes.',
    });
    const file = read(around('A collection.'), inner(2, [ask], null), next);
    expect([file.transcripts.length, texts(file).length]).toEqual([1, 4]);
  });
});
