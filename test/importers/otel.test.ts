import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spanId, timeOf, traceId } from '../../core/importers/formats/otel/ids.ts';
import { importText } from '../../core/importers/memory.ts';
import { callsOf, readMessage, resultsOf } from '../../core/model/readMessage.ts';
import { seededRng } from '../../core/util/rng.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { addsUp, codes, importFile, jsonl, texts } from './support.ts';

type Fields = Readonly<Record<string, unknown>>;

function typed(value: unknown): Fields {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } };
  return { kvlistValue: { values: pairs(Object(value)) } };
}
const pairs = (fields: Fields): Fields[] =>
  Object.entries(fields).map(([key, value]) => ({ key, value: typed(value) }));

let made = 0;
function span(second: number, attributes: Fields, more: Fields = {}): Fields {
  const spanId = (++made).toString(16).padStart(16, '0');
  const nanos = (at: number): string => `${1_772_359_200 + at}000000000`;
  const times = { startTimeUnixNano: nanos(second), endTimeUnixNano: nanos(second + 1) };
  return { traceId: 'a'.repeat(32), spanId, name: 'chat', ...times, attributes: pairs(attributes), ...more };
}
const batch = (spans: readonly Fields[], scope = 's'): Fields => ({
  resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: scope }, spans }] }],
});
const read = (...spans: readonly Fields[]) => importText(JSON.stringify(batch(spans)));

const parts = (role: string, text: string): Fields => ({ role, parts: [{ type: 'text', content: text }] });
const HI = '{"role":"user","content":"hi"}';
const YES = '{"role":"assistant","content":"yes"}';
const HI_PARTS = '{"role":"user","content":[{"type":"text","text":"hi"}]}';
const YES_PARTS = '{"role":"assistant","content":[{"type":"text","text":"yes"}]}';

describe('otel: the forms of a call', () => {
  it.each<readonly [string, Fields, readonly string[]]>([
    [
      'messages with parts, in strings',
      {
        'gen_ai.input.messages': JSON.stringify([parts('user', 'hi')]),
        'gen_ai.output.messages': JSON.stringify([parts('assistant', 'yes')]),
      },
      [HI_PARTS, YES_PARTS],
    ],
    [
      'messages with parts, as values',
      { 'gen_ai.input.messages': [parts('user', 'hi')], 'gen_ai.output.messages': [parts('assistant', 'yes')] },
      [HI_PARTS, YES_PARTS],
    ],
    [
      'numbered attributes',
      { 'gen_ai.prompt.0.role': 'user', 'gen_ai.prompt.0.content': 'hi', 'gen_ai.completion.0.content': 'yes' },
      [HI, YES],
    ],
    [
      'OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.contents.0.message_content.type': 'text',
        'llm.input_messages.0.message.contents.0.message_content.text': 'hi',
        'llm.output_messages.0.message.content': 'yes',
      },
      [HI_PARTS, YES],
    ],
    [
      'OpenInference without messages',
      {
        'openinference.span.kind': 'LLM',
        'input.value': '{"messages":[{"role":"user","content":"hi"}]}',
        'output.value': 'yes',
      },
      [HI, YES],
    ],
    ['one text', { 'gen_ai.prompt': '[{"role":"user","content":"hi"}]', 'gen_ai.completion': 'yes' }, [HI, YES]],
    [
      'the AI SDK',
      { 'ai.prompt.messages': '[{"role":"user","content":"hi"}]', 'ai.response.text': 'yes' },
      [HI, YES_PARTS],
    ],
  ])('%s', (_name, attributes, expected) => {
    const forms = [
      JSON.stringify(batch([span(1, attributes)])),
      JSON.stringify([batch([span(1, attributes)])], null, 1),
      jsonl(batch([span(1, attributes)]), batch([])),
      JSON.stringify(attributes),
      JSON.stringify({ 'a case': attributes }),
      JSON.stringify({ TraceId: 't', SpanId: 's', SpanName: 'chat', SpanAttributes: attributes }),
      JSON.stringify({
        trace: 't',
        spans: [{ trace_id: 't', span_id: 's', name: 'chat', start_time_ns: 1, attributes }],
      }),
      JSON.stringify([{ name: 'chat', context: { trace_id: '0xa', span_id: '0xb' }, parent_id: null, attributes }]),
    ];
    for (const form of forms) {
      const file = importText(form);
      expect(file.format, form).toBe('otel');
      expect(texts(file), form).toEqual(expected);
      expect(addsUp(file), form).toBe(true);
    }
  });

  it.each([
    [
      'a call',
      {
        'gen_ai.completion.0.tool_calls.0.id': 'c',
        'gen_ai.completion.0.tool_calls.0.name': 'f',
        'gen_ai.completion.0.tool_calls.0.arguments': '{}',
      },
    ],
    [
      'a call of OpenInference',
      {
        'openinference.span.kind': 'LLM',
        'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'f',
        'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{}',
      },
    ],
  ])('%s', (_name, attributes) => {
    expect(texts(read(span(1, attributes)))).toEqual([
      '{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}',
    ]);
  });

  it('orders numbers as numbers', () => {
    const numbers = Array.from({ length: 12 }, (_, at) => [`gen_ai.prompt.${at}.content`, `${at}`]);
    const file = read(span(1, Object.fromEntries(numbers.reverse())));
    expect(texts(file)).toEqual(numbers.map((_, at) => `{"role":"user","content":"${at}"}`));
  });

  it('keeps the exact text of a string', () => {
    const text = JSON.stringify(batch([span(1, { 'gen_ai.prompt.0.content': 'A' })])).replace('"A"', '"\\u0041\\/"');
    expect(texts(importText(text))).toEqual(['{"role":"user","content":"\\u0041\\/"}']);
  });

  it('is no call in a chain, though messages are copied to it, nor is an embedding', () => {
    const copied = { 'llm.input_messages.0.message.content': 'hi' };
    const file = read(
      span(1, { 'openinference.span.kind': 'CHAIN', ...copied }),
      span(2, { 'gen_ai.operation.name': 'embeddings', 'gen_ai.prompt': 'hi' }),
    );
    expect(texts(file)).toEqual([]);
    expect(file.transcripts[0]?.events.map(({ kind }) => kind)).toEqual(['chain', 'span']);
  });
});

