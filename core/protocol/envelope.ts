// browser-safe
import { z } from 'zod';
import type { ProtocolError } from './methods.ts';

/** Version of the protocol; both sides say theirs first. Raised when a method or event changes its meaning. */
export const PROTOCOL_VERSION = 1;

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

const protocolErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  expected: z.boolean(),
  cause: z.string().exactOptional(),
});

const envelopeSchema = z.union([
  z.object({ type: z.literal('request'), id: z.number(), method: z.string(), params: z.unknown() }),
  z.object({ type: z.literal('response'), id: z.number(), error: protocolErrorSchema }),
  z.object({ type: z.literal('response'), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal('event'), event: z.string(), payload: z.unknown() }),
  z.object({ type: z.literal('hello'), protocol: z.number() }),
]);

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
  const parsed = envelopeSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** An envelope as a transport sends it. */
export function encodeEnvelope(envelope: Envelope): string {
  return JSON.stringify(envelope);
}
