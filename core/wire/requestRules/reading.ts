// What the rules ask of a request's JSON. Values of any shape are read, and none is trusted.
import { jsonEqual } from '../../util/json/index.ts';
import { isRecord, ownAt, stringAt } from '../../util/unknown.ts';
import type { ProviderRequest } from './types.ts';

/** A content block with its place. */
export interface PlacedBlock {
  readonly message: number;
  readonly block: number;
  readonly role: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The role of a message; '' if it has none. */
export function roleOf(message: unknown): string {
  return isRecord(message) ? (stringAt(message, 'role') ?? '') : '';
}

/** The blocks of a message's content; a plain text is one text block. */
export function blocksOf(message: unknown): readonly unknown[] {
  const content = isRecord(message) ? ownAt(message, 'content') : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

/** The `type` of a block or item; '' if it has none. */
export function typeOf(value: unknown): string {
  return isRecord(value) ? (stringAt(value, 'type') ?? '') : '';
}

/** All blocks of a type, in order. */
export function blocksOfType({ messages }: ProviderRequest, type: string): readonly PlacedBlock[] {
  const found: PlacedBlock[] = [];
  for (const [message, each] of messages.entries()) {
    for (const [block, value] of blocksOf(each).entries()) {
      if (isRecord(value) && typeOf(value) === type) found.push({ message, block, role: roleOf(each), value });
    }
  }
  return found;
}

/** The value at a path of members below the body (`output_config.format`); undefined if there is none, or it is null. */
export function settingAt({ settings }: ProviderRequest, path: string): unknown {
  let value: unknown = settings;
  for (const key of path.split('.')) value = isRecord(value) ? ownAt(value, key) : undefined;
  return value ?? undefined;
}

/** True if two parsed values say the same, order of keys aside. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || jsonEqual(JSON.stringify(a), JSON.stringify(b));
}
