// What a model was given, in the words of the framework that recorded it: Chat Completions, LangChain, the Responses API,
// Gemini and ADK, OpenTelemetry's parts, or a bare prompt. Told apart by content; one reader for every tracing tool.

import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { isKnownItem, type ResponseItem } from '../../reading/responsesItems.ts';
import { defined } from '../../reading/shared.ts';
import { expand } from '../aiSdk/message.ts';
import { isOwnMessage } from '../aiSdk/shapes.ts';
import { hasContents } from '../gemini.ts';
import { isOwnForm, readLangchain } from '../langchain/message.ts';
import { messagesOf } from '../openaiResponses/fold.ts';
import { callsMade } from './identity.ts';
import { decoded, type Json, joined, jsonAt, jsonElements } from './json.ts';
import { hasTypedParts, messageOfEvent, messagesOfParts } from './parts.ts';

const ROLES: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'model',
  'tool',
  'function',
  'human',
  'ai',
]);

/** The messages of a request, and what it says of tools and system prompt beside them. */
export interface Request {
  readonly messages: readonly Json[];
  readonly about: Partial<TranscriptMeta>;
}

/** Reads a request; null if there is none. What is in no known words is a user's message with the whole value. */
export function readRequest(input: Json | null): Request | null {
  const payload = decoded(input);
  if (!payload || payload.value === '') return null;
  if (typeof payload.value === 'string') return { messages: [userSays(payload.text)], about: {} };
  if (isLost(payload.value)) return null;
  return readList(payload) ?? readBody(payload) ?? readMessages([payload]) ?? unknown(payload);
}

