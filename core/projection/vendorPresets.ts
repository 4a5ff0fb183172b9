// browser-safe
// Each vendor's own context editing as a ready spec, with the figures of its documentation.
import type { Preset, PresetGroup } from './presets.ts';
import type { StageSpec } from './types.ts';

function preset(group: PresetGroup, name: string, title: string, help: string, stages: readonly StageSpec[]): Preset {
  return { name, title, help, group, spec: { version: 1, name, stages } };
}

const CLEAR_TOOL_USES: StageSpec = { kind: 'anthropic_clear_tool_uses' };

/** The presets of the vendors, grouped. */
export const VENDOR_PRESETS: readonly Preset[] = [
  preset(
    'Anthropic',
    'anthropic_clear_tool_uses',
    'Clear tool uses',
    'Old tool results give way to a placeholder once the prompt exceeds 100,000 tokens; the last three stay.',
    [CLEAR_TOOL_USES],
  ),
  preset(
    'Anthropic',
    'anthropic_clear_thinking',
    'Clear thinking',
    'Only the last assistant turn with thinking keeps it.',
    [{ kind: 'anthropic_clear_thinking', options: { keep: 'thinking_turns' } }],
  ),
  preset(
    'Anthropic',
    'anthropic_context_editing',
    'Context editing',
    'Both edits, with the figures of the documentation’s example: thinking of two turns, five tool uses over 50,000 tokens.',
    [
      { kind: 'anthropic_clear_thinking', options: { turns: 2 } },
      { kind: 'anthropic_clear_tool_uses', options: { trigger: 50_000, keep: 5 } },
    ],
  ),
  preset(
    'Anthropic',
    'anthropic_compaction',
    'Compaction',
    'A summary in place of everything whenever a request reaches 150,000 tokens.',
    [{ kind: 'anthropic_compaction' }],
  ),
  preset(
    'Anthropic',
    'anthropic_compaction_on_demand',
    'Compaction on demand',
    'The client asks for a summary before a request would reach 150,000 tokens; the last two turns stay word for word.',
    [{ kind: 'anthropic_compaction', options: { mode: 'on_demand', keep_turns: 2 } }],
  ),
  preset(
    'OpenAI',
    'openai_truncation',
    'Truncation: auto',
    'The oldest messages go until the rest fits the context window.',
    [{ kind: 'openai_truncation' }],
  ),
  preset(
    'OpenAI',
    'openai_compaction',
    'Compaction',
    'One opaque item in place of everything whenever a request reaches 200,000 tokens.',
    [{ kind: 'openai_compaction' }],
  ),
  preset(
    'OpenAI',
    'openai_compaction_endpoint',
    'Compaction endpoint',
    'The client asks for it before a request would reach 200,000 tokens: its user’s messages stay, one opaque item replaces the rest.',
    [{ kind: 'openai_compaction', options: { standalone: true, ask_above: 200_000 } }],
  ),
  preset(
    'Google ADK',
    'adk_compaction',
    'Events compaction',
    'Every three turns a summary of them and the one before, as in the documentation’s example.',
    [{ kind: 'adk_compaction' }],
  ),
  preset(
    'LangChain',
    'langchain_clear_tool_uses',
    'Clear tool uses',
    'Old tool results give way to a placeholder from 100,000 tokens on; the last three stay.',
    [{ kind: 'langchain_clear_tool_uses' }],
  ),
  preset(
    'LangChain',
    'langchain_trim_from_human',
    'Trim messages',
    'The last 100,000 tokens, from a message of a person on, and the system message.',
    [
      {
        kind: 'langchain_trim_messages',
        options: { strategy: 'last', start_on: ['human'], end_on: ['human', 'tool'], include_system: true },
      },
    ],
  ),
  preset(
    'Vercel AI SDK',
    'vercel_prune_before_last_2',
    'Prune messages',
    'Reasoning only in the last message, tool calls only in the last two, as in the documentation’s example.',
    [
      {
        kind: 'vercel_prune_messages',
        options: { reasoning: 'before-last-message', tool_calls: 'before-last-2-messages', empty_messages: 'remove' },
      },
    ],
  ),
  preset(
    'pi',
    'pi_compaction',
    'Compaction',
    'A summary in place of all but the last 20,000 tokens when fewer than 16,384 of the window are left.',
    [{ kind: 'pi_compaction' }],
  ),
  preset(
    'inspect_ai',
    'inspect_edit',
    'Compaction by editing',
    'Tool results and reasoning are cleared whenever a request fills nine tenths of the window.',
    [{ kind: 'inspect_edit' }],
  ),
  preset(
    'inspect_ai',
    'inspect_trim',
    'Compaction by trimming',
    'The oldest fifth of the messages goes whenever a request fills nine tenths of the window.',
    [{ kind: 'inspect_trim' }],
  ),
];
