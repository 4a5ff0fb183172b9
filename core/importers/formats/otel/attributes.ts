// The attributes of a span as JSON values: from OTLP's lists of keys and typed values, or from a plain map.

import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { eachMember, spanAt } from '../../reading/slices.ts';
import { type Json, joined, jsonAt, jsonElements, parsed } from '../trace/json.ts';

/** Values by their dotted key. */
export type Attributes = ReadonlyMap<string, Json>;

const NONE: Attributes = new Map();

/** Reads `[{"key":…,"value":{"stringValue":…}}]` or `{"key": value}`; groups of a nested map get their dotted keys too. */
export function attributesOf(holder: Json | null): Attributes {
  if (!holder) return NONE;
  if (Array.isArray(holder.value)) {
    const pairs = jsonElements(holder).flatMap((pair) => {
      const key = isRecord(pair.value) ? stringAt(pair.value, 'key') : undefined;
      const value = jsonAt(pair, 'value');
      const read = value && anyValue(value);
      return key === undefined || !read ? [] : [[key, read] as const];
    });
    return new Map(pairs);
  }
  const found = new Map<string, Json>();
  addMembers(holder, '', found);
  return found;
}

/** The members of an object with their exact texts, in the order of the file. */
export function membersOf(json: Json): readonly (readonly [string, Json])[] {
  if (!isRecord(json.value)) return [];
  const members: (readonly [string, Json])[] = [];
  const { value } = json;
  eachMember(json.text, spanAt(json.text, [])?.start ?? 0, (key, { start, end }) => {
    members.push([key, { text: json.text.slice(start, end), value: ownAt(value, key) }]);
  });
  return members;
}

const GROUPS = /^(gen_ai|llm|openinference|tool|input|output|session|llm\.(input|output)_messages|llm\.tools)$/;

function addMembers(json: Json, prefix: string, found: Map<string, Json>): void {
  for (const [key, value] of membersOf(json)) {
    if (value.value === null) continue;
    found.set(`${prefix}${key}`, value);
    if (prefix !== '' || GROUPS.test(key)) addInner(value, `${prefix}${key}.`, found);
  }
}

function addInner(json: Json, prefix: string, found: Map<string, Json>): void {
  if (isRecord(json.value)) addMembers(json, prefix, found);
  for (const [at, element] of jsonElements(json).entries()) addInner(element, `${prefix}${at}.`, found);
}

/** A typed value of OTLP as the JSON it stands for; whole numbers are written as strings there. */
function anyValue(json: Json): Json | null {
  const [member] = membersOf(json);
  if (!member) return null;
  const [type, value] = member;
  switch (type) {
    case 'intValue':
      return typeof value.value === 'string' && /^-?(0|[1-9]\d*)$/.test(value.value) ? parsed(value.value) : value;
    case 'arrayValue': {
      const values = jsonElements(jsonAt(value, 'values')).map((element) => anyValue(element)?.text ?? 'null');
      return parsed(`[${values.join(',')}]`);
    }
    case 'kvlistValue': {
      const members = [...attributesOf(jsonAt(value, 'values') ?? parsed('[]'))];
      return joined(...members.map(([key, inner]) => [key, inner.text] as const));
    }
    default:
      return value.value === null ? null : value;
  }
}

/** The value of the first of the keys that is there. */
export function firstOf(attributes: Attributes, keys: readonly string[]): Json | null {
  for (const key of keys) {
    const value = attributes.get(key);
    if (value) return value;
  }
  return null;
}

/** The string under the first of the keys that is there and holds one that is not empty. */
export function textOf(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = attributes.get(key)?.value;
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Attributes `prefix.N.rest`, by N in ascending order, each with its `rest`. */
export function indexed(attributes: Attributes, prefix: string): readonly Attributes[] {
  const groups = new Map<number, Map<string, Json>>();
  for (const [key, value] of attributes) {
    const found = key.startsWith(`${prefix}.`) ? /^(\d{1,9})\.(.+)$/.exec(key.slice(prefix.length + 1)) : null;
    if (!found) continue;
    const at = Number(found[1]);
    const group = groups.get(at) ?? new Map<string, Json>();
    group.set(found[2] ?? '', value);
    groups.set(at, group);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}
