// One message of OpenCode and the messages it stands for. A tool part holds call and result, and older releases put
// several steps into one message: each step becomes an answer, followed by one tool message for each result in it.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import type { Origin } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt, spanAt } from '../../reading/slices.ts';
import { callIdOf, fileBlock, reasoningBlock, textBlock, toolCall, toolResult } from './part.ts';

/** A stretch of JSON with its value and the records it comes from. */
export interface Piece {
  readonly text: string;
  readonly fields: Fields;
  readonly origins: readonly Origin[];
}

/** A message as OpenCode keeps it. */
export interface Turn {
  readonly info: Piece;
  readonly parts: readonly Piece[];
}

/**
 * What a turn gives, in order. `session` = a sub-agent's session that the call `callId` started; `cleared`: the call's
 * output is left out of requests made after `time`.
 */
export type TurnItem =
  | { readonly kind: 'message'; readonly text: string; readonly meta: MessageMeta; readonly origins: readonly Origin[] }
  | { readonly kind: 'event'; readonly name: string; readonly text: string; readonly piece: Piece }
  | { readonly kind: 'started'; readonly session: string; readonly callId: string }
  | { readonly kind: 'cleared'; readonly callId: string; readonly time: string; readonly piece: Piece };

const NOTES = new Set(['step-start', 'step-finish', 'snapshot', 'patch', 'agent', 'retry', 'subtask', 'compaction']);

/** Reads a turn into messages and events; every part is in one of them. */
export function itemsOf(turn: Turn): readonly TurnItem[] {
  return stringAt(turn.info.fields, 'role') === 'assistant' ? answerItems(turn) : userItems(turn);
}

function userItems({ info, parts }: Turn): TurnItem[] {
  const blocks: string[] = [];
  const used: Piece[] = [];
  const notes: TurnItem[] = [];
  for (const part of parts) {
    const block = partType(part) === 'text' ? textBlock(part) : partType(part) === 'file' ? fileBlock(part) : null;
    if (block === null) notes.push(noteOf(part));
    else {
      blocks.push(block);
      used.push(part);
    }
  }
  if (blocks.length === 0) return [...notes, empty(info)];
  const isOther = used.every((part) => ownAt(part.fields, 'synthetic') === true);
  const meta = defined({ ...metaOf(info.fields), injected: isOther ? true : undefined });
  const role = JSON.stringify(stringAt(info.fields, 'role') ?? 'user');
  const text = `{"role":${role},"content":[${blocks.join(',')}]}`;
  return [...notes, { kind: 'message', text, meta, origins: originsOf([info, ...used]) }];
}

interface Step {
  readonly blocks: string[];
  readonly used: Piece[];
  readonly after: TurnItem[];
  finish: Fields | undefined;
}

function answerItems(turn: Turn): TurnItem[] {
  const items: TurnItem[] = [];
  const finishes = turn.parts.filter((part) => partType(part) === 'step-finish').length;
  let step: Step = { blocks: [], used: [], after: [], finish: undefined };
  let count = 0;
  const flush = (): void => {
    if (step.blocks.length > 0) {
      const origins = originsOf(count++ === 0 ? [turn.info, ...step.used] : step.used);
      const text = `{"role":"assistant","content":[${step.blocks.join(',')}]}`;
      items.push({ kind: 'message', text, meta: answerMeta(turn.info.fields, step.finish, finishes > 1), origins });
    }
    items.push(...step.after);
    step = { blocks: [], used: [], after: [], finish: undefined };
  };
  for (const part of turn.parts) {
    if (partType(part) === 'step-start') flush();
    addPart(step, part, turn.info.fields);
  }
  flush();
  if (count === 0) items.push(empty(turn.info));
  else if (recordAt(turn.info.fields, 'error')) items.push(failure(turn.info));
  return items;
}

function addPart(step: Step, part: Piece, info: Fields): void {
  const type = partType(part);
  const block =
    type === 'text'
      ? textBlock(part)
      : type === 'reasoning'
        ? reasoningBlock(part)
        : type === 'tool'
          ? toolCall(part)
          : type === 'file'
            ? fileBlock(part)
            : null;
  if (block === null) {
    step.after.push(noteOf(part));
    if (type === 'step-finish') step.finish = part.fields;
    return;
  }
  step.blocks.push(block);
  step.used.push(part);
  if (type === 'tool') step.after.push(...afterCall(part, info));
}

