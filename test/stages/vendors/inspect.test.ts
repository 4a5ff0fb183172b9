// inspect_ai's compactions, rule by rule.
import { describe, expect, it } from 'vitest';
import { project } from '../../../core/projection/project.ts';
import { createBudget } from '../../../core/tokens/budget.ts';
import { characterTokens } from '../../support/characterTokens.ts';
import { projectedMessages, stagesOf, transcriptOf } from '../../support/projecting.ts';

type Message = Readonly<Record<string, unknown>>;

function run(messages: readonly Message[], kind: string, options: Record<string, unknown>) {
  const source = transcriptOf(messages);
  const stages = stagesOf({ version: 1, stages: [{ kind, options }] });
  const budget = createBudget({ window: 1000, reserveOutput: 0, injectionReserve: 0, caps: {} });
  return project(source, stages, source.length, { tokens: characterTokens(messages), budget });
}

const call = (id: string, name: string, ...content: unknown[]): Message => ({
  role: 'assistant',
  content,
  tool_calls: [{ id, type: 'function', function: name, arguments: {} }],
});
const result = (id: string, chars: number): Message => ({ role: 'tool', tool_call_id: id, content: 'r'.repeat(chars) });
const thought = (text: string) => ({ type: 'reasoning', reasoning: text });
const letters = (kinds: readonly { readonly kind: string }[]) => kinds.map(({ kind }) => kind.slice(0, 2)).join(' ');

describe('CompactionEdit', () => {
  const messages = [
    { role: 'user', content: 'go' },
    call('a', 'read', thought('hm')),
    result('a', 100),
    call('b', 'bash', thought('so')),
    result('b', 100),
    call('c', 'read', thought('ah')),
    result('c', 100),
  ];

  it.each<[string, Record<string, unknown>, string]>([
    ['a share of the window', {}, 'ke ke ke ke ke ke ke'],
    ['reached', { threshold: 300, keep_tool_uses: 1, keep_thinking_turns: 'all' }, 'ke ke re ke re ke ke'],
    ['reasoning of the last message of the assistant', { threshold: 300 }, 'ke re ke re ke ke ke'],
    ['no reasoning', { threshold: 300, keep_thinking_turns: 0 }, 'ke re ke re ke re ke'],
    [
      'excluded tools do not count',
      { threshold: 300, keep_tool_uses: 1, keep_thinking_turns: 'all', exclude_tools: ['bash'] },
      'ke ke re ke ke ke ke',
    ],
    [
      'inputs too',
      { threshold: 300, keep_tool_uses: 2, keep_thinking_turns: 'all', keep_tool_inputs: false },
      'ke re dr ke ke ke ke',
    ],
  ])('%s', (_name, options, expected) => {
    expect(letters(run(messages, 'inspect_edit', options).fates)).toBe(expected);
  });

  it('puts its words in the place of results, and of calls', () => {
    const cleared = run(messages, 'inspect_edit', { threshold: 300, keep_tool_uses: 2 });
    expect(projectedMessages(messages, cleared)[2]).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: '(Tool result removed)',
    });
    const removed = run(messages, 'inspect_edit', { threshold: 300, keep_tool_uses: 2, keep_tool_inputs: false });
    expect(projectedMessages(messages, removed)[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: '[Tool call: read (parameters and results removed from history)]' }],
    });
  });

  it('goes on from what was edited: what came after stays until the next time', () => {
    const longer = [...messages, call('d', 'read'), result('d', 20)];
    const { fates, reports } = run(longer, 'inspect_edit', { threshold: 300, keep_tool_uses: 1 });
    // Edited before the request of #7, when #6 was the latest use; then small enough.
    expect(letters(fates)).toBe('ke re re re re ke ke ke ke');
    expect(fates[2]?.reason).toBe('326 tokens > 300 (threshold); older than the last 1 tool use (keep_tool_uses)');
    expect(fates[7]?.reason).toBe(
      'kept: it came after the last request that was too large (326 tokens > 300 (threshold))',
    );
    expect(reports[0]?.meta).toMatchObject({ cleared_tool_uses: 2, edited_before: 7 });
  });

  it('says what is missing to the threshold', () => {
    expect(run(messages, 'inspect_edit', {}).fates[0]?.reason).toBe(
      'kept: no request was larger than 326 tokens: not > 900 (threshold 0.9 of 1,000)',
    );
  });
});

describe('CompactionTrim', () => {
  const messages: Message[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'the task' },
    ...Array.from({ length: 5 }, (_, at) => [call(`c${at}`, 'read'), result(`c${at}`, 40)]).flat(),
  ];

  it.each<[string, Record<string, unknown>, string]>([
    ['not reached', { threshold: 300 }, 'ke ke ke ke ke ke ke ke ke ke ke ke'],
    ['a fifth of ten goes', { threshold: 230 }, 'ke ke dr dr ke ke ke ke ke ke ke ke'],
    ['a result without its call goes too', { threshold: 230, preserve: 0.7 }, 'ke ke dr dr dr dr ke ke ke ke ke ke'],
    ['nothing of the conversation', { threshold: 230, preserve: 0 }, 'ke ke dr dr dr dr dr dr dr dr dr dr'],
  ])('%s', (_name, options, expected) => {
    expect(letters(run(messages, 'inspect_trim', options).fates)).toBe(expected);
  });

  it('input is what is marked as such', () => {
    const marked = messages.map((message, at) => (at === 1 ? { ...message, source: 'input' } : message));
    const second = [...marked.slice(0, 2), { role: 'user', content: 'more', source: 'input' }, ...marked.slice(2)];
    expect(letters(run(second, 'inspect_trim', { threshold: 230, preserve: 0 }).fates)).toBe(
      'ke ke ke dr dr dr dr dr dr dr dr dr dr',
    );
  });

  it('a call without a result goes', () => {
    const open = [...messages.slice(0, 3), { role: 'assistant', content: 'never mind' }, ...messages.slice(4)];
    const { fates } = run(open, 'inspect_trim', { threshold: 200, preserve: 1 });
    expect(fates[2]).toMatchObject({ kind: 'dropped', rule: 'unpaired' });
  });

  it('refuses a share beyond 1', () => {
    expect(() => run(messages, 'inspect_trim', { preserve: 1.5 })).toThrow('preserve must be 1 or less');
  });
});
