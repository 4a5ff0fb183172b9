// One place of a file → its messages, by one rule of a mapping. A message's text is put together from slices of the
// record's own text (docs/formats.md says how), so that nothing is in it that the file does not hold; only the role
// and the names of the fields are the mapping's.

import { findPlaces } from '../../../model/mapping/path.ts';
import { isMappedRole } from '../../../model/mapping/read.ts';
import type { MappedRole } from '../../../model/mapping/types.ts';
import type { JsonPath, MessageMeta } from '../../../model/message.ts';
import { valueAt } from '../../../model/partText.ts';
import { isRecord } from '../../../util/unknown.ts';
import { defined, isoTime, nonEmpty } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import type { MessageSteps, Steps } from './compile.ts';

/** A message's JSON text and facts. */
export interface MappedMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

/** What a rule made of a place. No messages: it has no role (`role` null), or one the mapping does not know. */
export interface MappedPlace {
  readonly messages: readonly MappedMessage[];
  /** The role's value as text; null if there is none. */
  readonly role: string | null;
  /** Ids as text, for branches. */
  readonly id: string | null;
  readonly parent: string | null;
}

/** A value with its text. */
interface Slice {
  readonly text: string;
  readonly value: unknown;
}

/** Reads a place. `text` = its exact text, `value` = what that parses to. */
export function readPlace(rule: MessageSteps, text: string, value: unknown): MappedPlace {
  const { role, said } = roleAt(rule, value);
  const at = { text, value };
  const ids = { id: scalarAt(at, rule.id), parent: scalarAt(at, rule.parent) };
  if (role === null) return { messages: [], role: said, ...ids };
  const meta = metaOf(rule, at);
  const results = resultsIn(rule, at).map((result) => ({
    text: resultText(result.slice, result.names),
    meta: resultMeta(meta),
  }));
  const own = role === 'tool' && rule.results?.at === undefined ? ownResult(rule, at) : messageText(rule, role, at);
  const isSpoken = own.holds || (results.length === 0 && !('constant' in rule.role));
  const first = isSpoken ? [{ text: own.text, meta }] : [];
  return { messages: [...first, ...results], role: said, ...ids };
}

function roleAt({ role, rolePath }: MessageSteps, value: unknown): { role: MappedRole | null; said: string | null } {
  if ('constant' in role) return { role: role.constant, said: null };
  const found = rolePath === null ? undefined : findPlaces(value, rolePath)[0];
  const said = found === undefined ? null : plainText(valueAt(value, found));
  if (said === null) return { role: null, said };
  const mapped = role.values && Object.hasOwn(role.values, said) ? role.values[said] : undefined;
  return { role: mapped ?? (isMappedRole(said) ? said : (role.otherwise ?? null)), said };
}

function plainText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** The values at a path, with their texts; null and '' are none. */
function slices(at: Slice, steps: Steps | null | undefined): readonly Slice[] {
  if (!steps) return [];
  return findPlaces(at.value, steps).flatMap((path) => {
    const value = valueAt(at.value, path);
    const text = value === null || value === '' ? null : sliceOf(at.text, path);
    return text === null ? [] : [{ text, value }];
  });
}

function sliceOf(text: string, path: JsonPath): string | null {
  return path.length === 0 ? text : sliceAt(text, path);
}

function scalarAt(at: Slice, steps: Steps | null): string | null {
  return plainText(slices(at, steps)[0]?.value);
}

function messageText(rule: MessageSteps, role: MappedRole, at: Slice): { text: string; holds: boolean } {
  const texts = slices(at, rule.text);
  const blocks = slices(at, rule.blocks).flatMap(elementsOf);
  const reasoning = slices(at, rule.reasoning);
  const calls = rule.calls === null ? [] : slices(at, rule.calls.at).map((call) => callText(call, rule));
  const members = [`"role":"${role}"`];
  const [thought] = reasoning;
  const plainThought = reasoning.length === 1 && typeof thought?.value === 'string';
  if (thought && plainThought) members.push(`"reasoning_content":${thought.text}`);
  const thoughts = plainThought ? [] : reasoning.flatMap(elementsOf).map((part) => block('reasoning', part));
  const holds = texts.length + blocks.length + reasoning.length + calls.length > 0;
  members.push(`"content":${contentText(texts, [...blocks.map((part) => blockOf(part))], thoughts)}`);
  if (calls.length > 0) members.push(`"tool_calls":[${calls.join(',')}]`);
  return { text: `{${members.join(',')}}`, holds };
}

