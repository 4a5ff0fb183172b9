// The same tools in another order: not a change that thinking is known to fail of, and told all the same.
import { expect, it, test } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { toolChange } from '../../core/model/toolChange.ts';
import { envelopeChange } from '../../core/projection/binding/envelope.ts';

const READ = { name: 'read', input_schema: { type: 'object' } };
const GREP = { name: 'grep', input_schema: { type: 'object' } };
const EDIT = { name: 'edit', input_schema: { type: 'object' } };
const marked = { input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' }, name: 'grep' };

it.each([
  ['the same', [READ, GREP], [READ, GREP], 'none'],
  ['a mark and the order of keys', [READ, GREP], [READ, marked], 'none'],
  ['another order', [READ, GREP, EDIT], [EDIT, READ, GREP], 'reordered'],
  ['one more', [READ, GREP], [READ, GREP, EDIT], 'changed'],
  ['another one', [READ, GREP], [READ, EDIT], 'changed'],
  ['one twice', [READ, READ, GREP], [READ, GREP, GREP], 'changed'],
] as const)('%s', (_name, before, now, change) => {
  expect(toolChange(before, now)).toBe(change);
  const envelope = envelopeChange({ tools: before }, { tools: now });
  expect(envelope).toBe(change === 'changed' ? 'tools' : null);
});

const LOG = (...lists: readonly (readonly object[])[]) =>
  lists
    .map((tools, turn) => {
      const messages = Array.from({ length: 2 * turn + 1 }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `m${at}`,
      }));
      const request = { model: 'claude-fable-5-1', max_tokens: 9, tools, messages };
      const content = [{ type: 'text', text: `m${2 * turn + 1}` }];
      return JSON.stringify({ request, response: { id: `r${turn}`, type: 'message', role: 'assistant', content } });
    })
    .join('\n');

test('a log of requests tells it once, with the count and the first line', () => {
  const told = (log: string) =>
    importText(Buffer.from(log)).problems.filter(({ code }) => code === 'import.tools_reordered');
  expect(told(LOG([READ, GREP], [READ, GREP], [READ, GREP, EDIT]))).toEqual([]);
  const [problem, ...more] = told(LOG([READ, GREP], [GREP, READ], [GREP, READ], [READ, GREP]));
  expect(more).toEqual([]);
  expect(problem?.where?.line).toBe(2);
  expect(problem?.text).toMatch(/^2 requests sent the same tools in another order .*cache begins again.*may fail/);
});
