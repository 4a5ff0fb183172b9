// The messages a context policy makes itself: system prompt, summary, placeholder, pending.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ViewReader } from '../../view/reader.ts';
import { textMessage } from '../../view/textMessage.ts';
import type { SyntheticItem } from '../../view/types.ts';
import { countOf } from '../../view/words.ts';
import type { ContextPolicyParams } from './params.ts';
import { SUMMARY_PREFIX, type UsedSummary } from './summary.ts';

/** What makes a message: the view whose shape it takes, the policy, the stage's position. */
export interface Maker {
  readonly reader: ViewReader;
  readonly params: ContextPolicyParams;
  readonly stage: number;
}

const CHIPS: Readonly<Record<string, string>> = {
  system_segment: 'system prompt',
  summary_segment: 'summary',
  summary_own: 'summary',
  needs_summary: 'placeholder',
  pending: 'pending',
};

function made(text: string, from: number, to: number, stage: number, rule: string, reason: string): SyntheticItem {
  return { kind: 'synthetic', text, covers: { from, to }, stage, made: { rule, chip: CHIPS[rule] ?? rule, reason } };
}

/** The policy's own system prompt; null if it has none. */
export function systemItem({ reader, params, stage }: Maker): SyntheticItem | null {
  if (params.systemPrompt === null) return null;
  const text = textMessage('system', params.systemPrompt, reader);
  return made(text, 0, 0, stage, 'system_segment', 'the policy’s system_prompt');
}

/** The summary segment: one of the view as it is, an artifact under the policy's role, or nothing. */
export function summaryItem(used: UsedSummary | null, { reader, params, stage }: Maker): SyntheticItem | null {
  if (used === null || used.kind === 'in_view') return used?.item ?? null;
  const { origin, to, version } = used.artifact;
  const reason = `the ${origin} summary of the messages before #${to}, as ${params.summaryRole} (summary_role)`;
  const text = textMessage(params.summaryRole, used.text, reader);
  const item = made(text, 0, to, stage, 'summary_segment', reason);
  return origin === 'written' && item.made ? { ...item, made: { ...item.made, version } } : item;
}

/** What stands for messages that no summary is known to cover. */
export interface Replacement {
  readonly text: string;
  /** The transcript's own summary, which does not record what it covers; else a placeholder. */
  readonly isOwn: boolean;
}

/** The transcript's own summary, else a placeholder for so many messages. */
export function replacementFor({ summary }: Pick<TranscriptSource, 'summary'>, messages: number): Replacement {
  if (summary !== null && summary !== '') return { text: `${SUMMARY_PREFIX}${summary}`, isOwn: true };
  return { text: `[${countOf(messages, 'earlier message')} summarized]`, isOwn: false };
}

/** Puts it in place of the messages before `to`. */
export function replacementItem(
  { text, isOwn }: Replacement,
  to: number,
  { reader, params, stage }: Maker,
): SyntheticItem {
  const message = textMessage(params.summaryRole, text, reader);
  if (isOwn) {
    const reason = `the transcript’s own summary, for the messages before #${to}: what it covers is not recorded`;
    return made(message, 0, to, stage, 'summary_own', reason);
  }
  const reason = `a placeholder: no summary covers the messages before #${to}, and one is wanted (summarization request_new)`;
  return made(message, 0, to, stage, 'needs_summary', reason);
}

/** What is pending, behind everything before the call point. */
export function pendingItems(at: number, { reader, params, stage }: Maker): readonly SyntheticItem[] {
  const reason = 'pending: what is being asked, not part of the transcript';
  return (params.pending?.messages ?? []).map((message) => {
    const text = 'text' in message ? textMessage(message.role, message.text, reader) : message.json;
    return made(text, at, at, stage, 'pending', reason);
  });
}
