// What is taken out of a message is out of it, wherever it stood; all other bytes stay.
import { expect, it } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';
import { removeParts } from '../../core/view/editMessage.ts';

const CALLS = '"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g"}}]';

it.each<readonly [string, string, readonly number[], string]>([
  [
    'a block',
    '{"role":"user","content":[{"type":"text","text":"a"}, {"type":"text","text":"b"}]}',
    [0],
    '{"role":"user","content":[{"type":"text","text":"b"}]}',
  ],
  [
    'a text beside calls',
    `{"role":"assistant","content":"I look",${CALLS}}`,
    [0],
    `{"role":"assistant","content":"",${CALLS}}`,
  ],
  [
    'a call',
    `{"role":"assistant","content":"x",${CALLS}}`,
    [1],
    '{"role":"assistant","content":"x","tool_calls":[{"id":"b","function":{"name":"g"}}]}',
  ],
  ['all calls', `{"role":"assistant","content":"x",${CALLS}}`, [1, 2], '{"role":"assistant","content":"x"}'],
  [
    'reasoning beside the content',
    '{"role":"assistant","reasoning_content":"r","content":"x"}',
    [0],
    '{"role":"assistant","content":"x"}',
  ],
  [
    'reasoning and its signature',
    '{"role":"assistant","reasoning":"r","thinking_signature":"s","content":"x"}',
    [0],
    '{"role":"assistant","content":"x"}',
  ],
  [
    'a legacy call',
    '{"role":"assistant","content":"x","function_call":{"name":"f"}}',
    [1],
    '{"role":"assistant","content":"x"}',
  ],
  [
    'a part of Gemini',
    '{"role":"model","parts":[{"text":"a"},{"text":"b"}]}',
    [1],
    '{"role":"model","parts":[{"text":"a"}]}',
  ],
])('%s', (_what, text, gone, left) => {
  const facts = readMessage(JSON.parse(text));
  const edited = removeParts(text, facts, new Set(gone));
  expect(edited).toBe(left);
  expect(readMessage(JSON.parse(edited)).parts.length).toBe(facts.parts.length - gone.length);
});