function afterCall(part: Piece, info: Fields): TurnItem[] {
  const items: TurnItem[] = [];
  const state = recordAt(part.fields, 'state') ?? {};
  const metadata = recordAt(state, 'metadata') ?? {};
  const session = stringAt(metadata, 'sessionId') ?? stringAt(metadata, 'sessionID');
  const callId = callIdOf(part);
  if (session !== undefined && callId !== undefined) items.push({ kind: 'started', session, callId });
  const text = toolResult(part);
  const time = recordAt(state, 'time') ?? {};
  if (text !== null) {
    const timestamp = isoTime(ownAt(time, 'end')) ?? metaOf(info).timestamp;
    items.push({
      kind: 'message',
      text,
      meta: defined({ timestamp, id: stringAt(part.fields, 'id') }),
      origins: part.origins,
    });
  }
  if (ownAt(time, 'compacted') !== undefined) {
    const tool = stringAt(part.fields, 'tool') ?? 'a tool';
    items.push({
      kind: 'event',
      name: 'tool_output_cleared',
      text: `the output of ${tool} is left out of later requests`,
      piece: part,
    });
    const cleared = isoTime(ownAt(time, 'compacted'));
    if (cleared !== undefined && callId !== undefined)
      items.push({ kind: 'cleared', callId, time: cleared, piece: part });
  }
  return items;
}

function metaOf(info: Fields): MessageMeta {
  return defined({ timestamp: isoTime(ownAt(recordAt(info, 'time') ?? {}, 'created')), id: stringAt(info, 'id') });
}

function answerMeta(info: Fields, finish: Fields | undefined, bySteps: boolean): MessageMeta {
  const tokens = recordAt((bySteps ? finish : undefined) ?? info, 'tokens') ?? recordAt(finish ?? {}, 'tokens');
  return defined({
    ...metaOf(info),
    model: stringAt(info, 'modelID'),
    usage: usageOf(tokens),
    stopReason: stringAt(finish ?? {}, 'reason') ?? stringAt(info, 'finish'),
    compactSummary: ownAt(info, 'summary') === true ? true : undefined,
  });
}

// Input is without the cached tokens.
function usageOf(tokens: Fields | undefined): Usage | undefined {
  if (!tokens) return undefined;
  const cache = recordAt(tokens, 'cache') ?? {};
  return nonEmpty({
    input: numberAt(tokens, 'input'),
    output: numberAt(tokens, 'output'),
    cacheRead: numberAt(cache, 'read'),
    cacheWrite: numberAt(cache, 'write'),
    reasoning: numberAt(tokens, 'reasoning'),
    total: numberAt(tokens, 'total'),
  });
}

function partType(part: Piece): string {
  return stringAt(part.fields, 'type') ?? 'untyped';
}

function noteOf(part: Piece): TurnItem {
  const type = partType(part);
  const keys = ['description', 'name', 'hash', 'reason', 'text'];
  const words = keys.map((key) => stringAt(part.fields, key)).find((value) => value !== undefined && value !== '');
  const known = NOTES.has(type) || type === 'text' || type === 'reasoning' || type === 'file' || type === 'tool';
  return {
    kind: 'event',
    name: known ? `part.${type}` : `unknown:part.${type}`,
    text: titleOf(words ?? '') ?? type,
    piece: part,
  };
}

function empty(info: Piece): TurnItem {
  if (recordAt(info.fields, 'error')) return failure(info);
  const text = `a message of ${stringAt(info.fields, 'role') ?? 'no role'} without content`;
  return { kind: 'event', name: 'message.empty', text, piece: info };
}

function failure(info: Piece): TurnItem {
  const error = recordAt(info.fields, 'error') ?? {};
  const words =
    stringAt(recordAt(error, 'data') ?? {}, 'message') ?? stringAt(error, 'message') ?? stringAt(error, 'name');
  return { kind: 'event', name: 'error', text: titleOf(words ?? '') ?? 'error', piece: info };
}

function originsOf(pieces: readonly Piece[]): readonly Origin[] {
  const found = new Map(pieces.flatMap((piece) => piece.origins).map((origin) => [origin.byteStart, origin]));
  return [...found.values()].sort((a, b) => a.byteStart - b.byteStart);
}

/** The pieces of `{info, parts}`, the value of a text. */
export function turnIn(text: string, fields: Fields, origin: Origin): Turn {
  const origins = [origin];
  const info = { text: sliceAt(text, ['info']) ?? '{}', fields: recordAt(fields, 'info') ?? {}, origins };
  const values = arrayAt(fields, 'parts') ?? [];
  const list = values.length === 0 ? null : spanAt(text, ['parts']);
  const spans = list ? elementSpans(text, list.start) : [];
  const parts = spans.map(({ start, end }, at) => {
    const value = values[at];
    return { text: text.slice(start, end), fields: isRecord(value) ? value : {}, origins };
  });
  return { info, parts };
}
