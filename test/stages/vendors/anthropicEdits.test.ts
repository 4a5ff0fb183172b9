// Anthropic's context edits, rule by rule as documented.
import { describe, expect, it } from 'vitest';
import { project } from '../../../core/projection/project.ts';
import { createBudget } from '../../../core/tokens/budget.ts';
import { characterTokens } from '../../support/characterTokens.ts';
import { projectedMessages, stagesOf, transcriptOf } from '../../support/projecting.ts';

type Message = Readonly<Record<string, unknown>>;

function run(messages: readonly Message[], kind: string, options: Record<string, unknown>) {
  const source = transcriptOf(messages);
  const stages = stagesOf({ version: 1, stages: [{ kind, options }] });
  return project(source, stages, source.length, { tokens: characterTokens(messages) });
}

const ask = (text: string): Message => ({ role: 'user', content: text });
const use = (id: string, name: string, input: unknown = { q: 'what' }): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name, input }],
});
const result = (id: string, chars: number): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: 'r'.repeat(chars) }],
});

describe('clear_tool_uses_20250919', () => {
  const messages = [
    ask('go'),
    use('a', 'read'),
    result('a', 100),
    use('b', 'web_search'),
    result('b', 100),
    use('c', 'read'),
    result('c', 100),
    use('d', 'read'),
    result('d', 100),
  ];
  const kinds = (options: Record<string, unknown>) =>
    run(messages, 'anthropic_clear_tool_uses', options)
      .fates.map(({ kind }) => kind[0])
      .join('');

  it.each<[string, Record<string, unknown>, string]>([
    ['the default trigger is not reached', {}, 'kkkkkkkkk'],
    ['exactly the trigger is not more than it', { trigger: 472 }, 'kkkkkkkkk'],
    ['more than the trigger', { trigger: 471 }, 'kkrkkkkkk'],
    ['by tool uses', { trigger: { type: 'tool_uses', value: 3 }, keep: { type: 'tool_uses', value: 1 } }, 'kkrkrkrkk'],
    [
      'not more tool uses',
      { trigger: { type: 'tool_uses', value: 4 }, keep: { type: 'tool_uses', value: 1 } },
      'kkkkkkkkk',
    ],
    ['keep none', { trigger: 0, keep: 0 }, 'kkrkrkrkr'],
    ['an excluded tool stays', { trigger: 0, keep: 1, exclude_tools: ['web_search'] }, 'kkrkkkrkk'],
    ['an excluded tool counts towards keep', { trigger: 0, keep: 3, exclude_tools: ['read'] }, 'kkkkkkkkk'],
    ['inputs too', { trigger: 0, keep: 2, clear_tool_inputs: true }, 'krrrrkkkk'],
    ['inputs of one tool', { trigger: 0, keep: 1, clear_tool_inputs: ['web_search'] }, 'kkrrrkrkk'],
    ['inputs of no tool', { trigger: 0, keep: 2, clear_tool_inputs: [] }, 'kkrkrkkkk'],
    ['inputs null', { trigger: 0, keep: 2, clear_tool_inputs: null }, 'kkrkrkkkk'],
    [
      'inputs of an excluded tool stay',
      { trigger: 0, keep: 1, clear_tool_inputs: ['read', 'web_search'], exclude_tools: ['web_search'] },
      'krrkkrrkk',
    ],
    ['too little to clear', { trigger: 0, keep: 3, clear_at_least: { type: 'input_tokens', value: 80 } }, 'kkkkkkkkk'],
    ['enough to clear', { trigger: 0, keep: 3, clear_at_least: { type: 'input_tokens', value: 79 } }, 'kkrkkkkkk'],
  ])('%s', (_name, options, expected) => {
    expect(kinds(options)).toBe(expected);
  });

  it('takes the API’s own JSON under its own name', () => {
    const edit = {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'input_tokens', value: 30_000 },
      keep: { type: 'tool_uses', value: 3 },
      clear_at_least: { type: 'input_tokens', value: 5000 },
      exclude_tools: ['web_search'],
    };
    const [stage] = stagesOf({ version: 1, stages: [{ kind: 'clear_tool_uses_20250919', options: edit }] });
    expect(stage?.bound.params).toEqual({
      triggerType: 'input_tokens',
      trigger: 30_000,
      keep: 3,
      clearAtLeast: 5000,
      excludeTools: new Set(['web_search']),
      clearToolInputs: false,
      inputsOf: new Set(),
    });
  });

  it('edits the body alone, points to the raw, and explains every message', () => {
    const projection = run(messages, 'anthropic_clear_tool_uses', {
      trigger: 471,
      keep: 3,
      exclude_tools: ['web_search'],
    });
    expect(projectedMessages(messages, projection)[2]).toEqual({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: '[tool result cleared]' }],
    });
    expect(projection.pointers).toMatchObject([
      { source: 'transcript.messages[2].content[0].content', content_chars: 100, tool_call_id: 'a' },
    ]);
    const { fates, reports } = projection;
    expect(fates[2]).toMatchObject({
      reason: '472 tokens > 471 (trigger); older than the last 3 tool uses (keep)',
      chip: '−79 tok',
    });
    expect(fates[4]?.reason).toBe('kept: among the last 3 tool uses (keep)');
    expect(fates[0]?.reason).toBe('kept: it holds no result that may be cleared');
    expect(reports[0]).toMatchObject({
      summary: '1 tool use cleared',
      meta: { cleared_tool_uses: 1, cleared_input_tokens: 79 },
    });
  });

  it('says what is missing to the trigger and to clear_at_least', () => {
    expect(run(messages, 'anthropic_clear_tool_uses', {}).fates[2]?.reason).toBe(
      'kept: 472 tokens, not more than 100,000 (trigger)',
    );
    expect(run(messages, 'anthropic_clear_tool_uses', { trigger: 9, clear_at_least: 500 }).fates[2]?.reason).toBe(
      'kept: 472 tokens > 9 (trigger), but only 79 tokens could be cleared: fewer than 500 (clear_at_least)',
    );
  });

  it.each<[string, readonly Message[], unknown]>([
    [
      'OpenAI chat',
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"q":1}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'long' },
      ],
      [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '[tool result cleared]' },
      ],
    ],
    [
      'Gemini',
      [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { q: 1 } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'long' } } }] },
      ],
      [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: '[tool result cleared]' } } }] },
      ],
    ],
    [
      'pi',
      [
        { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'f', arguments: { q: 1 } }] },
        { role: 'toolResult', toolCallId: 'a', toolName: 'f', content: [{ type: 'text', text: 'long' }] },
      ],
      [
        { role: 'assistant', content: [{ type: 'toolCall', id: 'a', name: 'f', arguments: {} }] },
        {
          role: 'toolResult',
          toolCallId: 'a',
          toolName: 'f',
          content: [{ type: 'text', text: '[tool result cleared]' }],
        },
      ],
    ],
  ])('clears results and inputs of %s', (_name, given, expected) => {
    const projection = run(given, 'anthropic_clear_tool_uses', { trigger: 0, keep: 0, clear_tool_inputs: true });
    expect(projectedMessages(given, projection)).toEqual(expected);
  });
});

