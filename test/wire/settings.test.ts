// What a recorded request asks for beside its messages: out again to its own API as it was, told of to any other.
import { describe, expect, it } from 'vitest';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';

const REQUESTS: Readonly<Record<WireTarget, string>> = {
  anthropic:
    '{"model":"claude-opus-4-5","max_tokens":333,"temperature":0.20,"thinking":{"type":"enabled","budget_tokens":2048},"tool_choice":{"type":"tool","name":"ls"},"stop_sequences":["X"],"messages":[{"role":"user","content":"hi"}]}\n',
  openai:
    '{"model":"gpt-5","max_completion_tokens":333,"reasoning_effort":"high","tool_choice":"required","response_format":{"type":"json_object"},"messages":[{"role":"user","content":"hi"}]}\n',
  responses:
    '{"model":"gpt-5","max_output_tokens":333,"reasoning":{"effort":"high"},"text":{"format":{"type":"json_object"}},"input":[{"type":"message","role":"user","content":"hi"}]}\n',
  gemini:
    '{"generationConfig":{"temperature":0.20,"maxOutputTokens":333},"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}\n',
};

function written(from: string, target: WireTarget, options: { readonly maxTokens?: number } = {}) {
  const [transcript] = importText(from).transcripts;
  if (transcript === undefined) throw new Error('no transcript');
  const source = MemoryTranscript.of(transcript);
  const memo = createMemo();
  const body = toWire(rawView(source, source.length, memo), source, memo, target, {
    meta: transcript.meta,
    ...options,
  });
  return { ...body, text: bodyText(body), json: JSON.parse(bodyText(body)) };
}

describe('settings of a request', () => {
  it.each(WIRE_TARGETS)('go out to %s as they were recorded', (target) => {
    const body = written(REQUESTS[target], target);
    expect(body.text).toBe(REQUESTS[target]);
    expect(body.losses).toEqual([]);
  });

  it.each(WIRE_TARGETS.flatMap((from) => WIRE_TARGETS.filter((to) => to !== from).map((to) => [from, to] as const)))(
    'of %s are told of to %s, and the length of the answer carried',
    (from, to) => {
      const { json, losses, chosen } = written(REQUESTS[from], to);
      const length = json.max_tokens ?? json.max_completion_tokens ?? json.max_output_tokens;
      expect(length ?? json.generationConfig.maxOutputTokens).toBe(333);
      expect(chosen.some(({ value, why }) => value === '333' && why.startsWith('as the recorded request'))).toBe(true);
      const told = losses.map(({ path }) => path);
      const settings: Readonly<Record<WireTarget, readonly string[]>> = {
        anthropic: ['temperature', 'thinking', 'tool_choice', 'stop_sequences'],
        openai: ['reasoning_effort', 'tool_choice', 'response_format'],
        responses: ['reasoning', 'text'],
        gemini: ['generationConfig.temperature', 'toolConfig'],
      };
      expect(told).toEqual(settings[from]);
    },
  );

  it.each([
    ['anthropic', '"max_tokens":5,'],
    ['openai', '"max_completion_tokens":5,'],
    ['responses', '"max_output_tokens":5,'],
    ['gemini', '"generationConfig":{"temperature":0.20,"maxOutputTokens":5},'],
  ] as const)('of %s make room for another length of the answer', (target, expected) => {
    const { text } = written(REQUESTS[target], target, { maxTokens: 5 });
    expect(text).toContain(expected);
    expect(text).not.toContain('333');
  });

  it('that would have the provider add to the history are left out, and told', () => {
    const request = REQUESTS.responses.replace('"text"', '"previous_response_id":"resp_1","text"');
    const { json, losses } = written(request, 'responses');
    expect(json).not.toHaveProperty('previous_response_id');
    expect(losses.map(({ path }) => path)).toEqual(['previous_response_id']);
  });

  it('are the recorded request’s alone: what a tool keeps beside it, and nulls, are none', () => {
    const request = REQUESTS.openai.replace(
      '"tool_choice"',
      '"reward":1,"stop":null,"metadata":{"run":7},"user":"u","tool_choice"',
    );
    const [transcript] = importText(request).transcripts;
    expect(Object.keys(JSON.parse(transcript?.meta.settingsJson ?? '{}'))).toEqual([
      'max_completion_tokens',
      'reasoning_effort',
      'user',
      'tool_choice',
      'response_format',
    ]);
  });
});
