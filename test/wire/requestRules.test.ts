import { describe, expect, it } from 'vitest';
import { lintRequest, type ProviderRequest } from '../../core/wire/requestRules/index.ts';

const BLOCK = { type: 'compaction', content: 'line two is wrong', signature: 'sig', encrypted_content: null };
const ASKED = { compaction: { type: 'summarize' } };
const HISTORY = [
  { role: 'user', content: 'Mend it.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read', input: {} }] },
];

function rules(given: Partial<ProviderRequest>) {
  const request: ProviderRequest = {
    provider: 'anthropic',
    model: 'claude-opus-5-5',
    betas: ['compact-2026-09-04'],
    settings: {},
    messages: [{ role: 'user', content: 'Go on.' }],
    ...given,
  };
  return lintRequest(request).map(({ rule, severity, text, ...rest }) => [rule, rest] as const);
}

describe('compaction on demand', () => {
  it.each([
    [{ ...ASKED, stop_sequences: ['x'] }, 'stop_sequences'],
    [{ ...ASKED, output_config: { format: { type: 'json_schema' } } }, 'output_config.format'],
    [{ ...ASKED, tool_choice: { type: 'any' } }, 'tool_choice'],
    [
      { ...ASKED, output_config: { task_budget: { type: 'tokens', total: 9, remaining: 5 } } },
      'output_config.task_budget.remaining',
    ],
    [{ compaction: { type: 'summarize', instructions: 'x'.repeat(16_385) } }, 'compaction.instructions'],
  ])('is refused beside %j', (settings, field) => {
    expect(rules({ settings })).toEqual([['compaction_request', { field }]]);
  });

  it.each([
    { ...ASKED, stop_sequences: [], tool_choice: { type: 'auto' }, output_config: { effort: 'low' } },
    { compaction: { type: 'summarize', instructions: ' '.repeat(20_000) } },
    { compaction: { type: 'summarize', instructions: '😀'.repeat(16_384) } },
    { compaction: null, context_management: { edits: [] } },
  ])('is taken as %j', (settings) => {
    expect(rules({ settings })).toEqual([]);
  });

  it('needs a turn that is over, and something to summarise', () => {
    expect(rules({ settings: ASKED, messages: HISTORY })).toEqual([
      ['compaction_open_call', { message: 1, block: 0, errorCode: 'compaction_incomplete_turn' }],
    ]);
    expect(rules({ settings: ASKED, messages: [{ role: 'system', content: 'Be brief.' }] })).toContainEqual([
      'compaction_request',
      { field: 'messages', errorCode: 'compaction_nothing_to_summarize' },
    ]);
  });

  it('compares the block with the recorded one, member by member', () => {
    const sent = (block: object, recorded: object) =>
      rules({
        messages: [{ role: 'assistant', content: [block] }, ...HISTORY.slice(0, 1)],
        recorded: () => ({ block: recorded, summarised: null }),
      }).map(([, { errorCode = null }]) => errorCode);
    const changes = { ...BLOCK, tool_changes: [] };
    expect(sent(BLOCK, BLOCK)).toEqual([]);
    expect(sent({ ...BLOCK, cache_control: { type: 'ephemeral' } }, BLOCK)).toEqual([]);
    expect(sent({ ...BLOCK, signature: 'other' }, BLOCK)).toEqual(['compaction_signature_invalid']);
    expect(sent(BLOCK, changes)).toEqual(['compaction_tool_changes_mismatch']);
    expect(sent({ ...BLOCK, tool_changes: null }, changes)).toEqual(['compaction_tool_changes_mismatch']);
    expect(sent({ ...BLOCK, encrypted_content: 'x' }, BLOCK)).toEqual([null]);
    expect(sent({ ...BLOCK, text: null }, BLOCK)).toEqual([null]);
  });

  it('notes where kept turns begin, and what should have left', () => {
    const kept = [
      { role: 'assistant', content: [BLOCK] },
      { role: 'user', content: 'Go on.' },
    ];
    const summarised = [{ role: 'user', content: 'Mend it.' }];
    const recorded = () => ({ block: BLOCK, summarised });
    expect(rules({ messages: kept, recorded })).toEqual([['compaction_cut', { message: 1 }]]);
    const system = [...kept.slice(0, 1), { role: 'system', content: 'Be brief.' }, { role: 'assistant', content: 'b' }];
    expect(rules({ messages: system })).toEqual([['compaction_cut', { message: 1 }]]);
    expect(rules({ messages: [...kept.slice(0, 1), ...summarised, ...kept.slice(1)], recorded })).toEqual([
      ['compaction_cut', { message: 1 }],
      ['compaction_leftover', { message: 1 }],
    ]);
  });

  it('leaves blocks made at a threshold, and failed ones, where they stand', () => {
    const threshold = { type: 'compaction', content: 'S', encrypted_content: 'e' };
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [threshold, { type: 'text', text: 'b' }] },
      { role: 'user', content: 'c' },
      { role: 'assistant', content: [threshold] },
      { role: 'user', content: [{ ...BLOCK, content: null }] },
    ];
    expect(rules({ messages, betas: ['compact-2026-01-12', 'compact-2026-09-04'] })).toEqual([]);
  });

  it('tells which headers are needed where none are known', () => {
    const settings = {
      context_management: { edits: [{ type: 'compact_20260112' }, { type: 'clear_tool_uses_20250919' }] },
    };
    const found = rules({ settings, betas: null });
    expect(found.map(([, { beta }]) => beta)).toEqual(['compact-2026-01-12', 'context-management-2025-06-27']);
  });
});

describe('context editing', () => {
  it('takes the clearing of thinking first, and compactions from 50,000 tokens on', () => {
    const betas = ['context-management-2025-06-27', 'compact-2026-01-12'];
    const of = (...edits: readonly object[]) => rules({ settings: { context_management: { edits } }, betas });
    const thinking = { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } };
    const uses = { type: 'clear_tool_uses_20250919' };
    const compact = (value: number) => ({ type: 'compact_20260112', trigger: { type: 'input_tokens', value } });
    expect(of(thinking, uses, compact(50_000))).toEqual([]);
    expect(of(uses, thinking)).toEqual([['edit_order', { field: 'context_management.edits' }]]);
    expect(of(compact(49_999))).toEqual([['edit_value', { field: 'context_management.edits[0].trigger.value' }]]);
    expect(of({ ...thinking, keep: { type: 'thinking_turns', value: 0 } })).toEqual([
      ['edit_value', { field: 'context_management.edits[0].keep.value' }],
    ]);
  });
});

describe('Responses', () => {
  it('takes a compaction trigger at the end alone', () => {
    const trigger = { type: 'compaction_trigger' };
    const user = { role: 'user', content: 'one' };
    const of = (messages: readonly object[]) => rules({ provider: 'openai', messages });
    expect(of([user, trigger])).toEqual([]);
    expect(of([trigger, user, trigger])).toEqual([['compaction_misplaced', { item: 0 }]]);
  });
});
