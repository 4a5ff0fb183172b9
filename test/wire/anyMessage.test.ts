// Messages as nobody should write them: parts of real ones missing, doubled, or of another type. The body is JSON all the
// same, its lint runs, and its preview is JSON too.
import { expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import { lintBody } from '../../core/wire/lintBody.ts';
import { previewOf } from '../../core/wire/preview.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';
import { WIRE_TARGETS } from '../../core/wire/types.ts';

const CASES = Number(process.env.PARALLAX_WIRE_CASES ?? 400);

const WHOLE: readonly unknown[] = [
  { role: 'system', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }] },
  {
    role: 'user',
    content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }, 'b'],
  },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'c', signature: 's' },
      { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} },
      { type: 'tool_use', id: 't', name: 'f', input: { a: [1, { b: null }] } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'd' }], is_error: true }],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'u', type: 'function', function: { name: 'g', arguments: '{"a":1}' } }],
    reasoning_content: 'e',
    function_call: { name: 'h', arguments: '{' },
  },
  { role: 'tool', tool_call_id: 'u', content: [{ type: 'text', text: 'f' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'g' }], encrypted_content: 'gAAAA' },
      { type: 'custom_tool_call', call_id: 'v', name: 'i', input: 'h' },
      { type: 'output_text', text: 'i', annotations: [{ type: 'url_citation' }] },
    ],
  },
  {
    role: 'model',
    parts: [
      { text: 'j', thought: true },
      { functionCall: { name: 'k', args: { a: 1 } }, thoughtSignature: 's' },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { name: 'k', response: { output: 'l' } } },
      { inlineData: { mimeType: 'audio/wav', data: 'AA' } },
    ],
  },
  { role: 'toolResult', toolCallId: 'w', toolName: 'm', content: [{ type: 'text', text: 'n' }], details: { o: 1 } },
  { role: 'developer', content: 'p' },
];

const STRANGE: readonly unknown[] = [
  null,
  '',
  'text',
  0,
  1.5,
  true,
  [],
  {},
  [[]],
  { type: 'text' },
  [{ type: 'what' }],
  'tool_use',
];

function damaged(value: unknown, rng: Rng, left: { count: number }): unknown {
  if (left.count > 0 && rng.next() < 0.12) {
    left.count--;
    return rng.pick(STRANGE);
  }
  if (Array.isArray(value)) {
    const list = value.map((each) => damaged(each, rng, left));
    return rng.next() < 0.05 ? [...list, ...list] : list;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(() => rng.next() > 0.04);
  return Object.fromEntries(entries.map(([key, each]) => [key, damaged(each, rng, left)]));
}

it('any JSON makes a body', () => {
  for (let seed = 0; seed < CASES; seed++) {
    const rng = seededRng(seed);
    const messages = Array.from({ length: 1 + rng.below(8) }, () => damaged(rng.pick(WHOLE), rng, { count: 3 }));
    const texts = messages.map((message) => JSON.stringify(message));
    const source = memorySource(texts);
    const memo = createMemo();
    for (const target of WIRE_TARGETS) {
      const strict = rng.next() < 0.5;
      const meta = {
        format: rng.pick(['claude-code', 'codex', 'openai-chat', 'gemini-cli', 'pi']),
        systemJson: JSON.stringify(damaged([{ type: 'text', text: 'q' }], rng, { count: 1 })),
        toolsJson: JSON.stringify(
          damaged([{ type: 'function', function: { name: 'r', parameters: {} } }], rng, { count: 2 }),
        ),
      };
      try {
        const body = toWire(rawView(source, texts.length, memo), source, memo, target, { meta, strict });
        JSON.parse(bodyText(body));
        JSON.parse(previewOf(body, { chars: 200, longest: 40 }).text);
        lintBody(body, (text) => nodeSha256().update(text).hex());
      } catch (error) {
        const replay = JSON.stringify({ seed, target, strict, meta, messages });
        expect.fail(`${error instanceof Error ? error.stack : String(error)}\nreplay: ${replay}`);
      }
    }
  }
});
