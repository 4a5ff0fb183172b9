// pruneMessages against the AI SDK itself: the same messages with the same parts, on random histories and by example.
import { type ModelMessage, pruneMessages } from 'ai';
import { describe, expect, it } from 'vitest';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { projectedMessages, projectMessages } from '../../support/projecting.ts';

type Options = Omit<Parameters<typeof pruneMessages>[0], 'messages'>;
type AssistantContent = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>;
type ToolContent = Extract<ModelMessage, { role: 'tool' }>['content'];

const TOOLS = ['read', 'write', 'search'];

/** A history as the AI SDK holds it: reasoning, parallel calls, approvals, results the provider gave, empty messages. */
function randomHistory(rng: Rng): ModelMessage[] {
  const messages: ModelMessage[] = rng.chance(0.3) ? [{ role: 'system', content: 'Be brief.' }] : [];
  let calls = 0;
  for (let turn = 0; turn < 2 + rng.below(6); turn++) {
    if (rng.chance(0.5)) messages.push({ role: 'user', content: rng.chance(0.1) ? '' : `question ${turn}` });
    if (rng.chance(0.15)) {
      messages.push({ role: 'assistant', content: rng.pick(['done', '']) });
      continue;
    }
    const content: AssistantContent = [];
    const results: ToolContent = [];
    const approvals: ToolContent = [];
    for (let i = 0; i < rng.below(4); i++) {
      if (rng.chance(0.4)) content.push({ type: 'reasoning', text: `thought ${i}` });
      if (rng.chance(0.3)) content.push({ type: 'text', text: `said ${i}` });
      if (rng.chance(0.3)) continue;
      const toolCallId = `call_${calls++}`;
      const toolName = rng.pick(TOOLS);
      content.push({ type: 'tool-call', toolCallId, toolName, input: { i } });
      const result = { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: 'ok' } } as const;
      if (rng.chance(0.15)) {
        content.push({ type: 'tool-approval-request', approvalId: `ok_${toolCallId}`, toolCallId });
        const response = { type: 'tool-approval-response', approvalId: `ok_${toolCallId}`, approved: true } as const;
        if (rng.chance()) results.push(response);
        else approvals.push(response);
      }
      if (rng.chance(0.1)) content.push(result);
      else if (!rng.chance(0.05)) results.push(result);
    }
    messages.push({ role: 'assistant', content });
    for (const approval of approvals) messages.push({ role: 'tool', content: [approval] });
    if (results.some(({ type }) => type === 'tool-result')) messages.push({ role: 'tool', content: results });
  }
  return messages;
}

function randomOptions(rng: Rng): Options {
  const type = rng.pick(['all', 'before-last-message', 'before-last-2-messages', 'before-last-5-messages'] as const);
  const tools = rng.chance(0.4) ? { tools: rng.shuffle(TOOLS).slice(0, 1 + rng.below(2)) } : {};
  return {
    reasoning: rng.pick(['none', 'all', 'before-last-message']),
    toolCalls: rng.chance(0.2) ? 'none' : [{ type, ...tools }],
    emptyMessages: rng.pick(['keep', 'remove']),
  };
}

// A message that held an approval and nothing else is read as one result: it goes as a whole, and leaves no empty one.
function withoutEmptyResults(messages: readonly unknown[]): readonly unknown[] {
  return messages.filter((message) => JSON.stringify(message) !== '{"role":"tool","content":[]}');
}

function ours(messages: readonly ModelMessage[], options: Options): unknown[] {
  const spec = { version: 1, stages: [{ kind: 'vercel_prune_messages', options }] };
  return projectedMessages(messages, projectMessages(messages, spec));
}

describe('the same as pruneMessages', () => {
  it('on random histories', () => {
    for (let seed = 1; seed <= 600; seed++) {
      const rng = seededRng(seed);
      const messages = randomHistory(rng);
      const options = randomOptions(rng);
      const expected = withoutEmptyResults(JSON.parse(JSON.stringify(pruneMessages({ ...options, messages }))));
      expect(withoutEmptyResults(ours(messages, options)), `replay: seed ${seed}, ${JSON.stringify(options)}`).toEqual(
        expected,
      );
    }
  });

  it.each<[string, Options]>([
    [
      'the documentation’s example',
      { reasoning: 'before-last-message', toolCalls: 'before-last-2-messages', emptyMessages: 'remove' },
    ],
    ['all reasoning', { reasoning: 'all' }],
    ['one tool', { toolCalls: [{ type: 'all', tools: ['read'] }] }],
    ['nothing', {}],
  ])('%s', (_name, options) => {
    const messages = randomHistory(seededRng(77));
    expect(ours(messages, options)).toEqual(JSON.parse(JSON.stringify(pruneMessages({ ...options, messages }))));
  });
});

describe('other formats', () => {
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
  const chat = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: null, reasoning_content: 'hm', tool_calls: [call('1', 'read')] },
    { role: 'tool', tool_call_id: '1', content: 'one' },
    { role: 'assistant', content: 'so', tool_calls: [call('2', 'read')] },
    { role: 'tool', tool_call_id: '2', content: 'two' },
    { role: 'user', content: 'b' },
  ];
  const spec = (options: Record<string, unknown>) => ({
    version: 1,
    stages: [{ kind: 'vercel_prune_messages', options }],
  });

  it('a message that is a result as a whole goes; reasoning goes with the call it led to', () => {
    const projection = projectMessages(chat, spec({ tool_calls: 'before-last-2-messages', empty_messages: 'keep' }));
    expect(projectedMessages(chat, projection)).toEqual([
      chat[0],
      { role: 'assistant', content: null },
      { role: 'assistant', content: 'so', tool_calls: [call('2', 'read')] },
      chat[4],
      chat[5],
    ]);
    expect(projection.fates.map(({ kind, rule }) => `${kind} ${rule}`)).toEqual([
      'kept not_concerned',
      'rewritten tool_call_pruned',
      'dropped tool_call_pruned',
      'kept needed_by_last',
      'kept last_messages',
      'kept last_messages',
    ]);
  });

  it('reasoning beside the content goes too', () => {
    const projection = projectMessages(chat, spec({ reasoning: 'all' }));
    expect(projectedMessages(chat, projection)[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [call('1', 'read')],
    });
    expect(projection.fates[1]).toMatchObject({ kind: 'rewritten', reason: 'all reasoning goes (reasoning: all)' });
  });
});