describe('otel: from spans to conversations', () => {
  const ask = (...messages: Fields[]): Fields => ({ 'gen_ai.input.messages': JSON.stringify(messages) });
  const say = (...messages: Fields[]): Fields => ({ 'gen_ai.output.messages': JSON.stringify(messages) });

  it('takes a call that two instrumentations recorded once, with what either knows', () => {
    const call = { ...ask(parts('user', 'hi')), ...say(parts('assistant', 'yes')) };
    const inner = span(2, { ...call, 'gen_ai.request.model': 'exact' });
    const outer = span(1, { ...call, 'gen_ai.usage.input_tokens': 7 }, { endTimeUnixNano: '1772359300000000000' });
    const file = importText(JSON.stringify([batch([inner], 'client'), batch([outer], 'framework')]));
    expect(texts(file)).toEqual([HI_PARTS, YES_PARTS]);
    expect(file.transcripts[0]?.messages[1]?.meta).toMatchObject({ model: 'exact', usage: { input: 7 } });
    expect(file.transcripts[0]?.events).toHaveLength(1);
  });

  it('takes two equal calls of one instrumentation for two', () => {
    const call = { ...ask(parts('user', 'hi')), ...say(parts('assistant', 'yes')) };
    const outer = span(1, call, { endTimeUnixNano: '1772359300000000000' });
    expect(read(outer, span(2, call)).transcripts).toHaveLength(2);
  });

  it('reads a failed call, and what was asked again', () => {
    const failed = span(1, ask(parts('user', 'hi')), { status: { code: 2, message: 'overloaded' } });
    const file = read(failed, span(3, { ...ask(parts('user', 'hi')), ...say(parts('assistant', 'yes')) }));
    expect(texts(file)).toEqual([HI_PARTS, YES_PARTS]);
    expect(file.transcripts[0]?.events.map(({ kind, text }) => [kind, text])).toEqual([['error', 'overloaded']]);
  });

  it('takes the first of several choices and says so', () => {
    const file = read(
      span(1, { ...ask(parts('user', 'hi')), ...say(parts('assistant', 'yes'), parts('assistant', 'no')) }),
    );
    expect(texts(file)).toEqual([HI_PARTS, YES_PARTS]);
    expect(codes(file)).toEqual(['import.other_choices']);
  });

  it('puts results among the parts into messages of their own', () => {
    const response = { type: 'tool_call_response', id: 'c', response: 'r' };
    const file = read(span(1, ask({ role: 'user', parts: [response, { type: 'text', content: 'hi' }] })));
    expect(texts(file)).toEqual(['{"role":"tool","tool_call_id":"c","content":"r"}', HI_PARTS]);
  });

  it('names tools and system prompt', () => {
    const file = read(
      span(1, {
        ...ask(parts('user', 'hi')),
        'gen_ai.system_instructions': '[{"type":"text","content":"Be kind."}]',
        'llm.tools.0.tool.json_schema': '{"name":"f"}',
      }),
    );
    expect(file.transcripts[0]?.meta).toMatchObject({
      systemJson: '[{"type":"text","text":"Be kind."}]',
      toolsJson: '[{"name":"f"}]',
    });
  });

  it.each(Array.from({ length: 30 }, (_, seed) => seed))('random conversations, seed %i', (seed) => {
    const rng = seededRng(seed);
    const histories = Array.from({ length: 1 + rng.below(3) }, (_, agent) => [parts('user', `task ${agent}`)]);
    const spans: Fields[] = [];
    for (let second = 0; second < histories.length + rng.below(10); second++) {
      const history = histories[second < histories.length ? second : rng.below(histories.length)] ?? [];
      if (second >= histories.length) history.push(parts('user', `and ${second}`));
      const answer = parts('assistant', `said ${second}`);
      spans.push(span(second * 2, { ...ask(...history), ...say(answer) }));
      history.push(answer);
    }
    const file = read(...rng.shuffle(spans));
    const told = file.transcripts.map(({ messages }) => messages.map(({ text }) => readMessage(JSON.parse(text)).role));
    expect(told).toEqual(histories.map((history) => history.map(({ role }) => role)));
    const said = histories
      .flat()
      .flatMap(({ parts: own }) => (Array.isArray(own) ? own : []))
      .map(({ content }) => content);
    const found = file.transcripts.flatMap(({ messages }) =>
      messages.map(({ value }) => Object(value).content[0].text),
    );
    expect(found).toEqual(said);
  });
});

