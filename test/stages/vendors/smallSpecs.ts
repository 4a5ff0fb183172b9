// Specs of the vendors' stages with thresholds that short transcripts reach.

const of = (kind: string, options: Record<string, unknown>) => ({ version: 1, stages: [{ kind, options }] });

/** One or more for each stage. */
export const SMALL_SPECS: readonly { readonly version: number; readonly stages: readonly unknown[] }[] = [
  of('anthropic_clear_tool_uses', { trigger: 500, keep: 2 }),
  of('anthropic_clear_tool_uses', { trigger_type: 'tool_uses', trigger: 3, keep: 0, clear_tool_inputs: true }),
  of('anthropic_clear_tool_uses', { trigger: 500, keep: 1, clear_tool_inputs: ['Read', 'read', 'Bash', 'shell'] }),
  of('anthropic_clear_thinking', {}),
  of('anthropic_clear_thinking', { turns: 1 }),
  {
    version: 1,
    stages: [
      { kind: 'anthropic_clear_thinking', options: { turns: 1 } },
      { kind: 'anthropic_clear_tool_uses', options: { trigger: 300, keep: 1 } },
    ],
  },
  of('anthropic_compaction', { trigger: 50_000 }),
  of('anthropic_compaction', { mode: 'on_demand', ask_above: 500 }),
  of('anthropic_compaction', { mode: 'on_demand', ask_above: 600, keep_turns: 2 }),
  of('anthropic_compaction', { mode: 'on_demand', ask_above: 400, keep_turns: 1, background: 3 }),
  of('openai_compaction', { compact_threshold: 700 }),
  of('openai_compaction', { standalone: true }),
  of('openai_compaction', { standalone: true, ask_above: 500 }),
  of('openai_truncation', { window: 900 }),
  of('adk_compaction', { compaction_interval: 2, overlap_size: 1 }),
  of('adk_compaction', { compaction_interval: 0, token_threshold: 500, event_retention_size: 3 }),
  of('langchain_clear_tool_uses', { trigger_tokens: 400, keep: 2, clear_tool_inputs: true }),
  of('langchain_clear_tool_uses', {
    trigger: [
      { tokens: 9000, messages: 3 },
      { tokens: 300, messages: 4 },
    ],
    keep: 1,
  }),
  of('langchain_trim_messages', { max_tokens: 600, start_on: ['human'] }),
  of('langchain_trim_messages', { max_tokens: 600, strategy: 'first', allow_partial: true }),
  of('vercel_prune_messages', { reasoning: 'all', tool_calls: 'before-last-3-messages' }),
  of('vercel_prune_messages', { reasoning: 'before-last-message', tool_calls: 'all', empty_messages: 'keep' }),
  of('pi_compaction', { window: 1200, reserve_tokens: 200, keep_recent_tokens: 300 }),
  of('inspect_edit', { threshold: 600, keep_tool_uses: 2 }),
  of('inspect_edit', { threshold: 600, keep_tool_uses: 1, keep_tool_inputs: false, keep_thinking_turns: 0 }),
  of('inspect_trim', { threshold: 700, preserve: 0.5 }),
];
