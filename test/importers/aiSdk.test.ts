import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import { corpusFiles } from '../support/shared.ts';
import { addsUp, importFile, jsonl, texts } from './support.ts';

const answer = (...parts: object[]): object => ({ id: 'm', role: 'assistant', parts });
const read = (...messages: object[]) => importText(JSON.stringify(messages));
const tool = (state: string, more: object = {}): object => ({
  type: 'tool-f',
  toolCallId: '1',
  state,
  input: { a: 1 },
  ...more,
});
const text = (words: string): object => ({ type: 'text', text: words });
const STEP = { type: 'step-start' };

/** Roles, with the calls and results in each: `a1` = an answer with one call. */
function outline(messages: readonly string[]): string {
  const facts = messages.map((message) => readMessage(JSON.parse(message)));
  return facts.map((each) => `${each.role.charAt(0)}${callsOf(each).length + resultsOf(each).length}`).join(' ');
}

describe('the state of a tool part', () => {
  it.each([
    ['input-streaming', {}, 'a1', null],
    ['input-available', {}, 'a1', null],
    ['approval-requested', { approval: { id: 'x' } }, 'a1', null],
    ['output-available', { output: 'x' }, 'a1 t1', '{"role":"tool","tool_call_id":"1","name":"f","content":"x"}'],
    [
      'output-available',
      { output: { n: 1 } },
      'a1 t1',
      '{"role":"tool","tool_call_id":"1","name":"f","content":"{\\"n\\":1}"}',
    ],
    [
      'output-error',
      { errorText: 'x' },
      'a1 t1',
      '{"role":"tool","tool_call_id":"1","name":"f","content":"x","is_error":true}',
    ],
    [
      'output-denied',
      { approval: { reason: 'no' } },
      'a1 t1',
      '{"role":"tool","tool_call_id":"1","name":"f","content":"no","status":"denied"}',
    ],
    ['output-available', { output: 'x', providerExecuted: true }, 'a0', null],
  ])('%s', (state, more, expected, result) => {
    const file = read(answer(tool(state, more)));
    expect(file.format).toBe('ai-sdk');
    expect(outline(texts(file))).toBe(expected);
    expect(texts(file)[1] ?? null).toBe(result);
    if (state === 'output-error' || state === 'output-denied') {
      expect(resultsOf(readMessage(JSON.parse(result ?? '')))[0]?.part.isError).toBe(true);
    }
  });
});

describe('steps of an answer', () => {
  const done = tool('output-available', { output: 'x' });
  const invoked = (step: number): object => ({
    type: 'tool-invocation',
    toolInvocation: { state: 'result', step, toolCallId: String(step), toolName: 'f', args: {}, result: 1 },
  });
  it.each<[string, object[], string]>([
    ['are told by marks', [STEP, text('a'), done, STEP, text('b')], 'a1 t1 a0'],
    ['without marks are one', [text('a'), done, text('b')], 'a1 t1'],
    ['of v4: a text begins the next', [text('a'), invoked(0), text('b')], 'a1 t1 a0'],
    ['of v4: calls of one step', [invoked(0), invoked(0)], 'a2 t1 t1'],
    ['of v4: calls of two', [invoked(0), invoked(1)], 'a1 t1 a1 t1'],
  ])('%s', (_name, parts, expected) => {
    expect(outline(texts(read(answer(...parts))))).toBe(expected);
  });

  it('of v4 without parts: the text came after the results', () => {
    const call = { state: 'result', toolCallId: '1', toolName: 'f', args: {}, result: 'r' };
    const message = (state: string): object => ({
      role: 'assistant',
      content: 'x',
      toolInvocations: [{ ...call, state }],
    });
    expect(outline(texts(read(message('result'))))).toBe('a1 t1 a0');
    expect(outline(texts(read(message('call'))))).toBe('a1');
  });

  it('share the facts of their message', () => {
    const usage = { inputTokens: 5, outputTokens: 2, inputTokenDetails: { cacheReadTokens: 3 } };
    const file = read({
      ...answer(STEP, done, STEP, text('b')),
      metadata: { custom: { modelId: 'm1', usage, finishReason: 'stop' } },
    });
    expect(file.transcripts[0]?.messages.map(({ meta }) => meta)).toEqual([
      { id: 'm', model: 'm1' },
      {},
      { model: 'm1', usage: { input: 5, output: 2, cacheRead: 3 }, stopReason: 'stop' },
    ]);
  });
});