describe('clear_thinking_20251015 without a word of what to keep', () => {
  const parts = { window: 9, reserveOutput: 0, injectionReserve: 0, caps: {} };
  const thought = { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 's' }] };
  const given = [ask('a'), thought, ask('b'), thought, ask('c')];
  const cleared = (model: string | undefined, options: object = {}) => {
    const stages = stagesOf({ version: 1, stages: [{ kind: 'anthropic_clear_thinking', options }] });
    const source = transcriptOf(given);
    const [report] = project(source, stages, source.length, { budget: createBudget({ ...parts, model }) }).reports;
    return report?.meta?.cleared_thinking_turns ?? 0;
  };

  it.each([
    ['claude-opus-4-5-20251101', 0],
    ['claude-opus-5-5', 0],
    ['claude-sonnet-4-6', 0],
    ['claude-sonnet-5', 0],
    ['claude-fable-5-1', 0],
    ['claude-mythos-preview', 0],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 1],
    ['claude-sonnet-4-5', 1],
    ['claude-sonnet-4-20250514', 1],
    ['claude-3-7-sonnet-20250219', 1],
    ['claude-haiku-4-5', 1],
    ['gpt-5', 1],
    [undefined, 1],
  ])('%s clears the thinking of %i turns', (model, turns) => {
    expect(cleared(model)).toBe(turns);
  });

  it('does as it is asked whatever the model', () => {
    expect(cleared('claude-opus-5-5', { turns: 1 })).toBe(1);
    expect(cleared('claude-opus-5-5', { keep: { type: 'thinking_turns', value: 1 } })).toBe(1);
    expect(cleared('claude-opus-4-1', { keep: 'all' })).toBe(0);
  });
});

