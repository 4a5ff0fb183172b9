// What a provider says it cleared of a request, held against what the stage of that edit would clear. Where the two
// disagree the recording is believed: the provider counts by its own tokenizer, and its placeholder is not documented.
import type { AppliedEdit, MessageMeta } from '../model/message.ts';
import type { StageReport } from '../view/types.ts';

/** The recorded clearing of tool uses of an answer; null = the answer tells of none. */
export function recordedClearing({ appliedEdits = [] }: Pick<MessageMeta, 'appliedEdits'>): AppliedEdit | null {
  return appliedEdits.find(({ type }) => type.startsWith('clear_tool_uses')) ?? null;
}

/** Tool uses that the stages of a policy cleared as Anthropic does; null = there is no such stage. */
export function clearedToolUses(reports: readonly StageReport[]): number | null {
  const own = reports.filter(({ kind, enabled }) => kind === 'anthropic_clear_tool_uses' && enabled);
  if (own.length === 0) return null;
  return own.reduce((sum, { meta }) => sum + numberOf(meta?.cleared_tool_uses), 0);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