describe('otel: ids and times', () => {
  it.each([
    ['PHL1gt1FhyAgcA3641rvnQ==', '3c72f582dd45872020700dfae35aef9d'],
    ['3c72f582dd45872020700dfae35aef9d', '3c72f582dd45872020700dfae35aef9d'],
    ['0x3c72', '3c72'],
    ['0'.repeat(32), ''],
    [undefined, ''],
  ])('trace %s', (id, hex) => expect(traceId(id)).toBe(hex));

  it.each([
    ['TWf61QGIn9I=', '4d67fad501889fd2'],
    ['4d67fad501889fd2', '4d67fad501889fd2'],
    ['', null],
  ])('span %s', (id, hex) => expect(spanId(id)).toBe(hex));

  it('sorts times in any form', () => {
    const times = [
      '2026-03-01T10:00:00Z',
      '1772359200000000001',
      '2026-03-01T10:00:00.000002+00:00',
      1_772_359_201_000,
    ];
    const sorted = times.map(timeOf);
    expect([...sorted].sort()).toEqual(sorted);
    expect(new Set(sorted).size).toBe(times.length);
    expect([timeOf('soon'), timeOf(null), timeOf(-1)]).toEqual(['', '', '']);
  });
});

const files = corpusFiles('otel').map((path) => [basename(path), path] as const);

// Transcripts, messages, calls, results. One answer of the second file calls a tool and is sent back as a text.
const COUNTS: Readonly<Record<string, readonly number[]>> = {
  'prism-quo_tav_agent.otlp.json': [1, 7, 2, 2],
  'prism-smol_deep_research_agent.otlp.json': [4, 18, 1, 0],
};

describe.skipIf(files.length === 0)('real traces (skipped where there is no shared material)', () => {
  it.each(files)('%s', (name, path) => {
    const file = importFile(path);
    const facts = file.transcripts.flatMap(({ messages }) => messages.map(({ value }) => readMessage(value)));
    const [calls, results] = [facts.flatMap(callsOf), facts.flatMap(resultsOf)];
    expect([file.transcripts.length, facts.length, calls.length, results.length]).toEqual(COUNTS[name]);
    const ids = new Set(calls.map(({ part }) => part.callId));
    for (const { part } of results) expect(ids.has(part.callId ?? '')).toBe(true);
  });

  it('takes a trace of another kind for none', () => {
    const path = join(sharedDir() ?? '', 'corpus', 'otel', 'visible', 'dazzaji-manual_traces.json');
    expect(existsSync(path)).toBe(true);
    const file = importFile(path);
    expect(file.format).toBe(null);
    expect(codes(file)).toEqual(['import.not_recognised']);
  });
});
