// Chat messages of the Microsoft Agent Framework: contents of several types, each result answering one call.

import type { MessageMeta } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';

/** A message's JSON text, made of slices of its record. */
export interface MadeMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

interface Content {
  readonly text: string;
  readonly value: Fields;
}

/** The role, which releases write as a string or as an object with a `value`. */
function roleOf(message: Fields): string | undefined {
  return stringAt(message, 'role') ?? stringAt(recordAt(message, 'role') ?? {}, 'value');
}

/** True for a message as the framework writes it. */
export function isFrameworkMessage(value: unknown): boolean {
  if (!isRecord(value) || roleOf(value) === undefined) return false;
  const contents = arrayAt(value, 'contents');
  return contents?.every((content) => isRecord(content) && stringAt(content, 'type') !== undefined) === true;
}

/**
 * What a message says: `{"role":…,"content":[…]}` with its contents as blocks, and for each result a tool message of
 * its own. `text` = the message's own text.
 */
export function frameworkMessages(text: string, message: Fields): readonly MadeMessage[] {
  const meta = defined({
    id: stringAt(message, 'message_id'),
    timestamp: isoTime(ownAt(message, 'created_at')),
  });
  const contents = contentsOf(text, message);
  const said = contents.filter(({ value }) => value.type !== 'function_result');
  const results = contents.filter(({ value }) => value.type === 'function_result');
  const made = results.map((content) => ({ text: resultText(content), meta }));
  return said.length > 0 || results.length === 0 ? [{ text: saidText(text, message, said), meta }, ...made] : made;
}

function contentsOf(text: string, message: Fields): readonly Content[] {
  const list = sliceAt(text, ['contents']) ?? '[]';
  const values = arrayAt(message, 'contents') ?? [];
  return elementSpans(list, 0).map(({ start, end }, at) => {
    const value = values[at];
    return { text: list.slice(start, end), value: isRecord(value) ? value : {} };
  });
}

function saidText(text: string, message: Fields, contents: readonly Content[]): string {
  const path = stringAt(message, 'role') === undefined ? ['role', 'value'] : ['role'];
  const name = stringAt(message, 'author_name') === undefined ? null : sliceAt(text, ['author_name']);
  const members = [
    `"role":${sliceAt(text, path) ?? '""'}`,
    ...(name === null ? [] : [`"name":${name}`]),
    `"content":[${contents.map(blockText).join(',')}]`,
  ];
  return `{${members.join(',')}}`;
}

// Calls and texts are blocks as they stand; reasoning has a type of the framework's own.
function blockText({ text, value }: Content): string {
  if (value.type !== 'text_reasoning') return text;
  return `{"type":"reasoning","text":${sliceAt(text, ['text']) ?? '""'}}`;
}

// A call that failed has an exception in place of a result.
function resultText({ text, value }: Content): string {
  const failed = ownAt(value, 'exception') !== undefined && ownAt(value, 'exception') !== null;
  const isEmpty = ownAt(value, 'result') === undefined || ownAt(value, 'result') === null;
  const content = sliceAt(text, [failed && isEmpty ? 'exception' : 'result']);
  const id = sliceAt(text, ['call_id']);
  const members = [
    '"role":"tool"',
    ...(id === null ? [] : [`"tool_call_id":${id}`]),
    ...(content === null || content === 'null' ? [] : [`"content":${content}`]),
    ...(failed ? ['"is_error":true'] : []),
  ];
  return `{${members.join(',')}}`;
}
