// Events in the wrappers they are recorded in: bare, ["event", {event}] of a plugin, {payload} of the global stream.

import type { JsonPath } from '../../../model/message.ts';
import { isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';

/** An event of the bus: `path` leads to its properties in the record. */
export interface BusEvent {
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly path: JsonPath;
}

/** The event a record wraps, or null. */
export function eventIn(value: unknown): BusEvent | null {
  if (Array.isArray(value)) return value[0] === 'event' ? eventAt(value[1], ['event'], [1]) : null;
  return eventAt(value, [], []) ?? eventAt(value, ['payload'], []) ?? eventAt(value, ['event'], []);
}

/** The hook a plugin recorded, `["chat.message", input, output]`, or null. */
export function hookIn(
  value: unknown,
): { readonly name: string; readonly input: unknown; readonly output: unknown } | null {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || value[0] === 'event') return null;
  return /^[a-z_.]+$/.test(value[0]) ? { name: value[0], input: value[1], output: value[2] } : null;
}

function eventAt(value: unknown, inner: readonly string[], outer: JsonPath): BusEvent | null {
  let event: unknown = value;
  for (const step of inner) event = isRecord(event) ? ownAt(event, step) : undefined;
  if (!isRecord(event)) return null;
  const type = stringAt(event, 'type');
  const properties = recordAt(event, 'properties');
  if (type === undefined || !properties || !/^[a-z_]+(\.[a-z_]+)+$/.test(type)) return null;
  return { type, properties, path: [...outer, ...inner, 'properties'] };
}
