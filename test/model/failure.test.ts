import { expect, it } from 'vitest';
import { hasFailed } from '../../core/model/failure.ts';
import { readMessage } from '../../core/model/readMessage.ts';

const result = (content: string) => readMessage({ role: 'tool', tool_call_id: 'c1', content }).parts[0];

it.each([
  ['its own text', 'Error: no', {}, true],
  ['a record beside it', 'fine', { failedCallIds: ['c0', 'c1'] }, true],
  ['nothing', 'fine', {}, false],
  ['another call', 'fine', { failedCallIds: ['c0'] }, false],
])('a result has failed by %s', (_by, content, meta, expected) => {
  const part = result(content);
  expect(part && hasFailed(part, meta)).toBe(expected);
});

it('a call has not failed, its result has', () => {
  const [call] = readMessage({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'c1', name: 'x', input: {} }],
  }).parts;
  expect(call && hasFailed(call, { failedCallIds: ['c1'] })).toBe(false);
});
