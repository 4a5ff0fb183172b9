// What stands beside the messages, counted: every form in which formats record a system prompt and tools.
import { describe, expect, it } from 'vitest';
import type { TokenCounter } from '../../core/tokens/counters.ts';
import { countOverhead, NO_OVERHEAD, overheadOf } from '../../core/tokens/overhead.ts';

/** A token a character. */
const CHARACTERS: TokenCounter = { id: 'estimate', exact: true, count: (text) => text.length };
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const count = (systemJson: unknown, toolsJson?: unknown) =>
  countOverhead(
    {
      ...(systemJson !== undefined && { systemJson: JSON.stringify(systemJson) }),
      ...(toolsJson !== undefined && { toolsJson: JSON.stringify(toolsJson) }),
    },
    CHARACTERS,
    'openai',
  );

describe('a system prompt beside the messages', () => {
  it.each<[string, unknown, number]>([
    ['none', undefined, 0],
    ['null', null, 0],
    ['a text', 'Be brief.', 9],
    [
      'Anthropic’s blocks, whatever they are marked with',
      [
        { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'Be kind.' },
      ],
      17,
    ],
    ['Gemini’s parts', { role: 'user', parts: [{ text: 'Be brief.' }] }, 9],
    ['a message', { role: 'system', content: 'Be brief.' }, 9],
    ['a list of texts', ['Be', ' brief.'], 9],
    ['a block of a kind of its own', [{ type: 'other', x: 1 }], '{"type":"other","x":1}'.length],
  ])('%s', (_, json, tokens) => {
    expect(count(json)).toEqual({ system: tokens, tools: 0, images: false });
  });

  it('takes images by the rule, as parts of messages are', () => {
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL };
    const blocks = [
      { type: 'text', text: 'Look:' },
      { type: 'image', source },
    ];
    expect(count(blocks)).toEqual({ system: 5 + 255, tools: 0, images: true });
    const inline = { parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }] };
    expect(count(inline)).toEqual({ system: 255, tools: 0, images: true });
  });

  it('leaves long base64 out', () => {
    expect(count([{ type: 'audio', data: 'A'.repeat(5000) }]).system).toBe('{"type":"audio","data":""}'.length);
  });
});

describe('tools', () => {
  const tool = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };

  it('are their compact JSON each, without marks of the cache', () => {
    const length = JSON.stringify(tool).length;
    expect(count(undefined, [tool, { ...tool, cache_control: { type: 'ephemeral' } }]).tools).toBe(2 * length);
    const spaced = countOverhead({ toolsJson: JSON.stringify([tool], null, 4) }, CHARACTERS);
    expect(spaced).toEqual({ system: 0, tools: length, images: false });
  });

  it.each<[string, unknown, number]>([
    ['an empty list', [], 0],
    ['null', null, 0],
    ['names alone', ['read', 'write'], 9],
    ['no list', { read: {} }, '{"read":{}}'.length],
  ])('%s', (_, json, tokens) => {
    expect(count(undefined, json).tools).toBe(tokens);
  });
});

it('is all of it together with what is not recorded', () => {
  expect(overheadOf({ system: 1, tools: 2 }, 3)).toEqual({ system: 1, tools: 2, overhead: 3, total: 6 });
  expect(overheadOf({ system: 0, tools: 0 })).toEqual(NO_OVERHEAD);
});
