// Marks of the prompt cache as bodies of several providers carry them.
import { expect, test } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';

const mark = { type: 'ephemeral' };
const hour = { type: 'ephemeral', ttl: '1h' };

test.each<[string, unknown, readonly (string | null)[]]>([
  ['none', { role: 'user', content: [{ type: 'text', text: 'a' }] }, [null]],
  ['null is none', { role: 'user', content: [{ type: 'text', text: 'a', cache_control: null }] }, [null]],
  [
    'a block',
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a', cache_control: mark },
        { type: 'text', text: 'b' },
      ],
    },
    ['5m', null],
  ],
  ['an hour', { role: 'user', content: [{ type: 'text', text: 'a', cache_control: hour }] }, ['1h']],
  [
    'a call',
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'n', input: {}, cache_control: mark }] },
    ['5m'],
  ],
  [
    'a result, inside',
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [
            { type: 'text', text: 'r', cache_control: hour },
            { type: 'text', text: 's' },
          ],
        },
      ],
    },
    ['1h'],
  ],
  ['OpenAI-compatible: beside the content', { role: 'system', content: 'You are …', cache_control: mark }, ['5m']],
  [
    'OpenAI-compatible: a tool message',
    { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'r', cache_control: mark }] },
    ['5m'],
  ],
  [
    'OpenAI: a breakpoint',
    { role: 'user', content: [{ type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ['5m'],
  ],
])('%s', (_, message, marks) => {
  expect(readMessage(message).parts.map(({ cacheMark }) => cacheMark ?? null)).toEqual(marks);
});
