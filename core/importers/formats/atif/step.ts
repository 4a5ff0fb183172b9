// A step as messages: what was said, and each result of its observation as a tool message.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';

/** A message's JSON text, made of slices of the step. */
export interface StepMessage {
  readonly text: string;
  readonly meta: MessageMeta;
}

/** Values a scrubber left where something was: they name nothing. */
const SCRUBBED = /^(<.*>|REDACTED|\[.*\])$/i;

/** The string under `key`, unless a scrubber took it. */
export function named(fields: Fields, key: string): string | undefined {
  const value = stringAt(fields, key);
  return value === undefined || value === '' || SCRUBBED.test(value) ? undefined : value;
}

/** The role of a step's message; null where this format does not know its source and nothing else shows it. */
export function roleOf(step: Fields): 'system' | 'user' | 'assistant' | null {
  const source = stringAt(step, 'source');
  if (source === 'system' || source === 'user') return source;
  const isAnswer = source === 'agent' || recordAt(step, 'metrics') || arrayAt(step, 'tool_calls');
  return isAnswer ? 'assistant' : null;
}

/** `{"role":…,"content":…}` with the step's own message; of an answer its reasoning and its calls as well. */
export function stepMessage(text: string, step: Fields, role: string): StepMessage {
  const members = [`"role":"${role}"`];
  const reasoning = role === 'assistant' ? sliceAt(text, ['reasoning_content']) : null;
  if (reasoning?.startsWith('"')) members.push(`"reasoning_content":${reasoning}`);
  members.push(`"content":${sliceAt(text, ['message']) ?? 'null'}`);
  const calls = role === 'assistant' ? callsOf(text, step) : [];
  if (calls.length > 0) members.push(`"tool_calls":[${calls.map(callText).join(',')}]`);
  const meta = defined({
    timestamp: isoTime(ownAt(step, 'timestamp')),
    model: role === 'assistant' ? named(step, 'model_name') : undefined,
    usage: usageOf(recordAt(step, 'metrics')),
  });
  return { text: `{${members.join(',')}}`, meta };
}

/**
 * The results of a step's observation. One that names no call answers the call in its place; ids a scrubber took are
 * left out, then the call's name has to do.
 */
export function resultMessages(text: string, step: Fields): readonly StepMessage[] {
  const list = sliceAt(text, ['observation', 'results']);
  if (!list?.startsWith('[')) return [];
  const calls = callsOf(text, step);
  const values = arrayAt(recordAt(step, 'observation') ?? {}, 'results') ?? [];
  return elementSpans(list, 0).map(({ start, end }, at) => {
    const value = values[at];
    const result = list.slice(start, end);
    const given = isRecord(value) ? named(value, 'source_call_id') : undefined;
    const call = given === undefined ? calls[at] : calls.find(({ value: one }) => one.tool_call_id === given);
    const id = given === undefined ? call && idText(call) : sliceAt(result, ['source_call_id']);
    const content = sliceAt(result, ['content']);
    const members = [
      '"role":"tool"',
      ...(id ? [`"tool_call_id":${id}`] : []),
      ...(call ? [`"name":${sliceAt(call.text, ['function_name']) ?? 'null'}`] : []),
      ...(content === null || content === 'null' ? [] : [`"content":${content}`]),
    ];
    return { text: `{${members.join(',')}}`, meta: {} };
  });
}

interface Call {
  readonly text: string;
  readonly value: Fields;
}

function callsOf(text: string, step: Fields): readonly Call[] {
  const list = sliceAt(text, ['tool_calls']);
  if (!list?.startsWith('[')) return [];
  const values = arrayAt(step, 'tool_calls') ?? [];
  return elementSpans(list, 0).map(({ start, end }, at) => {
    const value = values[at];
    return { text: list.slice(start, end), value: isRecord(value) ? value : {} };
  });
}

function idText({ text, value }: Call): string | null {
  return named(value, 'tool_call_id') === undefined ? null : sliceAt(text, ['tool_call_id']);
}

function callText(call: Call): string {
  const id = idText(call);
  const members = [
    ...(id === null ? [] : [`"id":${id}`]),
    `"name":${sliceAt(call.text, ['function_name']) ?? 'null'}`,
    `"arguments":${sliceAt(call.text, ['arguments']) ?? '{}'}`,
  ];
  return `{${members.join(',')}}`;
}

/** `input` as recorded includes cached tokens. */
function usageOf(metrics: Fields | undefined): Usage | undefined {
  if (!metrics) return undefined;
  const usage = defined({
    input: numberAt(metrics, 'prompt_tokens'),
    output: numberAt(metrics, 'completion_tokens'),
    cacheRead: numberAt(metrics, 'cached_tokens'),
  });
  return Object.keys(usage).length > 0 ? usage : undefined;
}