// One text stays what it is, a string or a list of blocks; several become blocks.
function contentText(texts: readonly Slice[], blocks: readonly string[], thoughts: readonly string[]): string {
  const [only, ...others] = texts;
  const isAlone = others.length === 0 && blocks.length === 0 && thoughts.length === 0;
  if (isAlone) return only === undefined ? '[]' : only.text;
  return `[${[...thoughts, ...texts.flatMap(elementsOf).map(blockOf), ...blocks].join(',')}]`;
}

function blockOf(part: Slice): string {
  return typeof part.value === 'string' ? block('text', part) : part.text;
}

function block(type: 'text' | 'reasoning', part: Slice): string {
  return typeof part.value === 'string' ? `{"type":"${type}","text":${part.text}}` : part.text;
}

/** The elements of a list; of anything else itself. */
function elementsOf(slice: Slice): readonly Slice[] {
  if (!Array.isArray(slice.value)) return [slice];
  return slice.value.flatMap((value: unknown, i) => {
    const text = sliceAt(slice.text, [i]);
    return text === null ? [] : [{ text, value }];
  });
}

function callText(call: Slice, { calls }: MessageSteps): string {
  const id = slices(call, calls?.id)[0];
  const name = slices(call, calls?.name)[0];
  const args = slices(call, calls?.arguments)[0];
  const inner = [
    ...(name === undefined ? [] : [`"name":${stringText(name)}`]),
    ...(args === undefined ? [] : [`"arguments":${args.text}`]),
  ];
  const given = id === undefined ? '' : `"id":${stringText(id)},`;
  return `{${given}"type":"function","function":{${inner.join(',')}}}`;
}

/** Ids and names are texts; a number is put in quotes. */
function stringText({ text, value }: Slice): string {
  return typeof value === 'number' ? `"${text}"` : text;
}

type ResultSteps = NonNullable<MessageSteps['results']>;

interface FoundResult {
  readonly slice: Slice;
  readonly names: ResultSteps;
}

function resultsIn(rule: MessageSteps, at: Slice): readonly FoundResult[] {
  const { results } = rule;
  return results?.at === undefined ? [] : slices(at, results.at).map((slice) => ({ slice, names: results }));
}

function ownResult(rule: MessageSteps, at: Slice): { text: string; holds: boolean } {
  const text = rule.results?.text ?? rule.text ?? rule.blocks;
  return { text: resultText(at, { ...rule.results, ...(text === null ? {} : { text }) }), holds: true };
}

function resultText(result: Slice, names: ResultSteps): string {
  const id = slices(result, names.callId)[0];
  const name = slices(result, names.name)[0];
  const texts = slices(result, names.text);
  const failed = slices(result, names.error).some(({ value }) => saysFailed(value));
  const members = [
    '"role":"tool"',
    ...(id === undefined ? [] : [`"tool_call_id":${stringText(id)}`]),
    ...(name === undefined ? [] : [`"name":${stringText(name)}`]),
    `"content":${texts.length === 0 ? '""' : contentText(texts, [], [])}`,
    ...(failed ? ['"is_error":true'] : []),
  ];
  return `{${members.join(',')}}`;
}

const WELL = /^(|ok|okay|success|succeeded|successful|done|completed?|finished|passed|false|no|none|null|0|2\d\d)$/i;

function saysFailed(value: unknown): boolean {
  if (typeof value === 'string') return !WELL.test(value.trim());
  if (typeof value === 'number') return value !== 0;
  if (Array.isArray(value)) return value.length > 0;
  return value === true || isRecord(value);
}

function metaOf(rule: MessageSteps, at: Slice): MessageMeta {
  return defined({
    timestamp: isoTime(slices(at, rule.time)[0]?.value),
    model: scalarAt(at, rule.model) ?? undefined,
    usage: usageOf(rule, at),
    id: scalarAt(at, rule.id) ?? undefined,
  });
}

// What a turn cost belongs to its answer, and its id to one message.
function resultMeta({ timestamp }: MessageMeta): MessageMeta {
  return defined({ timestamp });
}

function usageOf({ usage }: MessageSteps, at: Slice): MessageMeta['usage'] {
  if (usage === null) return undefined;
  const count = (steps: Steps | undefined): number | undefined => {
    const value = slices(at, steps)[0]?.value;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  };
  return nonEmpty({
    input: count(usage.input),
    output: count(usage.output),
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
    reasoning: count(usage.reasoning),
    total: count(usage.total),
  });
}
