import { expect, test } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';
import { base64Head } from '../../core/tokens/base64Head.ts';
import type { TokenCounter } from '../../core/tokens/counters.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { seededRng } from '../../core/util/rng.ts';

/** One token a character: what is counted can be read off. */
const LETTERS: TokenCounter = { id: 'estimate', exact: false, count: (text) => text.length };

const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from([0, 0, 3, 32, 0, 0, 2, 88, 8, 6]),
]).toString('base64');
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };

const CASES: readonly [what: string, message: unknown, tokens: readonly number[], images: boolean][] = [
  ['text', { role: 'user', content: 'abc' }, [3], false],
  ['no content', { role: 'assistant', content: null }, [], false],
  ['thinking', { role: 'assistant', content: [{ type: 'thinking', thinking: 'abcd', signature: 'long' }] }, [4], false],
  ['opaque', { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'abcd' }] }, [0], false],
  [
    'a call: name and arguments',
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'run', input: { a: 1 } }] },
    [3 + 7],
    false,
  ],
  [
    'a call of Chat Completions',
    { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'run', arguments: '{"a": 1}' } }] },
    [3 + 8],
    false,
  ],
  ['a result', { role: 'tool', tool_call_id: 'c', content: 'done' }, [4], false],
  [
    'a result of blocks',
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [
            { type: 'text', text: 'ab' },
            { type: 'text', text: 'cd' },
          ],
        },
      ],
    },
    [5],
    false,
  ],
  [
    'a result with an image',
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'ab' }, image] }],
    },
    [2 + 640],
    true,
  ],
  ['a result of nothing', { role: 'tool', tool_call_id: 'c' }, [0], false],
  ['an image', { role: 'user', content: [image] }, [640], true],
  [
    'an image URL',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
    [640],
    true,
  ],
  [
    'a linked image, size unknown',
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y.png' } }] },
    [1399],
    true,
  ],
  [
    'a text document',
    { role: 'user', content: [{ type: 'document', source: { type: 'text', data: 'abc' } }] },
    [3],
    false,
  ],
  [
    'a PDF',
    { role: 'user', content: [{ type: 'document', source: { type: 'base64', data: 'A'.repeat(2000) } }] },
    [0],
    false,
  ],
  [
    'an unknown block without its payload',
    { role: 'user', content: [{ type: 'hologram', data: 'A'.repeat(2000) }] },
    ['{"type":"hologram","data":""}'.length],
    false,
  ],
];

test.each(CASES)('%s', (_what, message, tokens, images) => {
  expect(partTokens(message, readMessage(message), LETTERS)).toEqual({ tokens, images });
});

test('the head of base64 is what Buffer decodes', () => {
  const rng = seededRng(7);
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, () => rng.below(256));
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = Buffer.from(bytes).toString(encoding);
      expect([...base64Head(text)], `${length} bytes, ${encoding}`).toEqual([...bytes]);
      expect([...base64Head(text, 50)]).toEqual([...bytes.subarray(0, 50)]);
    }
  }
});
