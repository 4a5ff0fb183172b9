// Messages of the AI SDK as the model is given them: a UI message is one or more steps of an answer, each with its
// results after it; a model message is itself, its results one by one.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import type { Origin } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import {
  asText,
  callBlocks,
  fileBlock,
  type Item,
  itemsOf,
  legacyCall,
  memberOf,
  objectOf,
  type Piece,
  reasoningBlocks,
  resultMessage,
  signatureIn,
} from './item.ts';

/** A message's JSON text; origins where it was made of separate records. */
export interface SdkMessage {
  readonly text: string;
  readonly value: unknown;
  readonly meta: MessageMeta;
  readonly origins?: readonly Origin[];
}

/** The messages a record stands for, and what of it no model is given. */
export interface Expanded {
  readonly messages: readonly SdkMessage[];
  readonly notes: readonly { readonly type: string; readonly text: string }[];
}

/** A UI message (parts, or v4's content and toolInvocations) or a model message. */
export function expand(piece: Piece): Expanded {
  const role = stringAt(piece.fields, 'role') ?? '';
  const meta = metaOf(piece.fields);
  if (arrayAt(piece.fields, 'parts')) return messagesOf(role, partItems(piece), meta);
  if (isLegacy(piece.fields)) return messagesOf(role, legacyItems(piece), meta);
  if (role === 'tool') return toolMessages(piece, meta);
  const text = role === 'assistant' ? withOwnBlocks(piece) : piece.text;
  return { messages: [made(text, meta)], notes: [] };
}

function isLegacy(fields: Fields): boolean {
  const keys = ['toolInvocations', 'experimental_attachments', 'reasoning'];
  return keys.some((key) => Object.hasOwn(fields, key));
}

function made(text: string, meta: MessageMeta, origins?: readonly Origin[]): SdkMessage {
  const value: unknown = JSON.parse(text);
  return { text, value, meta, ...defined({ origins }) };
}

function pieces(text: string, values: readonly unknown[]): Piece[] {
  return elementSpans(text, 0).map(({ start, end }, at) => {
    const value = values[at];
    return { text: text.slice(start, end), fields: isRecord(value) ? value : {} };
  });
}

// v4 writes no steps: what follows a call begins the next, unless it is a call of the same step.
function partItems({ text, fields }: Piece): readonly Item[] {
  const items: Item[] = [];
  let step: unknown;
  let isAfterCall = false;
  for (const part of pieces(listText(text, 'parts'), arrayAt(fields, 'parts') ?? [])) {
    const invocation = recordAt(part.fields, 'toolInvocation');
    const own = itemsOf(part);
    const isNext = invocation ? ownAt(invocation, 'step') !== step : own.some(({ kind }) => kind === 'block');
    if (isAfterCall && isNext) items.push({ kind: 'step' });
    if (isNext) isAfterCall = false;
    if (invocation) {
      isAfterCall = true;
      step = ownAt(invocation, 'step');
    }
    items.push(...own);
  }
  return items;
}

// v4 without parts: the calls, their results, and then the text that came of them; before results the text comes first.
function legacyItems({ text, fields }: Piece): readonly Item[] {
  const calls = pieces(listText(text, 'toolInvocations'), arrayAt(fields, 'toolInvocations') ?? []);
  const files = pieces(listText(text, 'experimental_attachments'), arrayAt(fields, 'experimental_attachments') ?? []);
  const asked: Item[] = [];
  let step: unknown;
  for (const call of calls) {
    if (asked.length > 0 && ownAt(call.fields, 'step') !== step) asked.push({ kind: 'step' });
    step = ownAt(call.fields, 'step');
    asked.push({ kind: 'call', call: legacyCall(call, []) });
  }
  const thought = reasoningBlocks({ text, fields }).flatMap(asBlock);
  const words = [...contentBlocks(text, fields), ...files.map(fileBlock)].flatMap(asBlock);
  const isAnswered = asked.some((item) => item.kind === 'call' && item.call.result !== null);
  return isAnswered ? [...thought, ...asked, { kind: 'step' }, ...words] : [...thought, ...words, ...asked];
}

function listText(text: string, key: string): string {
  const list = sliceAt(text, [key]);
  return list?.startsWith('[') ? list : '[]';
}

