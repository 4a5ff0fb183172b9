// What an event says: the message it stands for, if any, and its line in the audit.

import { compactionLine } from '../../../model/compactionWords.ts';
import type { MessageMeta } from '../../../model/message.ts';
import { arrayAt, boolAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';

/** A message made of an event. */
export interface EventMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

/**
 * The message an event stands for, made of slices of its text: a user's message as the model got it
 * (`transformedContent`), an answer as blocks, a tool's result or error, a compaction's summary. Null = none.
 */
export function messageOf(text: string, fields: Fields, data: Fields): EventMessage | null {
  const timestamp = isoTime(ownAt(fields, 'timestamp'));
  switch (stringAt(fields, 'type')) {
    case 'user.message':
      return userMessage(text, fields, data, timestamp);
    case 'assistant.message':
      return answer(text, data, timestamp);
    case 'tool.execution_complete':
      return result(text, fields, data, timestamp);
    case 'session.compaction_complete':
      return summary(text, fields, data, timestamp);
    default:
      return null;
  }
}

function userMessage(text: string, fields: Fields, data: Fields, timestamp: string | undefined): EventMessage | null {
  const key = ['transformedContent', 'content'].find((name) => stringAt(data, name) !== undefined);
  const content = key === undefined ? null : sliceAt(text, ['data', key]);
  if (content === null) return null;
  const source = stringAt(data, 'source');
  const isOther = (source !== undefined && source !== 'user') || boolAt(data, 'isAutopilotContinuation') === true;
  const meta = defined({ timestamp, id: stringAt(fields, 'id'), injected: isOther ? true : undefined });
  return { text: `{"role":"user","content":${content}}`, meta };
}

function answer(text: string, data: Fields, timestamp: string | undefined): EventMessage {
  const blocks = [...reasoning(text, data), ...said(text, data), ...calls(text, data)];
  const meta = defined({
    timestamp,
    model: stringAt(data, 'model'),
    usage: nonEmpty({ output: numberAt(data, 'outputTokens') }),
    id: stringAt(data, 'messageId'),
    requestId: stringAt(data, 'requestId') ?? stringAt(data, 'apiCallId'),
  });
  return { text: `{"role":"assistant","content":[${blocks.join(',')}]}`, meta };
}

// The opaque half is what the provider needs back: a signature, or the encrypted reasoning itself.
function reasoning(text: string, data: Fields): string[] {
  const opaqueKey = ['reasoningOpaque', 'encryptedContent'].find((key) => (stringAt(data, key) ?? '') !== '');
  const hasText = (stringAt(data, 'reasoningText') ?? '') !== '';
  if (!hasText && opaqueKey === undefined) return [];
  const words = (hasText ? sliceAt(text, ['data', 'reasoningText']) : null) ?? '""';
  const signature = opaqueKey === undefined ? null : sliceAt(text, ['data', opaqueKey]);
  return [`{"type":"thinking","thinking":${words}${signature === null ? '' : `,"signature":${signature}`}}`];
}

function said(text: string, data: Fields): string[] {
  const content = (stringAt(data, 'content') ?? '') === '' ? null : sliceAt(text, ['data', 'content']);
  return content === null ? [] : [`{"type":"text","text":${content}}`];
}

function calls(text: string, data: Fields): string[] {
  const requests = arrayAt(data, 'toolRequests');
  const list = requests ? spanAt(text, ['data', 'toolRequests']) : null;
  if (!requests || !list) return [];
  return elementSpans(text, list.start).flatMap(({ start, end }, index) => {
    if (!isRecord(requests[index])) return [];
    const request = text.slice(start, end);
    const members = [
      ['id', 'toolCallId'],
      ['name', 'name'],
      ['input', 'arguments'],
    ].flatMap(([name, key]) => {
      const value = sliceAt(request, [key ?? '']);
      return value === null ? [] : [`"${name}":${value}`];
    });
    return [`{${['"type":"tool_use"', ...members].join(',')}}`];
  });
}

function result(text: string, fields: Fields, data: Fields, timestamp: string | undefined): EventMessage | null {
  const failed = boolAt(data, 'success') === false;
  const paths = [
    ['data', 'result', 'content'],
    ['data', 'result', 'contents'],
    ['data', 'error', 'message'],
    ['data', 'error'],
  ];
  const [content = '""'] = (failed ? paths.toReversed() : paths).flatMap((path) => sliceAt(text, path) ?? []);
  const message = failed ? (sliceAt(text, ['data', 'error', 'message']) ?? content) : content;
  const id = sliceAt(text, ['data', 'toolCallId']);
  const call = id === null ? '' : `,"tool_call_id":${id}`;
  const callId = stringAt(data, 'toolCallId');
  const failedCallIds = !failed && callId !== undefined && exitCode(data) !== 0 ? [callId] : undefined;
  const meta = defined({ timestamp, id: stringAt(fields, 'id'), failedCallIds });
  return { text: `{"role":"tool"${call},"content":${message}${failed ? ',"is_error":true' : ''}}`, meta };
}

/** Of a command that ran, and failed by its own account: the tool succeeded. */
function exitCode(data: Fields): number {
  return numberAt(recordAt(recordAt(data, 'toolTelemetry') ?? {}, 'metrics') ?? {}, 'exit_code') ?? 0;
}

function summary(text: string, fields: Fields, data: Fields, timestamp: string | undefined): EventMessage | null {
  const content = compacted(data) && (stringAt(data, 'summaryContent') ?? '') !== '';
  const words = content ? sliceAt(text, ['data', 'summaryContent']) : null;
  if (words === null) return null;
  const meta = { ...defined({ timestamp, id: stringAt(fields, 'id') }), compactSummary: true };
  return { text: `{"role":"user","content":${words}}`, meta };
}

/** True unless a compaction says that it failed. */
export function compacted(data: Fields): boolean {
  return boolAt(data, 'success') !== false;
}

/** What a compaction's event says of it. */
export function compactionFacts(data: Fields) {
  return defined({
    trigger: stringAt(data, 'trigger'),
    preTokens: numberAt(data, 'preCompactionTokens'),
    postTokens: numberAt(data, 'postCompactionTokens'),
  });
}

/** An event's kind and line for people; `known` false = no event of this tool. */
export function describeEvent(
  fields: Fields,
  data: Fields,
): { readonly kind: string; readonly text: string; readonly known: boolean } {
  const type = stringAt(fields, 'type') ?? 'untyped';
  if (type !== 'abort' && !/^[a-z_]+\.[a-z_.]+$/.test(type)) {
    return { kind: `unknown:${type}`, text: `a record of the unknown type "${type}"`, known: false };
  }
  const kind = type === 'system.message' ? 'system_prompt' : type === 'session.title_changed' ? 'title' : type;
  const facts = compactionFacts(data);
  if (type === 'session.compaction_complete' && facts.preTokens !== undefined) {
    return { kind, text: compactionLine('compaction', facts), known: true };
  }
  const keys = ['message', 'title', 'toolName', 'hookType', 'newModel', 'agentName', 'reason', 'content'];
  const words = keys.map((key) => stringAt(data, key)).find((value) => value !== undefined && value !== '');
  const error = recordAt(data, 'error');
  return { kind, text: titleOf((error && stringAt(error, 'message')) ?? words ?? '') ?? type, known: true };
}