// Of several messages LangSmith's exporter writes this and no more.
function isLost(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (!isRecord(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 0 || (keys.length === 1 && value.content === 'role');
}

function unknown(payload: Json): Request {
  return { messages: [joined(['role', '"user"'], ['content', `[${payload.text}]`])], about: {} };
}

function userSays(literal: string): Json {
  return joined(['role', '"user"'], ['content', literal]);
}

function readList(list: Json): Request | null {
  if (!Array.isArray(list.value)) return null;
  const elements = jsonElements(list);
  const [first] = elements;
  // LangChain asks for a batch of prompts; a trace has a batch of one.
  if (elements.length === 1 && first && Array.isArray(first.value)) return readList(first);
  return readMessages(elements);
}

/** Messages in any of the known words, null if one of them is none. Tools that stand among them are set apart. */
export function readMessages(elements: readonly Json[]): Request | null {
  if (elements.length === 0) return null;
  if (elements.some(({ value }) => isRecord(value) && isItem(value))) return readItems(elements);
  const messages: Json[] = [];
  const tools: string[] = [];
  for (const element of elements) {
    const tool = toolOf(element);
    const read = tool === null ? (resultByName(element, messages.at(-1)) ?? messagesIn(element)) : [];
    if (tool !== null) tools.push(tool);
    else if (read.length === 0) return null;
    messages.push(...read.map((message) => answering(message, messages.at(-1))));
  }
  return { messages, about: tools.length > 0 ? { toolsJson: `[${tools.join(',')}]` } : {} };
}

// A result that names no call answers the one before it, if that is a lone one.
function answering(message: Json, before: Json | undefined): Json {
  const fields = isRecord(message.value) ? message.value : {};
  if (fields.role !== 'tool' || ['tool_call_id', 'name'].some((key) => Object.hasOwn(fields, key))) return message;
  const [call, ...others] = before ? callsMade(before) : [];
  if (call?.id == null || others.length > 0 || typeof fields.content !== 'string') return message;
  return joined(
    ['role', '"tool"'],
    ['tool_call_id', JSON.stringify(call.id)],
    ['content', jsonAt(message, 'content')?.text],
  );
}

function isItem(value: Fields): boolean {
  return stringAt(value, 'type') !== undefined && isKnownItem(value);
}

function readItems(elements: readonly Json[]): Request | null {
  const items = elements.flatMap(({ text, value }): ResponseItem[] => (isRecord(value) ? [{ text, value }] : []));
  const messages = messagesOf(items);
  return messages.length > 0 ? { messages, about: {} } : null;
}

// Langfuse's LangChain handler puts the tools the model was given at the end of its messages.
function toolOf(element: Json): string | null {
  if (!isRecord(element.value) || element.value.role !== 'tool') return null;
  const content = recordAt(element.value, 'content');
  return content && recordAt(content, 'function') ? (jsonAt(element, 'content')?.text ?? null) : null;
}

// Langfuse's LangChain handler for JavaScript gives the result of a tool the tool's name as its role.
function resultByName(element: Json, before: Json | undefined): readonly Json[] | null {
  const role = jsonAt(element, 'role');
  if (!before || typeof role?.value !== 'string' || ROLES.has(role.value)) return null;
  if (!callsMade(before).some(({ name }) => name === role.value)) return null;
  const id = jsonAt(element, 'tool_call_id')?.text;
  const content = jsonAt(element, 'content')?.text;
  return [joined(['role', '"tool"'], ['tool_call_id', id], ['name', role.text], ['content', content])];
}

/** One recorded message as the messages it is; none if it is not a message. */
export function messagesIn(element: Json): readonly Json[] {
  const inner = decoded(element) ?? element;
  const { value } = inner;
  if (!isRecord(value)) return [];
  const event = messageOfEvent(inner);
  if (event) return [event];
  if (hasTypedParts(value)) return messagesOfParts(inner);
  const called = callsInText(inner, value);
  if (called) return [called];
  if (isOwnMessage(value)) return expand({ text: inner.text, fields: value }).messages;
  const role = stringAt(value, 'role');
  const isLangchain = isOwnForm(value) || role === 'human' || role === 'ai';
  const lifted = role === 'assistant' ? callsLifted(inner, value) : null;
  if (lifted) return [lifted];
  const read = isLangchain ? readLangchain(inner.text, value) : null;
  if (read) return [{ text: read.text, value: read.value }];
  const parts = arrayAt(value, 'parts');
  if (parts && role === undefined) return [joined(['role', '"user"'], ['parts', jsonAt(inner, 'parts')?.text])];
  const hasBody =
    parts !== undefined || ['content', 'tool_calls', 'function_call'].some((key) => Object.hasOwn(value, key));
  return role !== undefined && hasBody ? [inner] : [];
}

// Koog writes the calls of an answer as a text, in the history even as a tool's.
function callsInText(message: Json, fields: Fields): Json | null {
  if (typeof fields.content !== 'string' || (fields.role !== 'assistant' && fields.role !== 'tool')) return null;
  const calls = decoded(jsonAt(message, 'content'));
  const list = jsonElements(calls).map(({ value }) => value);
  const areCalls =
    list.length > 0 && list.every((call) => isRecord(call) && call.type === 'function' && recordAt(call, 'function'));
  return areCalls && calls ? joined(['role', '"assistant"'], ['tool_calls', calls.text]) : null;
}

// An answer in LangChain's words under a provider's role: its calls are beside.
function callsLifted(message: Json, fields: Fields): Json | null {
  const calls = jsonAt(message, 'additional_kwargs', 'tool_calls');
  if (!calls || arrayAt(fields, 'tool_calls') || jsonElements(calls).length === 0) return null;
  return joined(['role', '"assistant"'], ['content', jsonAt(message, 'content')?.text], ['tool_calls', calls.text]);
}

const CONTENTS_SYSTEM = ['systemInstruction', 'system_instruction'];

function readBody(body: Json): Request | null {
  const fields = body.value;
  if (!isRecord(fields)) return null;
  const system = fields.system === undefined ? 'instructions' : 'system';
  const about = { toolsJson: textAt(body, 'tools'), systemJson: textAt(body, system) };
  if (arrayAt(fields, 'messages')) {
    const list = jsonAt(body, 'messages');
    return withAbout(list && readList(list), about);
  }
  if (hasContents(ownAt(fields, 'contents')) || typeof fields.contents === 'string') return readContents(body);
  const items = jsonAt(body, 'input');
  if (
    items &&
    (Array.isArray(items.value) || typeof items.value === 'string') &&
    stringAt(fields, 'role') === undefined
  ) {
    return withAbout(readRequest(items), about);
  }
  return readPrompt(body, fields);
}

function readContents(body: Json): Request | null {
  const config = jsonAt(body, 'config') ?? jsonAt(body, 'generationConfig') ?? body;
  const holders = [body, config];
  const system = holders.flatMap((holder) => CONTENTS_SYSTEM.flatMap((key) => textAt(holder, key) ?? []))[0];
  const tools = holders.flatMap((holder) => textAt(holder, 'tools') ?? [])[0];
  const contents = jsonAt(body, 'contents');
  const prompt =
    typeof contents?.value === 'string' ? [joined(['role', '"user"'], ['parts', `[{"text":${contents.text}}]`])] : [];
  const messages = [...prompt, ...jsonElements(contents).flatMap((content) => messagesIn(content))];
  return messages.length > 0 ? { messages, about: defined({ systemJson: system, toolsJson: tools }) } : null;
}

function readPrompt(body: Json, fields: Fields): Request | null {
  const prompt = jsonAt(body, 'prompt');
  if (!prompt || stringAt(fields, 'role') !== undefined) return null;
  const asked = readRequest(prompt);
  const system = stringAt(fields, 'system') === undefined ? null : jsonAt(body, 'system');
  if (!asked || !system) return asked;
  return { ...asked, messages: [joined(['role', '"system"'], ['content', system.text]), ...asked.messages] };
}

// An empty list or object says that there is none.
function textAt(json: Json, key: string): string | undefined {
  const value = jsonAt(json, key);
  return value === null || /^[[{]\s*[\]}]$/.test(value.text) ? undefined : value.text;
}

/** True if the system prompt stands among the messages. */
export function hasSystem(request: Request | null): boolean {
  const first = request?.messages[0]?.value;
  return isRecord(first) && (first.role === 'system' || first.role === 'developer');
}

function withAbout(
  request: Request | null,
  about: { readonly [K in 'toolsJson' | 'systemJson']: string | undefined },
): Request | null {
  return request && { ...request, about: { ...defined(about), ...request.about } };
}
