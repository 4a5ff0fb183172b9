// What a model answered, in the words of the framework that recorded it.

import { openaiDiagnosis } from '../../../model/cacheDiagnosis.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { joinAnswer, type ResponseItem, responsesUsage } from '../../reading/responsesItems.ts';
import { defined, nonEmpty, openaiUsage } from '../../reading/shared.ts';
import { candidateOf, geminiUsage } from '../gemini.ts';
import { decoded, type Json, joined, jsonAt, jsonElements } from './json.ts';
import { messagesIn, readMessages } from './request.ts';
import { numberIn } from './usage.ts';

/** The messages of an answer (of several choices the first), and what else the payload says. */
export interface Answer {
  readonly messages: readonly Json[];
  readonly meta: MessageMeta;
  readonly about: Partial<TranscriptMeta>;
  /** Number of choices; 1 where there is nothing to choose. */
  readonly choices: number;
}

const NOTHING: Answer = { messages: [], meta: {}, about: {}, choices: 1 };

/** Reads an answer; what is in no known words is a message with the whole value as its one block. */
export function readAnswer(output: Json | null): Answer {
  const payload = decoded(output);
  if (!payload || payload.value === '') return NOTHING;
  if (typeof payload.value === 'string') return said(payload.text);
  if (Array.isArray(payload.value)) return readList(payload);
  if (!isRecord(payload.value)) return blocks([payload.text]);
  return readRecord(payload, payload.value) ?? blocks([payload.text]);
}

function said(literal: string): Answer {
  return { ...NOTHING, messages: [joined(['role', '"assistant"'], ['content', literal])] };
}

function blocks(texts: readonly string[]): Answer {
  return said(`[${texts.join(',')}]`);
}

function readList(list: Json): Answer {
  const elements = jsonElements(list);
  const [first] = elements;
  if (!first) return NOTHING;
  if (elements.length === 1 && Array.isArray(first.value)) return readList(first);
  if (elements.every(({ value }) => isRecord(value) && stringAt(value, 'toolName') !== undefined)) {
    return blocks(elements.map(callBlock));
  }
  const read = elements.length === 1 ? readAnswer(first) : null;
  if (read) return read;
  const messages = readMessages(elements)?.messages;
  return messages ? { ...NOTHING, messages } : blocks(elements.map(({ text }) => text));
}

// A call as the AI SDK writes it into its traces.
function callBlock(call: Json): string {
  const input = jsonAt(call, 'input') ?? jsonAt(call, 'args');
  return joined(
    ['type', '"tool-call"'],
    ['toolCallId', jsonAt(call, 'toolCallId')?.text],
    ['toolName', jsonAt(call, 'toolName')?.text],
    ['input', input?.text],
  ).text;
}

function readRecord(payload: Json, fields: Fields): Answer | null {
  if (arrayAt(fields, 'choices')) return readChoices(payload, fields);
  if (arrayAt(fields, 'output') && (fields.object === 'response' || stringAt(fields, 'role') === undefined)) {
    return readResponse(payload, fields);
  }
  if (candidateOf(fields))
    return { ...contentAnswer(jsonAt(payload, 'candidates', 0, 'content')), meta: geminiMeta(fields) };
  if (isRecord(fields.content) && arrayAt(fields.content, 'parts')) {
    return { ...contentAnswer(jsonAt(payload, 'content')), meta: geminiMeta(fields) };
  }
  if (arrayAt(fields, 'generations')) return readGeneration(jsonAt(payload, 'generations'));
  const messages = messagesIn(payload);
  if (messages.length > 0) return { ...NOTHING, messages, meta: defined({ stopReason: stopOf(fields) }) };
  const inner = jsonAt(payload, 'message');
  if (inner && isRecord(inner.value)) return readAnswer(inner);
  return readSdk(payload, fields);
}

function readChoices(payload: Json, fields: Fields): Answer {
  const choices = jsonElements(jsonAt(payload, 'choices'));
  const [first] = choices;
  const message = first && (jsonAt(first, 'message') ?? jsonAt(first, 'text'));
  const meta = defined({
    id: stringAt(fields, 'id'),
    model: stringAt(fields, 'model'),
    usage: openaiUsage(ownAt(fields, 'usage')),
    stopReason: first && isRecord(first.value) ? stopOf(first.value) : undefined,
  });
  const read = message ? readAnswer(message) : NOTHING;
  return { ...read, meta: { ...read.meta, ...meta }, choices: Math.max(choices.length, 1) };
}

function readResponse(payload: Json, fields: Fields): Answer | null {
  const items = jsonElements(jsonAt(payload, 'output')).flatMap(({ text, value }): ResponseItem[] =>
    isRecord(value) && stringAt(value, 'type') !== undefined ? [{ text, value }] : [],
  );
  if (items.length === 0) return null;
  const meta = defined({
    id: stringAt(fields, 'id'),
    model: stringAt(fields, 'model'),
    usage: responsesUsage(ownAt(fields, 'usage')),
    stopReason: stringAt(fields, 'status'),
    cacheDiagnosis: openaiDiagnosis(fields),
  });
  const about = { toolsJson: jsonAt(payload, 'tools')?.text, systemJson: jsonAt(payload, 'instructions')?.text };
  return { ...NOTHING, messages: [joinAnswer(items)], meta, about: defined(about) };
}

function contentAnswer(content: Json | null): Answer {
  return { ...NOTHING, messages: content ? messagesIn(content) : [] };
}

// The Gemini API's names, and ADK's.
function geminiMeta(fields: Fields): MessageMeta {
  const usage = recordAt(fields, 'usage_metadata') ?? {};
  const reason = stringAt(candidateOf(fields) ?? {}, 'finishReason');
  return defined({
    stopReason: reason ?? stopOf(fields),
    model: stringAt(fields, 'modelVersion') ?? stringAt(fields, 'model_version'),
    usage:
      geminiUsage(ownAt(fields, 'usageMetadata')) ??
      nonEmpty({
        input: numberIn(usage, ['prompt_token_count']),
        output: numberIn(usage, ['candidates_token_count']),
        cacheRead: numberIn(usage, ['cached_content_token_count']),
        reasoning: numberIn(usage, ['thoughts_token_count']),
        total: numberIn(usage, ['total_token_count']),
      }),
  });
}

// LangChain's LLMResult: a list of candidates for each prompt of a batch of one.
function readGeneration(generations: Json | null): Answer | null {
  const [prompt] = jsonElements(generations);
  const candidates = prompt && Array.isArray(prompt.value) ? jsonElements(prompt) : jsonElements(generations);
  const [first] = candidates;
  const message = first && (jsonAt(first, 'message') ?? jsonAt(first, 'text'));
  if (!message) return null;
  return { ...readAnswer(message), choices: Math.max(candidates.length, 1) };
}

// The AI SDK's result: text, and calls beside it.
function readSdk(payload: Json, fields: Fields): Answer | null {
  const calls = jsonElements(decoded(jsonAt(payload, 'toolCalls')));
  const text = stringAt(fields, 'text') ? jsonAt(payload, 'text') : null;
  if (!text && calls.length === 0) return null;
  const texts = text ? [joined(['type', '"text"'], ['text', text.text]).text] : [];
  return { ...blocks([...texts, ...calls.map(callBlock)]), meta: defined({ stopReason: stopOf(fields) }) };
}

function stopOf(fields: Fields): string | undefined {
  return stringAt(fields, 'finish_reason') ?? stringAt(fields, 'finishReason') ?? stringAt(fields, 'stop_reason');
}
