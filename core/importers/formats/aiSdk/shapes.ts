// What a value is: a message of the SDK, a record around one, a body with a list of them.

import type { JsonPath } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { isOwnChunk } from './stream.ts';

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);
const PART = /^(text|reasoning|file|step-start|source|source-url|source-document|dynamic-tool|tool-.+|data-.+)$/;

/** True for a UI message (`parts`, or `content` of v4) or a model message. */
export function isMessage(value: unknown): value is Fields {
  if (!isRecord(value) || !ROLES.has(stringAt(value, 'role') ?? '')) return false;
  return arrayAt(value, 'parts') !== undefined || Object.hasOwn(value, 'content');
}

/** True for a message that no other library writes. */
export function isOwnMessage(value: unknown): boolean {
  if (!isMessage(value)) return false;
  const parts = arrayAt(value, 'parts');
  if (parts) return parts.length > 0 && parts.every(isPart);
  const invoked = arrayAt(value, 'toolInvocations')?.[0];
  if (isRecord(invoked) && stringAt(invoked, 'toolCallId') !== undefined) return true;
  return (arrayAt(value, 'content') ?? []).some(isCallPart);
}

function isPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const type = stringAt(part, 'type') ?? '';
  return PART.test(type) && (type !== 'text' || typeof ownAt(part, 'text') === 'string');
}

function isCallPart(part: unknown): boolean {
  if (!isRecord(part) || stringAt(part, 'toolCallId') === undefined) return false;
  return part.type === 'tool-call' || part.type === 'tool-result';
}

const BODIES: readonly (readonly string[])[] = [
  [],
  ['body'],
  ['request'],
  ['request', 'body'],
  ['response'],
  ['result'],
];

/** A list of messages in a body or a response, with its path; null if there is none. */
export function listIn(fields: Fields): { readonly path: JsonPath; readonly values: readonly unknown[] } | null {
  for (const path of BODIES) {
    let at: unknown = fields;
    for (const step of path) at = isRecord(at) ? ownAt(at, step) : undefined;
    const values = isRecord(at) ? arrayAt(at, 'messages') : undefined;
    if (values?.some(isMessage)) return { path: [...path, 'messages'], values };
  }
  return null;
}

/** The message that a record is a wrapper of. */
export function wrapped(fields: Fields): Fields | null {
  const message = recordAt(fields, 'message');
  return isMessage(message) ? message : null;
}

/** True for a value, or a list whose first values are, of the SDK's own making. */
export function isOwn(value: unknown): boolean {
  if (Array.isArray(value)) return value.slice(0, 50).some(isOwn);
  if (!isRecord(value)) return false;
  if (isOwnMessage(value) || isOwnChunk(value) || isOwnMessage(recordAt(value, 'message'))) return true;
  return listIn(value)?.values.some(isOwnMessage) ?? false;
}