function contentBlocks(text: string, fields: Fields): readonly string[] {
  const content = sliceAt(text, ['content']) ?? '""';
  if (arrayAt(fields, 'content')) return elementSpans(content, 0).map(({ start, end }) => content.slice(start, end));
  return content.startsWith('"') && content !== '""' ? [`{"type":"text","text":${content}}`] : [];
}

function asBlock(text: string | null): readonly Item[] {
  return text === null ? [] : [{ kind: 'block', text }];
}

/** Items as messages of this role: of an answer one for each step, with its results after it. */
export function messagesOf(role: string, items: readonly Item[], meta: MessageMeta): Expanded {
  const notes = items.flatMap((item) => (item.kind === 'note' ? [item] : []));
  const steps: Item[][] = [[]];
  for (const item of items) {
    if (item.kind === 'step') steps.push([]);
    else steps.at(-1)?.push(item);
  }
  const said = steps.flatMap((step) => stepMessages(role, step));
  return { messages: withMeta(said, meta), notes };
}

interface Said {
  readonly text: string;
  readonly isResult: boolean;
  readonly origins: readonly Origin[];
}

function stepMessages(role: string, items: readonly Item[]): readonly Said[] {
  const content: string[] = [];
  const origins: Origin[] = [];
  const results: Said[] = [];
  for (const item of items) {
    if (item.kind === 'block') content.push(item.text);
    if (item.kind === 'block' || item.kind === 'call') origins.push(...(item.origins ?? []));
    if (item.kind !== 'call') continue;
    if (item.isOnlyResult !== true) content.push(...callBlocks(item.call));
    const result = resultMessage(item.call);
    const own = item.resultOrigins ?? [];
    if (result === null) origins.push(...own);
    else results.push({ text: result, isResult: true, origins: own.length > 0 ? own : (item.origins ?? []) });
  }
  if (content.length === 0) return results;
  origins.sort((a, b) => a.byteStart - b.byteStart);
  return [{ text: `{"role":"${role}","content":[${content.join(',')}]}`, isResult: false, origins }, ...results];
}

// What is known of the whole: its id and time with the first step, what it cost and why it ended with the last.
function withMeta(said: readonly Said[], { id, timestamp, usage, stopReason, model }: MessageMeta): SdkMessage[] {
  const last = said.findLastIndex(({ isResult }) => !isResult);
  return said.map(({ text, isResult, origins }, at) => {
    const first = at === 0 ? defined({ id, timestamp }) : {};
    const end = at === last ? defined({ usage, stopReason }) : {};
    const meta = { ...first, ...end, ...(isResult ? {} : defined({ model })) };
    return made(text, meta, origins.length === 0 ? undefined : origins);
  });
}

function toolMessages({ text, fields }: Piece, meta: MessageMeta): Expanded {
  const content = sliceAt(text, ['content']) ?? '[]';
  if (!arrayAt(fields, 'content')) return { messages: [made(text, meta)], notes: [] };
  const parts = pieces(content, arrayAt(fields, 'content') ?? []);
  const isResult = (part: Piece): boolean => stringAt(part.fields, 'type') === 'tool-result';
  const messages = parts.filter(isResult).map((part, at) => made(resultText(part), at === 0 ? meta : {}));
  const notes = parts.filter((part) => !isResult(part));
  return {
    messages,
    notes: notes.map((part) => ({ type: stringAt(part.fields, 'type') ?? 'untyped', text: part.text })),
  };
}

function resultText({ text, fields }: Piece): string {
  const output = recordAt(fields, 'output');
  const type = output && stringAt(output, 'type');
  const isError = ownAt(fields, 'isError') === true || (type?.startsWith('error') ?? false);
  const members = [
    memberOf('tool_call_id', sliceAt(text, ['toolCallId'])),
    memberOf('name', sliceAt(text, ['toolName'])),
    memberOf('content', outputText(text, fields)),
    isError ? '"is_error":true' : '',
    type === 'execution-denied' ? '"status":"denied"' : '',
  ];
  return objectOf(['"role":"tool"', ...members]);
}

