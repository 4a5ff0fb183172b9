// Messages as OpenTelemetry's conventions for generative AI write them: `{role, parts: [{type, content}]}`. Results stand
// among the parts, so one such message may be several here. Source: gen-ai-input-messages.json of the conventions.

import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import { type Json, joined, jsonAt, jsonElements } from './json.ts';

/** True for a message with parts that have a `type`; Gemini's have none. */
export function hasTypedParts(value: unknown): value is Fields {
  if (!isRecord(value) || stringAt(value, 'role') === undefined) return false;
  const parts = arrayAt(value, 'parts');
  return parts?.every((part) => isRecord(part) && stringAt(part, 'type') !== undefined) === true;
}

/** Results become messages of the role tool; all other parts, in their order, blocks of a message of the same role. */
export function messagesOfParts(message: Json): readonly Json[] {
  const role = jsonAt(message, 'role')?.text ?? '"user"';
  const name = jsonAt(message, 'name')?.text;
  const messages: Json[] = [];
  let blocks: string[] = [];
  const flush = (): void => {
    if (blocks.length > 0) messages.push(joined(['role', role], ['name', name], ['content', `[${blocks.join(',')}]`]));
    blocks = [];
  };
  const parts = jsonElements(jsonAt(message, 'parts'));
  for (const part of parts) {
    const result = resultOf(part);
    if (result) {
      flush();
      messages.push(result);
    } else blocks.push(blockOf(part));
  }
  flush();
  return messages.length > 0 ? messages : [joined(['role', role], ['content', '[]'])];
}

/** A message as the body of an event `gen_ai.….message`, which has more beside; null if it is none. */
export function messageOfEvent(event: Json): Json | null {
  const name = isRecord(event.value) ? stringAt(event.value, 'event.name') : undefined;
  const matched = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name ?? '');
  if (!matched) return null;
  const isResult = matched[1] === 'tool';
  const id = isResult ? (jsonAt(event, 'id') ?? jsonAt(event, 'tool_call_id')) : null;
  return joined(
    ['role', jsonAt(event, 'role')?.text ?? `"${matched[1]}"`],
    ['content', jsonAt(event, 'content')?.text],
    ['tool_calls', jsonAt(event, 'tool_calls')?.text],
    ['tool_call_id', id?.text],
    ['name', isResult ? jsonAt(event, 'name')?.text : null],
  );
}

function typeOf(part: Json): string {
  return isRecord(part.value) ? (stringAt(part.value, 'type') ?? '') : '';
}

function resultOf(part: Json): Json | null {
  if (typeOf(part) !== 'tool_call_response') return null;
  const content = jsonAt(part, 'response') ?? jsonAt(part, 'result') ?? jsonAt(part, 'content');
  return joined(
    ['role', '"tool"'],
    ['tool_call_id', jsonAt(part, 'id')?.text],
    ['name', jsonAt(part, 'name')?.text],
    ['content', content?.text],
  );
}

function blockOf(part: Json): string {
  const content = jsonAt(part, 'content');
  const isText = typeof content?.value === 'string';
  const type = typeOf(part);
  // .NET writes what the conventions have no name for under the name of its class.
  if (type.endsWith('.TextReasoningContent')) return protectedThinking(part);
  switch (type) {
    case 'text':
      return content && isText ? joined(['type', '"text"'], ['text', content.text]).text : part.text;
    case 'reasoning':
    case 'thinking':
      return thinkingOf(part, isText ? content : null);
    case 'tool_call':
      return joined(
        ['type', '"tool_use"'],
        ['id', jsonAt(part, 'id')?.text],
        ['name', jsonAt(part, 'name')?.text],
        ['input', jsonAt(part, 'arguments')?.text ?? '{}'],
      ).text;
    case 'blob':
    case 'uri':
      return mediaOf(part);
    default:
      return part.text;
  }
}

function thinkingOf(part: Json, content: Json | null): string {
  if (!content) return part.text;
  const signature = jsonAt(part, 'signature')?.text;
  return joined(['type', '"thinking"'], ['thinking', content.text], ['signature', signature]).text;
}

function protectedThinking(part: Json): string {
  const text = jsonAt(part, 'content', 'text')?.text ?? '""';
  const data = jsonAt(part, 'content', 'protectedData')?.text;
  return joined(['type', '"thinking"'], ['thinking', text], ['signature', data]).text;
}

function mediaOf(part: Json): string {
  const fields = isRecord(part.value) ? part.value : {};
  const isImage = fields.modality === 'image' || stringAt(fields, 'mime_type')?.startsWith('image/') === true;
  const uri = jsonAt(part, 'uri')?.text;
  const data = jsonAt(part, 'content') ?? jsonAt(part, 'data');
  if (!isImage) return part.text;
  if (uri) return joined(['type', '"image_url"'], ['image_url', joined(['url', uri]).text]).text;
  if (typeof data?.value !== 'string' || ownAt(fields, 'type') !== 'blob') return part.text;
  const source = joined(['type', '"base64"'], ['media_type', jsonAt(part, 'mime_type')?.text], ['data', data.text]);
  return joined(['type', '"image"'], ['source', source.text]).text;
}
