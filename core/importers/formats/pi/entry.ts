// What an entry says: the message it stands for, if any, and its line in the audit.

import { compactionLine } from '../../../model/compactionWords.ts';
import type { SourceRecord } from '../../../model/importSink.ts';
import type { MessageMeta, Usage } from '../../../model/message.ts';
import { type Fields, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty, titleOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';

/** A message made of an entry. */
export interface EntryMessage {
  readonly text: string;
  readonly value: unknown;
  readonly meta: MessageMeta;
}

const MODEL_ROLES = new Set(['user', 'assistant', 'toolResult', 'system', 'developer']);

/** The time of an entry, else of the message in it. */
export function entryTime(fields: Fields): string | undefined {
  const message = recordAt(fields, 'message');
  return isoTime(ownAt(fields, 'timestamp')) ?? (message && isoTime(ownAt(message, 'timestamp')));
}

/**
 * The message an entry stands for: the exact text of `message` where a model gets it as it is; of command runs,
 * extensions' texts and summaries a user's message of their own texts. Null = the entry is not a message.
 */
export function messageOf(record: SourceRecord, fields: Fields): EntryMessage | null {
  const type = stringAt(fields, 'type');
  const common = defined({ timestamp: entryTime(fields), id: stringAt(fields, 'id') });
  if (type === 'custom_message') return placed(record, ['content'], { ...common, injected: true });
  if (type === 'branch_summary') return placed(record, ['summary'], { ...common, injected: true });
  if (type === 'compaction') return placed(record, ['summary'], { ...common, compactSummary: true });
  const message = type === 'message' ? recordAt(fields, 'message') : undefined;
  if (!message) return null;
  const role = stringAt(message, 'role') ?? '';
  if (MODEL_ROLES.has(role)) return exact(record, message, role, common);
  const injected = { ...common, injected: true };
  if (role === 'bashExecution') return commandRun(record, message, injected);
  if (role === 'custom' || role === 'hookMessage') return placed(record, ['message', 'content'], injected);
  if (role === 'branchSummary') return placed(record, ['message', 'summary'], injected);
  if (role !== 'compactionSummary') return null;
  return placed(record, ['message', 'summary'], { ...common, compactSummary: true });
}

function exact(record: SourceRecord, message: Fields, role: string, common: MessageMeta): EntryMessage | null {
  const text = sliceAt(record.text, ['message']);
  if (text === null) return null;
  if (role !== 'assistant') return { text, value: message, meta: common };
  const stopReason = stringAt(message, 'stopReason');
  const content = ownAt(message, 'content');
  const failed = stopReason === 'error' && Array.isArray(content) && content.length === 0;
  const meta = defined({
    ...common,
    model: stringAt(message, 'model'),
    usage: usageOf(recordAt(message, 'usage')),
    stopReason,
    requestId: stringAt(message, 'responseId'),
    apiError: failed ? true : undefined,
  });
  return { text, value: message, meta };
}

// Input is without the cached tokens.
function usageOf(usage: Fields | undefined): Usage | undefined {
  if (!usage) return undefined;
  return nonEmpty({
    input: numberAt(usage, 'input'),
    output: numberAt(usage, 'output'),
    cacheRead: numberAt(usage, 'cacheRead'),
    cacheWrite: numberAt(usage, 'cacheWrite'),
    total: numberAt(usage, 'totalTokens'),
  });
}

function placed(record: SourceRecord, path: readonly string[], meta: MessageMeta): EntryMessage | null {
  const content = sliceAt(record.text, path);
  if (content === null || content === '""' || !/^["[]/.test(content)) return null;
  return made(`{"role":"user","content":${content}}`, meta);
}

// A command a person ran beside the model; with two exclamation marks it is kept from the model.
function commandRun(record: SourceRecord, message: Fields, meta: MessageMeta): EntryMessage | null {
  if (ownAt(message, 'excludeFromContext') === true) return null;
  const texts = ['command', 'output'].flatMap((key) => {
    const text = stringAt(message, key) === undefined ? null : sliceAt(record.text, ['message', key]);
    return text === null ? [] : [`{"type":"text","text":${text}}`];
  });
  return texts.length === 0 ? null : made(`{"role":"user","content":[${texts.join(',')}]}`, meta);
}

function made(text: string, meta: MessageMeta): EntryMessage {
  const value: unknown = JSON.parse(text);
  return { text, value, meta };
}

/** An entry's place in the audit; `known` false = a type no release was seen to write. */
export function describeEntry(fields: Fields): {
  readonly kind: string;
  readonly text: string;
  readonly known: boolean;
} {
  const type = stringAt(fields, 'type') ?? 'untyped';
  const face = (text: string | undefined, kind = type) => ({ kind, text: titleOf(text ?? '') ?? kind, known: true });
  switch (type) {
    case 'session':
      return face(`session ${stringAt(fields, 'id') ?? ''}`);
    case 'session_info':
      return face(stringAt(fields, 'name') ?? 'name removed', 'title');
    case 'model_change':
      return face(`${stringAt(fields, 'provider') ?? '?'} ${stringAt(fields, 'modelId') ?? '?'}`);
    case 'thinking_level_change':
      return face(`thinking level ${stringAt(fields, 'thinkingLevel') ?? '?'}`);
    case 'label':
      return face(stringAt(fields, 'label') ?? 'label removed');
    case 'custom':
      return face(stringAt(fields, 'customType'), `custom.${stringAt(fields, 'customType') ?? 'state'}`);
    case 'compaction':
      return face(compactionLine('compaction', compactionFacts(fields)));
    case 'branch_summary':
    case 'custom_message':
      return face(`${type.replace('_', ' ')} without text`);
    case 'message':
      return describeMessage(fields);
    default:
      return { kind: `unknown:${type}`, text: `a record of the unknown type "${type}"`, known: false };
  }
}

/** What a compaction's entry says of it. */
export function compactionFacts(fields: Fields) {
  const trigger = ownAt(fields, 'fromHook') === true ? 'extension' : undefined;
  return defined({ trigger, preTokens: numberAt(fields, 'tokensBefore') });
}

function describeMessage(fields: Fields): { readonly kind: string; readonly text: string; readonly known: boolean } {
  const message = recordAt(fields, 'message') ?? {};
  const role = stringAt(message, 'role') ?? 'no role';
  if (role === 'bashExecution') {
    return { kind: role, text: titleOf(stringAt(message, 'command') ?? '') ?? role, known: true };
  }
  return {
    kind: 'unknown:message',
    text: `a message with ${role === 'no role' ? role : `the role "${role}"`}`,
    known: false,
  };
}
