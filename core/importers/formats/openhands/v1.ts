// Events of the SDK, by their kind. Which of them a model gets, and as what, follows the SDK's own `to_llm_message`.

import type { MessageMeta } from '../../../model/message.ts';
import { countOf } from '../../../util/counts.ts';
import { arrayAt, boolAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { type EventReading, resultText } from './reading.ts';

/** Values a scrubber left where an id was: they name nothing. */
const SCRUBBED = /^(|<.*>|\[.*\])$|REDACTED/;

// What the SDK writes for itself, or for the screen.
const NOTES = new Set([
  'ConversationStateUpdateEvent',
  'ConversationErrorEvent',
  'CondensationRequest',
  'LLMCompletionLogEvent',
  'PauseEvent',
  'InterruptEvent',
  'TokenEvent',
  'StreamingDeltaEvent',
  'HookExecutionEvent',
  'WarningEvent',
]);

/** The kinds this version knows. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set([
  ...NOTES,
  'SystemPromptEvent',
  'SystemPromptUpdateEvent',
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'UserRejectObservation',
  'AgentErrorEvent',
  'Condensation',
  'CondensationSummaryEvent',
]);

/** Reads an event of the SDK; `text` is its own text. */
export function readV1(text: string, fields: Fields): EventReading {
  const meta = defined({ timestamp: isoTime(ownAt(fields, 'timestamp')), id: stringAt(fields, 'id') });
  switch (stringAt(fields, 'kind')) {
    case 'SystemPromptEvent':
    case 'SystemPromptUpdateEvent':
      return systemPrompt(text, fields, meta);
    case 'MessageEvent':
      return message(text, fields, meta);
    case 'ActionEvent':
      return action(text, fields, meta);
    case 'ObservationEvent':
      return observation(text, fields, meta);
    case 'UserRejectObservation':
      return failure(text, 'rejection_reason', meta);
    case 'AgentErrorEvent':
      return failure(text, 'error', meta);
    case 'Condensation':
      return condensation(text, fields);
    case 'CondensationSummaryEvent':
      return { as: 'message', text: said('user', sliceAt(text, ['summary'])), meta: { ...meta, compactSummary: true } };
    default:
      return note(fields);
  }
}

function said(role: string, content: string | null): string {
  return `{"role":"${role}","content":${content ?? '""'}}`;
}

function systemPrompt(text: string, fields: Fields, meta: MessageMeta): EventReading {
  const blocks = ['system_prompt', 'dynamic_context'].flatMap((key) =>
    recordAt(fields, key) ? [sliceAt(text, [key]) ?? ''] : [],
  );
  const toolsJson = arrayAt(fields, 'tools') ? (sliceAt(text, ['tools']) ?? undefined) : undefined;
  const about = defined({ toolsJson });
  return { as: 'message', text: said('system', `[${blocks.join(',')}]`), meta, about };
}

function message(text: string, fields: Fields, meta: MessageMeta): EventReading {
  const value = recordAt(fields, 'llm_message');
  const exact = sliceAt(text, ['llm_message']);
  if (!value || exact === null) return note(fields);
  const own = defined({ ...meta, requestId: stringAt(fields, 'llm_response_id') });
  const thinking = reasoningBlocks(exact, value);
  const extended = texts(text, ['extended_content']);
  if (thinking.length === 0 && extended.length === 0) return { as: 'message', text: exact, meta: own };
  const content = texts(exact, ['content']);
  const blocks = [...thinking, ...content, ...extended].join(',');
  const calls = arrayAt(value, 'tool_calls')?.length ? `,"tool_calls":${sliceAt(exact, ['tool_calls'])}` : '';
  const made = `{"role":${sliceAt(exact, ['role']) ?? '""'},"content":[${blocks}]${calls}}`;
  return { as: 'message', text: made, meta: own };
}

function action(text: string, fields: Fields, meta: MessageMeta): EventReading {
  const call = recordAt(fields, 'tool_call');
  if (!call) return note(fields);
  const given = stringAt(fields, 'llm_response_id');
  const responseId = given === undefined || SCRUBBED.test(given) ? null : given;
  const thinking = reasoningBlocks(text, fields);
  const thoughts = texts(text, ['thought']);
  return {
    as: 'call',
    answer: {
      responseId,
      reasoning: plainReasoning(text, fields),
      blocks: [...thinking, ...thoughts],
      call: sliceAt(text, ['tool_call']) ?? '{}',
      meta: responseId === null ? meta : { ...meta, requestId: responseId },
    },
  };
}

// The same reasoning as in the blocks, unless these cannot be read.
function plainReasoning(text: string, fields: Fields): string | null {
  const summary = arrayAt(recordAt(fields, 'responses_reasoning_item') ?? {}, 'summary') ?? [];
  const said = (arrayAt(fields, 'thinking_blocks') ?? []).length + summary.length > 0;
  return said || (stringAt(fields, 'reasoning_content') ?? '') === '' ? null : sliceAt(text, ['reasoning_content']);
}

// Anthropic's thinking blocks and the Responses API's reasoning item, beside the content.
function reasoningBlocks(text: string, fields: Fields): readonly string[] {
  const thinking = arrayAt(fields, 'thinking_blocks') ? (sliceAt(text, ['thinking_blocks']) ?? '[]') : '[]';
  const blocks = elementSpans(thinking, 0).map(({ start, end }) => thinking.slice(start, end));
  const item = recordAt(fields, 'responses_reasoning_item');
  const given = item && sliceAt(text, ['responses_reasoning_item']);
  if (!item || !given || Object.keys(item).length === 0) return blocks;
  return [...blocks, Object.hasOwn(item, 'type') ? given : `{"type":"reasoning",${given.slice(1)}`];
}

/** The blocks of a list that say something: empty texts stand where a model said nothing. */
function texts(text: string, path: readonly string[]): readonly string[] {
  const list = sliceAt(text, path);
  if (!list?.startsWith('[')) return [];
  const spans = elementSpans(list, 0).map(({ start, end }) => list.slice(start, end));
  return spans.filter((block) => {
    const value: unknown = JSON.parse(block);
    return !isRecord(value) || stringAt(value, 'text') !== '';
  });
}

function observation(text: string, fields: Fields, meta: MessageMeta): EventReading {
  const seen = recordAt(fields, 'observation') ?? {};
  // The first releases named what is given back by the tool.
  const key = ['content', 'output'].find((name) => Object.hasOwn(seen, name));
  const content = sliceAt(text, key === undefined ? ['observation'] : ['observation', key]);
  const extended = texts(text, ['extended_content']);
  const blocks = extended.length > 0 && content?.startsWith('[') ? [...elements(content), ...extended] : null;
  const code = numberAt(seen, 'exit_code') ?? numberAt(recordAt(seen, 'metadata') ?? {}, 'exit_code');
  const failed = boolAt(seen, 'is_error') ?? (code !== undefined && code !== 0);
  const given = blocks === null ? content : `[${blocks.join(',')}]`;
  return { as: 'message', text: resultText(...whoseResult(text), given, failed), meta };
}

function elements(list: string): readonly string[] {
  return elementSpans(list, 0).map(({ start, end }) => list.slice(start, end));
}

function failure(text: string, key: string, meta: MessageMeta): EventReading {
  return { as: 'message', text: resultText(...whoseResult(text), sliceAt(text, [key]), true), meta };
}

function whoseResult(text: string): [string | null, string | null] {
  return [sliceAt(text, ['tool_call_id']), sliceAt(text, ['tool_name'])];
}

function condensation(text: string, fields: Fields): EventReading {
  const ids = new Set(arrayAt(fields, 'forgotten_event_ids') ?? []);
  const summary = (stringAt(fields, 'summary') ?? '') === '' ? null : sliceAt(text, ['summary']);
  const line = `condensation: ${countOf(ids.size, 'event')} forgotten`;
  const offset = numberAt(fields, 'summary_offset');
  return { as: 'compaction', forgotten: (id) => ids.has(id), summary, offset, line };
}

function note(fields: Fields): EventReading {
  const kind = stringAt(fields, 'kind') ?? 'untyped';
  const known = NOTES.has(kind);
  const detail = ['key', 'reason', 'detail', 'message', 'error'].map((key) => stringAt(fields, key)).find(Boolean);
  const line = titleOf(detail ?? '') ?? kind;
  return { as: 'event', kind: known ? kind : `unknown:${kind}`, line, known };
}
