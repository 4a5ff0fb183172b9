import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const event = (type: string, data: object, extra: object = {}): object => ({
  type,
  data,
  id: 'e',
  timestamp: '2026-01-01T00:00:00Z',
  parentId: null,
  ...extra,
});
const start = event('session.start', { producer: 'copilot-agent', sessionId: 's' });

describe('copilot-cli', () => {
  it('cuts values out of the line as they are', () => {
    const line =
      '{"type":"assistant.message","data":{"content":"\\u00e9","toolRequests":[{"arguments":{"a": 1.0},"name":"x","toolCallId":"c"}]},"id":"e","timestamp":"2026-01-01T00:00:00Z","parentId":null}\n';
    expect(texts(importText(jsonl(start) + line))).toEqual([
      '{"role":"assistant","content":[{"type":"text","text":"\\u00e9"},{"type":"tool_use","id":"c","name":"x","input":{"a": 1.0}}]}',
    ]);
  });

  it.each([
    ['a result', { success: true, result: { content: 'out', detailedContent: 'more' } }, '"content":"out"', false],
    ['several contents', { success: true, result: { contents: [{ type: 'text', text: 'a' }] } }, '"text":"a"', false],
    ['an error', { success: false, error: { message: 'no', code: 'failure' } }, '"content":"no","is_error":true', true],
    ['an error as a string', { success: false, error: 'no' }, '"content":"no","is_error":true', true],
    ['a failure that says nothing', { success: false }, '"content":"","is_error":true', true],
    ['a denied call with a result', { success: false, result: { content: 'denied' } }, '"content":"denied"', true],
  ])('reads %s', (_name, data, part, isError) => {
    const file = importText(jsonl(start, event('tool.execution_complete', { toolCallId: 'c', ...data })));
    const [text = ''] = texts(file);
    expect(text).toContain(part);
    expect(readMessage(JSON.parse(text)).parts).toMatchObject([{ kind: 'tool_result', callId: 'c', isError }]);
  });

  it.each([
    [1, ['c']],
    [0, undefined],
  ])('takes a command that ended with exit code %i for what it is', (exit_code, failedCallIds) => {
    const data = { success: true, result: { content: 'out' }, toolTelemetry: { metrics: { exit_code } } };
    const file = importText(jsonl(start, event('tool.execution_complete', { toolCallId: 'c', ...data })));
    expect(file.transcripts[0]?.messages.map(({ meta }) => meta.failedCallIds)).toEqual([failedCallIds]);
  });

  it.each([
    ['signed', { reasoningText: 'why', reasoningOpaque: 'x' }, { kind: 'thinking', chars: 3, signed: true }],
    ['unsigned', { reasoningText: 'why' }, { kind: 'thinking', chars: 3, signed: false }],
    ['encrypted', { reasoningText: '', encryptedContent: 'x' }, { kind: 'opaque', signed: true }],
  ])('reads %s reasoning', (_name, data, part) => {
    const file = importText(jsonl(start, event('assistant.message', { content: '', ...data })));
    expect(readMessage(file.transcripts[0]?.messages[0]?.value).parts).toMatchObject([part]);
  });

  it('keeps agents apart, by their id or by their call, and knows an agent started by an agent', () => {
    const request = (id: string): object => ({ toolRequests: [{ toolCallId: id, name: 'task', arguments: {} }] });
    const file = importText(
      jsonl(
        start,
        event('assistant.message', request('c1')),
        event('subagent.started', { toolCallId: 'c1' }, { agentId: 'one' }),
        event('assistant.message', request('c2'), { agentId: 'one' }),
        event('assistant.message', { content: 'still one', parentToolCallId: 'c1' }),
        event('subagent.started', { toolCallId: 'c2' }, { agentId: 'two' }),
        event('assistant.message', { content: 'deep' }, { agentId: 'two' }),
        event('assistant.message', { content: 'old', parentToolCallId: 'c9' }),
        event('assistant.message', { content: 'main' }),
      ),
    );
    expect(
      file.transcripts.map(({ key, meta, messages }) => [key, meta.parentKey, meta.parentCallId, messages.length]),
    ).toEqual([
      ['main', undefined, undefined, 2],
      ['agent one', 'main', 'c1', 2],
      ['agent two', 'agent one', 'c2', 1],
      ['agent c9', 'main', 'c9', 1],
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it.each([
    ['a user message without text', event('user.message', {})],
    ['an event of tomorrow', event('session.of_tomorrow', {})],
    ['a failed compaction', event('session.compaction_complete', { success: false })],
    ['a line without data', { type: 'user.message', id: 'x' }],
    ['an array', []],
  ])('keeps %s as an event', (_name, line) => {
    const file = importText(jsonl(start, line));
    expect([file.counts.messages, file.counts.events, addsUp(file)]).toEqual([0, 2, true]);
    expect(file.transcripts[0]?.compactions).toEqual([]);
    expect(codes(file)).toEqual([...(Array.isArray(line) ? ['import.unknown_record'] : []), 'import.no_messages']);
  });
});
