// browser-safe
import { boolAt, type Fields, isRecord, numberAt, recordAt, stringAt } from '../util/unknown.ts';
import type { ProtocolError } from './methods.ts';

/** Version of the protocol; both sides say theirs first. Raised when a method or event changes its meaning. */
export const PROTOCOL_VERSION = 2;

/** The first message of each side. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
}

/** A call. `id` is the caller's, unique among its pending calls. */
export interface Request {
  readonly type: 'request';
  readonly id: number;
  readonly method: string;
  readonly params: unknown;
}

/** The answer to the request with the same id: exactly one of result and error. */
export type Response =
  | { readonly type: 'response'; readonly id: number; readonly result: unknown }
  | { readonly type: 'response'; readonly id: number; readonly error: ProtocolError };

/** Said without being asked. */
export interface EventMessage {
  readonly type: 'event';
  readonly event: string;
  readonly payload: unknown;
}

export type Envelope = Hello | Request | Response | EventMessage;

/** Reads what a transport received: JSON text of an envelope. null if it is anything else. */
export function parseEnvelope(message: unknown): Envelope | null {
  if (typeof message !== 'string') return null;
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return isRecord(value) ? readEnvelope(value) : null;
}

// By hand, not by a schema: a screen reads envelopes too, and shall not load a schema library for these few fields.
function readEnvelope(value: Fields): Envelope | null {
  switch (stringAt(value, 'type')) {
    case 'request':
      return readRequest(value);
    case 'response':
      return readResponse(value);
    case 'event':
      return readEvent(value);
    case 'hello':
      return readHello(value);
    default:
      return null;
  }
}

function readRequest(value: Fields): Request | null {
  const id = numberAt(value, 'id');
  const method = stringAt(value, 'method');
  if (id === undefined || method === undefined || !Object.hasOwn(value, 'params')) return null;
  return { type: 'request', id, method, params: value.params };
}

// A readable error counts before a result; an unreadable one is not part of the envelope.
function readResponse(value: Fields): Response | null {
  const id = numberAt(value, 'id');
  if (id === undefined) return null;
  const error = readError(recordAt(value, 'error') ?? {});
  if (error !== null) return { type: 'response', id, error };
  return Object.hasOwn(value, 'result') ? { type: 'response', id, result: value.result } : null;
}

function readError(value: Fields): ProtocolError | null {
  const code = stringAt(value, 'code');
  const message = stringAt(value, 'message');
  const expected = boolAt(value, 'expected');
  if (code === undefined || message === undefined || expected === undefined) return null;
  if (!Object.hasOwn(value, 'cause')) return { code, message, expected };
  const cause = stringAt(value, 'cause');
  return cause === undefined ? null : { code, message, expected, cause };
}

function readEvent(value: Fields): EventMessage | null {
  const event = stringAt(value, 'event');
  return event === undefined || !Object.hasOwn(value, 'payload')
    ? null
    : { type: 'event', event, payload: value.payload };
}

function readHello(value: Fields): Hello | null {
  const protocol = numberAt(value, 'protocol');
  return protocol === undefined ? null : { type: 'hello', protocol };
}

/** An envelope as a transport sends it. */
export function encodeEnvelope(envelope: Envelope): string {
  return JSON.stringify(envelope);
}

/** What a side says to one that speaks another version. */
export function versionError(theirs: number): ProtocolError {
  return {
    code: 'protocol.version',
    message: `The two sides speak different protocol versions (${PROTOCOL_VERSION} here, ${theirs} there); restart both.`,
    expected: true,
  };
}