describe('clear_thinking_20251015', () => {
  const think = (text: string, ...more: unknown[]): Message => ({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: text, signature: 's' }, ...more],
  });
  const tool = { type: 'tool_use', id: 'a', name: 'f', input: {} };
  // Three turns with thinking, one of them with two thinking blocks around a tool call; one turn without.
  const messages = [
    ask('1'),
    think('one', { type: 'text', text: 'first' }),
    ask('2'),
    think('two', tool),
    result('a', 1),
    think('two again', { type: 'text', text: 'second' }),
    ask('3'),
    { role: 'assistant', content: 'third' },
    ask('4'),
    think('four'),
  ];
  const kinds = (options: Record<string, unknown>) =>
    run(messages, 'anthropic_clear_thinking', options)
      .fates.map(({ kind }) => kind.slice(0, 2))
      .join(' ');

  it.each<[string, Record<string, unknown>, string]>([
    ['the last turn with thinking', {}, 'ke re ke re ke re ke ke ke ke'],
    ['the last two', { keep: { type: 'thinking_turns', value: 2 } }, 'ke re ke ke ke ke ke ke ke ke'],
    ['as many as there are', { keep: { type: 'thinking_turns', value: 3 } }, 'ke ke ke ke ke ke ke ke ke ke'],
    ['all', { keep: 'all' }, 'ke ke ke ke ke ke ke ke ke ke'],
    ['all, as an object', { keep: { type: 'all' } }, 'ke ke ke ke ke ke ke ke ke ke'],
  ])('keeps %s', (_name, options, expected) => {
    expect(kinds(options)).toBe(expected);
  });

  it('needs one turn at least', () => {
    const [problem] = ['0'].map(() => () => kinds({ keep: { type: 'thinking_turns', value: 0 } }));
    expect(problem).toThrow('1 or more');
  });

  it('takes the blocks alone, drops a message that held nothing else, and says why', () => {
    const given = [...messages, ask('5'), think('five', { type: 'text', text: 'fifth' })];
    const projection = run(given, 'anthropic_clear_thinking', { turns: 1 });
    expect(projectedMessages(given, projection)[1]).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: 'first' }],
    });
    expect(projection.fates[9]).toMatchObject({
      kind: 'dropped',
      reason: 'older than the last 1 assistant turn with thinking (keep)',
    });
    expect(projection.fates[11]?.reason).toBe('kept: its turn is among the last 1 assistant turn with thinking (keep)');
    expect(projection.fates[7]?.reason).toBe('kept: it holds no thinking');
    expect(projection.reports[0]?.meta).toEqual({ cleared_thinking_turns: 3, cleared_input_tokens: 19 });
  });
});

describe('truncation: auto', () => {
  const messages = [
    { role: 'developer', content: 'Be brief.' },
    ask('a'.repeat(100)),
    use('a', 'read', {}),
    result('a', 100),
    ask('b'.repeat(100)),
  ];

  it.each<[string, Record<string, unknown>, string]>([
    ['it fits', { window: 315 }, 'kkkkk'],
    ['the oldest goes', { window: 314 }, 'kdkkk'],
    ['an output goes with its call', { window: 210 }, 'kdddk'],
    ['the last message stays', { window: 10 }, 'kdddk'],
    ['disabled', { window: 10, truncation: 'disabled' }, 'kkkkk'],
  ])('%s', (_name, options, expected) => {
    const { fates } = run(messages, 'openai_truncation', options);
    expect(fates.map(({ kind }) => kind[0]).join('')).toBe(expected);
  });

  it('says why', () => {
    const { fates } = run(messages, 'openai_truncation', { window: 210 });
    expect(fates.map(({ reason }) => reason)).toEqual([
      'kept: leading instructions are not dropped',
      '315 tokens > 210 (window); the oldest go first',
      '315 tokens > 210 (window); the oldest go first',
      'its call was dropped: 315 tokens > 210 (window); the oldest go first',
      'kept: from here on the messages fit 210 tokens (window)',
    ]);
  });
});
