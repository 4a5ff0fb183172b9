// Anthropic's `context_management`. Source: platform.claude.com, build-with-claude/context-editing, /compaction,
// /compaction-on-demand (September 2026); types of @anthropic-ai/sdk 1.11.0.

import { anthropicClearThinking, anthropicClearToolUses, anthropicCompaction } from '../../stages/vendors/index.ts';
import { countOf } from '../../util/counts.ts';
import { paramsOf, type Said, type SettingStage } from './types.ts';

/** One entry of `context_management.edits`. */
export type AnthropicEdit = Readonly<Record<string, unknown>> & { readonly type: string };

const BETA = { clear: 'context-management-2025-06-27', compact: 'compact-2026-01-12' };

/** The edit that a stage is; a sentence where it is one that the API has no setting for. */
export function anthropicEdit(stage: SettingStage): Said<AnthropicEdit> | string | null {
  return clearToolUses(stage) ?? clearThinking(stage) ?? compaction(stage);
}

function clearToolUses(stage: SettingStage): Said<AnthropicEdit> | null {
  const params = paramsOf(stage, anthropicClearToolUses);
  if (params === null) return null;
  const { triggerType, trigger, keep, clearAtLeast, excludeTools, clearToolInputs, inputsOf } = params;
  const value: AnthropicEdit = {
    type: 'clear_tool_uses_20250919',
    trigger: { type: triggerType, value: trigger },
    keep: { type: 'tool_uses', value: keep },
    ...(clearAtLeast > 0 && { clear_at_least: { type: 'input_tokens', value: clearAtLeast } }),
    ...(excludeTools.size > 0 && { exclude_tools: [...excludeTools] }),
    ...(clearToolInputs && { clear_tool_inputs: inputsOf.size === 0 ? true : [...inputsOf] }),
  };
  return { value };
}

function clearThinking(stage: SettingStage): Said<AnthropicEdit> | null {
  const params = paramsOf(stage, anthropicClearThinking);
  if (params === null) return null;
  const { turns } = params;
  const type = 'clear_thinking_20251015';
  if (turns === null) return { value: { type, keep: 'all' } };
  if (turns !== 'model') return { value: { type, keep: { type: 'thinking_turns', value: turns } } };
  return { value: { type }, notes: ['Without "keep" thinking stays as the model of the request has it by itself.'] };
}

function compaction(stage: SettingStage): Said<AnthropicEdit> | string | null {
  const params = paramsOf(stage, anthropicCompaction);
  if (params === null) return null;
  const { mode, trigger, pauseAfterCompaction, instructions, askAbove } = params;
  if (mode === 'on_demand') {
    return `the API has no threshold for it: the client itself asks above ${countOf(askAbove, 'token')}, by a request with compaction: {"type": "summarize"}, and sends the block in place of what it covers`;
  }
  const value: AnthropicEdit = {
    type: 'compact_20260112',
    trigger: { type: 'input_tokens', value: trigger },
    ...(pauseAfterCompaction && { pause_after_compaction: true }),
    ...(instructions !== null && { instructions }),
  };
  const paused = 'After a pause the client itself puts the messages that are to stay behind the summary.';
  return { value, ...(pauseAfterCompaction && { notes: [paused] }) };
}

/** The members of the request, and the header they need. The clearing of thinking comes first: the API takes no other order. */
export function anthropicCode(edits: readonly AnthropicEdit[]): {
  readonly code: string;
  readonly notes: readonly string[];
} {
  const isFirst = (edit: AnthropicEdit): boolean => edit.type.startsWith('clear_thinking_');
  const ordered = [...edits.filter(isFirst), ...edits.filter((edit) => !isFirst(edit))];
  const betas = new Set(edits.map(({ type }) => (type.startsWith('compact_') ? BETA.compact : BETA.clear)));
  const types = edits.map(({ type }) => type);
  return {
    code: JSON.stringify({ context_management: { edits: ordered } }, null, 2),
    notes: [
      `Needs the header anthropic-beta: ${[...betas].join(',')}.`,
      ...(ordered.some((edit, at) => edit !== edits[at])
        ? ['The policy clears thinking later; the API takes that edit first alone.']
        : []),
      ...(new Set(types).size < types.length
        ? ['The policy has an edit twice: whether the API takes that is not documented.']
        : []),
    ],
  };
}
