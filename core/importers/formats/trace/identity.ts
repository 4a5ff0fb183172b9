// What makes two messages of a trace the same one. The same message is in many records: as an answer, and in the
// request of every later call, often in another provider's words.

import { argumentsText } from '../../../model/readBlock.ts';
import { callIdOf, callNameOf, contentText } from '../../../model/readResult.ts';
import { canonicalJson } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { parseJson } from '../../reading/record.ts';
import type { Json } from './json.ts';

type Said = readonly unknown[];

const REASONING: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const CALLS: ReadonlySet<string> = new Set(['tool_use', 'tool-call', 'toolCall', 'function_call', 'custom_tool_call']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text', '']);

/** A call in a message: its id and name (null if it has none) and its arguments in one spelling. */
export interface CallMade {
  readonly id: string | null;
  readonly name: string | null;
  readonly args: string;
}

/** Equal for messages of one history that are the same: role, texts, calls and results with their ids. */
export function identityOf(message: Json): string {
  return JSON.stringify(said(message, true));
}

/** Equal for an answer and what a later request says it was: without ids and reasoning. */
export function answerOf(message: Json): string {
  return JSON.stringify(said(message, false));
}

/** The calls a message makes. */
export function callsMade(message: Json): readonly CallMade[] {
  if (!isRecord(message.value)) return [];
  const blocks = blocksOf(message.value).filter(isRecord);
  const beside = (arrayAt(message.value, 'tool_calls') ?? []).filter(isRecord);
  return [...blocks.flatMap((block) => callIn(block) ?? []), ...beside.map(callMade)];
}

/** Arguments in one spelling: key order and white space do not count, nor whether they are encoded in a string. */
export function sameArguments(text: string): string {
  const value = parseJson(text);
  if (value.error) return text;
  return typeof value.value === 'string' ? sameArguments(value.value) : canonicalJson(text);
}

function said({ text, value }: Json, strict: boolean): Said {
  if (!isRecord(value)) return [text];
  const role = value.role === 'model' ? 'assistant' : (value.role ?? 'user');
  const blocks = blocksOf(value).flatMap((block) => saidIn(block, strict));
  const calls = (arrayAt(value, 'tool_calls') ?? []).map((call) =>
    saidCall(callMade(isRecord(call) ? call : {}), strict),
  );
  const answered = strict ? (value.tool_call_id ?? null) : null;
  return [role, answered, ...blocks, ...calls];
}

function blocksOf(message: Fields): readonly unknown[] {
  const content = ownAt(message, 'content') ?? ownAt(message, 'parts');
  if (Array.isArray(content)) return content;
  return content === '' || content === undefined || content === null ? [] : [content];
}

function saidIn(block: unknown, strict: boolean): readonly Said[] {
  if (typeof block === 'string') return [['text', block]];
  if (!isRecord(block)) return [['other', contentText(block)]];
  const type = stringAt(block, 'type') ?? '';
  const text = stringAt(block, 'text');
  if (TEXTS.has(type) && text !== undefined && ownAt(block, 'thought') !== true)
    return text === '' ? [] : [['text', text]];
  if (REASONING.has(type) || ownAt(block, 'thought') === true) return strict ? [['other', canonical(block)]] : [];
  const call = callIn(block);
  return [call ? saidCall(call, strict) : ['other', canonical(block)]];
}

function canonical(value: unknown): string {
  return canonicalJson(contentText(value));
}

function callIn(block: Fields): CallMade | null {
  const inner = recordAt(block, 'functionCall') ?? recordAt(block, 'function_call');
  if (inner) return callMade(inner);
  return CALLS.has(stringAt(block, 'type') ?? '') ? callMade(block) : null;
}

function callMade(call: Fields): CallMade {
  const id = stringAt(call, 'call_id') ?? callIdOf(call);
  return { id, name: callNameOf(call), args: sameArguments(argumentsText(call)) };
}

function saidCall({ id, name, args }: CallMade, strict: boolean): Said {
  return strict ? ['call', id, name, args] : ['call', name, args];
}