// v5: `output` says what it is; before: `result`, or blocks that a tool made for the model.
function outputText(text: string, fields: Fields): string {
  const output = recordAt(fields, 'output');
  if (output && stringAt(output, 'type') !== undefined) {
    if (output.type === 'content') return sliceAt(text, ['output', 'value']) ?? '[]';
    return asText(sliceAt(text, ['output', output.type === 'execution-denied' ? 'reason' : 'value']));
  }
  for (const key of ['experimental_content', 'content']) {
    if (arrayAt(fields, key)) return sliceAt(text, [key]) ?? '[]';
  }
  return asText(sliceAt(text, [Object.hasOwn(fields, 'output') ? 'output' : 'result']));
}

// A model message as it is, but for blocks whose facts the SDK keeps elsewhere: signatures, calls of the provider's own.
function withOwnBlocks({ text, fields }: Piece): string {
  const list = arrayAt(fields, 'content');
  if (!list) return text;
  const blocks = pieces(sliceAt(text, ['content']) ?? '[]', list);
  const rewritten = blocks.map((block) => ownBlock(block));
  if (rewritten.every((each) => each === null)) return text;
  const content = blocks.map((block, at) => rewritten[at] ?? block.text);
  return `{"role":"assistant","content":[${content.join(',')}]}`;
}

function ownBlock(block: Piece): string | null {
  const { text, fields } = block;
  const type = stringAt(fields, 'type');
  if (type === 'reasoning' && signatureIn(text, fields) !== null) return reasoningBlocks(block)[0] ?? null;
  const id = memberOf('id', sliceAt(text, ['toolCallId']));
  const name = memberOf('name', sliceAt(text, ['toolName']));
  if (type === 'tool-call' && ownAt(fields, 'providerExecuted') === true) {
    return objectOf(['"type":"server_tool_use"', id, name, memberOf('input', sliceAt(text, ['input']))]);
  }
  if (type !== 'tool-result') return null;
  const answered = memberOf('tool_use_id', sliceAt(text, ['toolCallId']));
  return objectOf(['"type":"server_tool_result"', answered, memberOf('content', outputText(text, fields))]);
}

/** What a message, or the metadata an application put beside it, says of time, model, usage and end. */
export function metaOf(fields: Fields): MessageMeta {
  const holders = [fields, ...factsIn(recordAt(fields, 'metadata')), ...factsIn(recordAt(fields, 'providerOptions'))];
  const first = <T>(read: (holder: Fields) => T | undefined): T | undefined =>
    holders.map(read).find((each) => each !== undefined);
  return defined({
    id: stringAt(fields, 'id'),
    timestamp: first((each) => isoTime(ownAt(each, 'createdAt')) ?? isoTime(ownAt(each, 'timestamp'))),
    model: first((each) => stringAt(each, 'modelId') ?? stringAt(each, 'model')),
    usage: first((each) => usageOf(ownAt(each, 'usage')) ?? usageOf(ownAt(each, 'totalUsage'))),
    stopReason: first((each) => stringAt(each, 'finishReason')),
  });
}

// Applications put their own facts at the top, or under a name of theirs, or two.
function factsIn(value: Fields | undefined): readonly Fields[] {
  const below = Object.values(value ?? {}).filter(isRecord);
  return value ? [value, ...below, ...below.flatMap((each) => Object.values(each).filter(isRecord))] : [];
}

/** Usage as the SDK counts it: `input` includes cached tokens. */
function usageOf(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const input = recordAt(value, 'inputTokenDetails') ?? {};
  const output = recordAt(value, 'outputTokenDetails') ?? {};
  return nonEmpty({
    input: numberAt(value, 'inputTokens') ?? numberAt(value, 'promptTokens'),
    output: numberAt(value, 'outputTokens') ?? numberAt(value, 'completionTokens'),
    cacheRead:
      numberAt(value, 'cachedInputTokens') ?? numberAt(value, 'cacheReadTokens') ?? numberAt(input, 'cacheReadTokens'),
    cacheWrite: numberAt(value, 'cacheWriteTokens') ?? numberAt(input, 'cacheWriteTokens'),
    reasoning: numberAt(value, 'reasoningTokens') ?? numberAt(output, 'reasoningTokens'),
    total: numberAt(value, 'totalTokens'),
  });
}
