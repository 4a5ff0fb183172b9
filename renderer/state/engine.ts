import type { EngineClient as ProtocolClient } from '../../core/protocol/client.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import { boolAt, isRecord, stringAt } from '../../core/util/unknown.ts';

/** The engine as the state needs it: calls of the protocol's map and its events. */
export type EngineClient = Pick<ProtocolClient, 'call' | 'on'>;

/** A rejected call as data. Anything that is not a protocol error is a bug of ours and says so. */
export function toProtocolError(thrown: unknown): ProtocolError {
  if (thrown instanceof Error) {
    const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : 'renderer.bug';
    const expected = 'expected' in thrown && thrown.expected === true;
    return { code, message: thrown.message, expected };
  }
  if (!isRecord(thrown)) return { code: 'renderer.bug', message: String(thrown), expected: false };
  return {
    code: stringAt(thrown, 'code') ?? 'renderer.bug',
    message: stringAt(thrown, 'message') ?? 'unknown failure',
    expected: boolAt(thrown, 'expected') ?? false,
  };
}
