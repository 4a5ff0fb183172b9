import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { addsUp, codes, jsonl, texts } from './support.ts';

const sys = { role: 'system', content: 's' };
const u = (content: string): object => ({ role: 'user', content });
const a = (content: string): object => ({ role: 'assistant', content });
const json = (...values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value));

describe('openai-chat', () => {
  it.each([
    [
      'a bare array',
      '[ {"content":"h\\u0069", "role":"user"},\n{"role":"assistant","content":null,"tool_calls":null}]',
    ],
    [
      'a request body',
      '{"model":"m","messages":[{"content":"h\\u0069", "role":"user"}, {"role":"assistant","content":null,"tool_calls":null} ],"tools":[]}',
    ],
    [
      'one fine-tuning line',
      '{"messages":[{"content":"h\\u0069", "role":"user"},{"role":"assistant","content":null,"tool_calls":null}]}\n',
    ],
    [
      'a line of an array',
      '[{"content":"h\\u0069", "role":"user"},{"role":"assistant","content":null,"tool_calls":null}]\n\n',
    ],
    [
      'lines of messages',
      '{"content":"h\\u0069", "role":"user"}\n{"role":"assistant","content":null,"tool_calls":null}\n',
    ],
  ])('takes the exact texts from %s', (_name, text) => {
    const file = importText(text);
    expect(file.format).toBe('openai-chat');
    expect(texts(file)).toEqual([
      '{"content":"h\\u0069", "role":"user"}',
      '{"role":"assistant","content":null,"tool_calls":null}',
    ]);
    expect(file.transcripts).toHaveLength(1);
    expect(addsUp(file)).toBe(true);
  });

  it('makes each fine-tuning line a transcript', () => {
    const file = importText(jsonl({ messages: [sys, u('one')] }, { messages: [sys, u('two'), a('x')] }));
    expect(
      file.transcripts.map((transcript) => [transcript.key, transcript.messages.length, transcript.meta.title]),
    ).toEqual([
      ['0', 2, 'one'],
      ['1', 3, 'two'],
    ]);
    expect(codes(file)).toEqual([]);
  });

  it('folds a growing log, and keeps two conversations apart that alternate in it', () => {
    const file = importText(
      jsonl(
        { messages: [u('one')] },
        { messages: [u('two')] },
        { messages: [u('one'), a('1'), u('more')] },
        { messages: [u('two'), a('2')] },
        { messages: [u('one'), a('1'), u('more')] },
      ),
    );
    expect([texts(file, 0), texts(file, 1)]).toEqual([json(u('one'), a('1'), u('more')), json(u('two'), a('2'))]);
    expect(file.ignored).toMatchObject([{ line: 5, reason: 'the request repeats a history read before' }]);
    expect(addsUp(file)).toBe(true);
  });

  it('begins a transcript where the history was rewritten, and says so', () => {
    const file = importText(
      jsonl({ messages: [u('1')] }, { messages: [u('1'), a('2')] }, { messages: [u('1'), a('changed'), u('3')] }),
    );
    expect(file.transcripts.map((transcript) => transcript.messages.length)).toEqual([2, 3]);
    expect(file.problems).toMatchObject([{ code: 'import.history_rewritten', where: { line: 3 } }]);
  });

  const request = (...messages: object[]): object => ({ type: 'request', request_params: { model: 'm', messages } });
  const response = (message: object, extra: object = {}): object => ({
    type: 'response',
    timestamp: '2026-01-01T00:00:00.5',
    response: {
      id: 'r',
      model: 'm-1',
      choices: [{ message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      ...extra,
    },
  });
  const facts = {
    model: 'm-1',
    stopReason: 'stop',
    id: 'r',
    timestamp: '2026-01-01T00:00:00.5',
    usage: { input: 3, output: 2, total: 5 },
  };

  it('takes an answer from the request that sends it back, its facts from the response', () => {
    const answer = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    const back = { ...answer, content: '' };
    const result = { role: 'tool', tool_call_id: 'c', content: 'r' };
    const file = importText(
      jsonl(request(u('go')), response(answer), request(u('go'), back, result), response(a('done'))),
    );
    expect(texts(file)).toEqual(json(u('go'), back, result, a('done')));
    const metas = file.transcripts[0]?.messages.map((message) => message.meta);
    expect(metas).toEqual([{}, facts, {}, facts]);
    expect(file.transcripts[0]?.messages[1]?.origins.map((origin) => origin.line)).toEqual([2, 3]);
    expect(codes(file)).toEqual([]);
    expect(addsUp(file)).toBe(true);
  });

  it('loses neither of two answers to one request', () => {
    const file = importText(
      jsonl(request(u('go')), response(a('x')), request(u('go')), response(a('y')), request(u('go'), a('y'), u('on'))),
    );
    expect(file.transcripts.map((_, i) => texts(file, i))).toEqual([
      json(u('go'), a('x')),
      json(u('go'), a('y'), u('on')),
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps choices beyond the first as an event', () => {
    const choices = [{ message: a('x') }, { message: a('y') }];
    const file = importText(jsonl(request(u('go')), response(a('x'), { choices })));
    expect(file.transcripts[0]?.events).toMatchObject([{ kind: 'choices', json: JSON.stringify(choices) }]);
    expect(codes(file)).toEqual(['import.other_choices']);
  });

  it('appends the answer of an export that holds both', () => {
    const file = importText(
      JSON.stringify({
        object: 'traffic.completion',
        messages: [u('go')],
        choices: [{ message: a('x') }],
        usage: { prompt_tokens: 1 },
      }),
    );
    expect(texts(file)).toEqual(json(u('go'), a('x')));
    expect(file.transcripts[0]?.messages[1]?.meta).toMatchObject({ usage: { input: 1 } });
  });

  it('makes each tau-bench simulation a transcript', () => {
    const file = importText(
      JSON.stringify(
        [
          { task_id: 3, trial: 1, reward: 0.5, info: {}, traj: [u('a'), a('b')] },
          { task_id: 4, traj: [u('c')] },
        ],
        null,
        1,
      ),
    );
    expect(file.transcripts.map((transcript) => [transcript.meta.sessionId, transcript.messages.length])).toEqual([
      ['task 3 trial 1', 2],
      ['task 4', 1],
    ]);
    expect(file.transcripts[0]?.events).toMatchObject([
      { kind: 'tau-bench', text: 'result of task 3 trial 1: reward 0.5', at: 2 },
    ]);
    expect(addsUp(file)).toBe(true);
  });

  it('delivers what is whole of a document that was cut off', () => {
    const file = importText(`[${JSON.stringify(u('one'))},\n${JSON.stringify(u('two'))},\n{"role":"assist`);
    expect(texts(file)).toEqual(json(u('one'), u('two')));
    expect(file.problems).toMatchObject([{ code: 'import.truncated', where: { line: 3 } }]);
  });

  it('says so when what stands around the messages is broken', () => {
    const file = importText(`{"messages":[${JSON.stringify(u('one'))}],"model":oops}`);
    expect(texts(file)).toEqual(json(u('one')));
    expect(file.problems).toMatchObject([{ code: 'import.broken_document', severity: 'error' }]);
    expect(addsUp(file)).toBe(true);
  });

  it('keeps a line it does not understand', () => {
    const file = importText(jsonl({ messages: [u('x')] }, { type: 'ping' }));
    expect(file.transcripts[0]?.events).toMatchObject([{ kind: 'unknown:ping' }]);
    expect(addsUp(file)).toBe(true);
  });
});