describe('results of model messages', () => {
  it.each<[object, string, boolean]>([
    [{ output: { type: 'text', value: 'x' } }, '"x"', false],
    [{ output: { type: 'json', value: { a: 1 } } }, '"{\\"a\\":1}"', false],
    [{ output: { type: 'error-text', value: 'x' } }, '"x"', true],
    [{ output: { type: 'error-json', value: [1] } }, '"[1]"', true],
    [{ output: { type: 'content', value: [{ type: 'text', text: 'x' }] } }, '[{"type":"text","text":"x"}]', false],
    [{ output: { type: 'execution-denied', reason: 'no' } }, '"no"', true],
    [{ result: 'x' }, '"x"', false],
    [{ result: { a: 1 }, isError: true }, '"{\\"a\\":1}"', true],
  ])('%j', (more, content, isError) => {
    const part = { type: 'tool-result', toolCallId: '1', toolName: 'f', ...more };
    const [message] = texts(read({ role: 'tool', content: [part] }));
    expect(message).toContain(`"content":${content}`);
    expect(resultsOf(readMessage(JSON.parse(message ?? ''))).map((result) => result.part.isError)).toEqual([isError]);
  });

  it('stay as they are, but for what the SDK keeps elsewhere', () => {
    const plain =
      '{"role":"assistant","content":[{"type":"tool-call","toolCallId":"1","toolName":"f","input":{"n":1.0}}]}';
    const signed =
      '{"role":"assistant","content":[{"type":"reasoning","text":"r","providerOptions":{"anthropic":{"signature":"s"}}},{"type":"text","text":"h\\u0069"}]}';
    expect(texts(importText(`[${plain},${signed}]`))).toEqual([
      plain,
      '{"role":"assistant","content":[{"type":"thinking","thinking":"r","signature":"s"},{"type":"text","text":"h\\u0069"}]}',
    ]);
  });
});

describe('streams', () => {
  const words = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'a' },
  ];
  const asked = [
    { type: 'tool-input-start', toolCallId: '1', toolName: 'f' },
    { type: 'tool-input-delta', toolCallId: '1', inputTextDelta: '{"a":' },
  ];
  const rest = { type: 'tool-input-delta', toolCallId: '1', inputTextDelta: '1}' };
  const result = { type: 'tool-output-available', toolCallId: '1', output: 'x' };
  it.each<[string, object[], string[]]>([
    [
      'that were cut off in an input',
      asked,
      ['{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":"{\\"a\\":"}]}'],
    ],
    [
      'that tell the input in pieces only',
      [...asked, rest],
      ['{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"a":1}}]}'],
    ],
    [
      'that tell the input at last',
      [...asked, { type: 'tool-input-available', toolCallId: '1', toolName: 'f', input: { b: 1.5 } }],
      ['{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":{"b":1.5}}]}'],
    ],
    [
      'that begin with a result',
      [result, ...words],
      [
        '{"role":"assistant","content":[{"type":"text","text":"a"}]}',
        '{"role":"tool","tool_call_id":"1","content":"x"}',
      ],
    ],
    [
      'one after the other',
      [{ type: 'start' }, ...words, { type: 'finish' }, { type: 'start' }, ...words, { type: 'finish' }],
      [
        '{"role":"assistant","content":[{"type":"text","text":"a"}]}',
        '{"role":"assistant","content":[{"type":"text","text":"a"}]}',
      ],
    ],
    [
      'with ids used again',
      [...words, { type: 'start-step' }, ...words],
      [
        '{"role":"assistant","content":[{"type":"text","text":"a"}]}',
        '{"role":"assistant","content":[{"type":"text","text":"a"}]}',
      ],
    ],
  ])('%s', (_name, chunks, expected) => {
    for (const source of [
      JSON.stringify(chunks),
      jsonl(...chunks),
      chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''),
    ]) {
      const file = importText(source);
      expect(file.format).toBe('ai-sdk');
      expect(texts(file)).toEqual(expected);
      expect(addsUp(file)).toBe(true);
    }
  });
});

describe('lists', () => {
  it('that repeat their history are read once', () => {
    const first = { id: 'u', role: 'user', parts: [text('hi')] };
    const asked = answer(tool('input-available'));
    const answered = answer(tool('output-available', { output: 'x' }));
    const file = importText(
      jsonl(
        { messages: [first] },
        { messages: [first, asked] },
        { messages: [first, answered] },
        { messages: [first] },
      ),
    );
    expect(file.transcripts.map(({ messages }) => outline(messages.map((message) => message.text)))).toEqual([
      'u0 a1 t1',
    ]);
    expect(file.ignored).toHaveLength(1);
    expect(addsUp(file)).toBe(true);
  });

  it('leave to others what is theirs', () => {
    const others = [
      { role: 'user', content: 'hi' },
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'user', parts: [{ type: 'text', content: 'hi' }] },
    ];
    for (const other of others) expect(importText(JSON.stringify([other])).format).not.toBe('ai-sdk');
  });
});

const files = corpusFiles('ai-sdk').map((path) => [basename(path), path] as const);

describe.skipIf(files.length === 0)('real files (skipped where there is no shared material)', () => {
  it.each(files)('%s: every call and result', (name, path) => {
    const source = readFileSync(path, 'utf8');
    const file = importFile(path);
    const facts = texts(file).map((message) => readMessage(JSON.parse(message)));
    const values: unknown[] = name.endsWith('.json') ? JSON.parse(source) : [];
    const ofType = (type: string): number =>
      values.filter((value) => isRecord(value) && stringAt(value, 'type') === type).length;
    const count = (type: string): number => source.split(`"type":"${type}"`).length - 1;
    expect(facts.flatMap(callsOf)).toHaveLength(ofType('tool-input-start') + count('tool-call'));
    expect(facts.flatMap(resultsOf)).toHaveLength(ofType('tool-output-available') + count('tool-result'));
    expect(file.problems).toEqual([]);
  });
});
