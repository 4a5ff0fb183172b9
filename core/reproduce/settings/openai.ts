// Settings of OpenAI's Responses API. Source: types of openai 7.55.0 (`ResponseCreateParams.truncation`, marked as deprecated,
// and `.context_management`); developers.openai.com, Compaction (November 2026).

import { openaiCompaction, openaiTruncation } from '../../stages/vendors/index.ts';
import { countOf } from '../../util/counts.ts';
import { paramsOf, type Said, type SettingStage } from './types.ts';

/** Members of the request. */
export type OpenAiMembers = Readonly<Record<string, unknown>>;

/** The members that a stage is; a sentence where it is one that the API has no setting for. */
export function openaiMembers(stage: SettingStage): Said<OpenAiMembers> | string | null {
  return truncation(stage) ?? compaction(stage);
}

function truncation(stage: SettingStage): Said<OpenAiMembers> | null {
  const params = paramsOf(stage, openaiTruncation);
  if (params === null) return null;
  const { truncation: how, window } = params;
  const notes = ['The published types mark "truncation" as deprecated.'];
  if (window > 0)
    notes.push(`The API truncates at the model's own window: ${countOf(window, 'token')} cannot be said.`);
  return { value: { truncation: how }, notes };
}

function compaction(stage: SettingStage): Said<OpenAiMembers> | string | null {
  const params = paramsOf(stage, openaiCompaction);
  if (params === null) return null;
  const { standalone, compactThreshold, askAbove } = params;
  if (standalone) {
    const when = askAbove > 0 ? `above ${countOf(askAbove, 'token')}` : 'before every request';
    return `it is not a setting: the client itself asks ${when} (POST /responses/compact) and sends the output in place of the history`;
  }
  return { value: { context_management: [{ type: 'compaction', compact_threshold: compactThreshold }] } };
}

/** The members of the request. */
export function openaiCode(members: readonly OpenAiMembers[]): {
  readonly code: string;
  readonly notes: readonly string[];
} {
  return {
    code: JSON.stringify(Object.assign({}, ...members), null, 2),
    notes: ['Of the Responses API; chat completions have no such settings.'],
  };
}
