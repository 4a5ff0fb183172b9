// The messages of a model's call, in each of the forms instrumentations write them: OpenTelemetry's conventions for
// generative AI (attributes, their older numbered form, span events), OpenInference's numbered attributes, the AI SDK's.

import { isRecord, stringAt } from '../../../util/unknown.ts';
import { type Answer, readAnswer } from '../trace/answer.ts';
import { decoded, type Json, joined, jsonAt, jsonElements, parsed } from '../trace/json.ts';
import { type Request, readMessages, readRequest } from '../trace/request.ts';
import { type Attributes, attributesOf, firstOf, indexed, textOf } from './attributes.ts';

/** A span event: its name and attributes. */
export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

const NOTHING: Answer = { messages: [], meta: {}, about: {}, choices: 1 };
const PROMPTS = ['gen_ai.prompt', 'ai.prompt.messages', 'ai.prompt'];
const COMPLETIONS = ['gen_ai.completion', 'ai.response.object'];

/** What the model was given; null if the span does not say. */
export function requestOf(attributes: Attributes, events: readonly SpanEvent[], isModel: boolean): Request | null {
  const whole = firstOf(attributes, ['gen_ai.input.messages', 'gen_ai.input_messages']);
  if (whole && !isEmptyList(whole)) return readRequest(whole);
  const numbered = [
    ...numberedMessages(attributes, 'llm.input_messages'),
    ...numberedMessages(attributes, 'gen_ai.prompt'),
  ];
  if (numbered.length > 0) return readMessages(numbered.map((message) => message.json));
  const reported = messagesReported(events).filter((message) => !message.isChoice);
  if (reported.length > 0) return readMessages(reported.map((message) => message.json));
  const prompt = firstOf(attributes, PROMPTS) ?? eventAttribute(events, 'gen_ai.content.prompt', 'gen_ai.prompt');
  return readRequest(prompt ?? (isModel ? (attributes.get('input.value') ?? null) : null));
}

/** What it answered. */
export function answerOfSpan(attributes: Attributes, events: readonly SpanEvent[], isModel: boolean): Answer {
  const whole = decoded(firstOf(attributes, ['gen_ai.output.messages', 'gen_ai.output_messages']));
  const choices = jsonElements(whole);
  // Each message of the list is a choice.
  if (choices[0]) return { ...readAnswer(choices[0]), choices: choices.length };
  if (whole && !isEmptyList(whole)) return readAnswer(whole);
  const spoken = numberedMessages(attributes, 'llm.output_messages');
  if (spoken.length > 0) return { ...NOTHING, messages: spoken.map((message) => message.json) };
  const chosen = [
    ...numberedMessages(attributes, 'gen_ai.completion'),
    ...messagesReported(events).filter((one) => one.isChoice),
  ];
  const [first] = chosen;
  if (first) return choiceOf(first, chosen.length);
  const completion =
    firstOf(attributes, COMPLETIONS) ?? eventAttribute(events, 'gen_ai.content.completion', 'gen_ai.completion');
  const sdk = sdkAnswer(attributes);
  return readAnswer(completion ?? sdk ?? (isModel ? (attributes.get('output.value') ?? null) : null));
}

function isEmptyList(json: Json): boolean {
  const list = decoded(json)?.value;
  return Array.isArray(list) && list.length === 0;
}

interface ReportedMessage {
  readonly json: Json;
  readonly isChoice: boolean;
  readonly stopReason: string | undefined;
}

function choiceOf({ json, stopReason }: ReportedMessage, choices: number): Answer {
  return { ...NOTHING, messages: [json], meta: stopReason === undefined ? {} : { stopReason }, choices };
}

function numberedMessages(attributes: Attributes, prefix: string): readonly ReportedMessage[] {
  const isAnswer = /output|completion/.test(prefix);
  return indexed(attributes, prefix).map((fields) => {
    const own = new Map([...fields].map(([key, value]) => [key.replace(/^message\./, ''), value]));
    const role = own.get('role')?.text ?? (isAnswer ? '"assistant"' : '"user"');
    return { json: numberedMessage(role, own, prefix), isChoice: isAnswer, stopReason: textOf(own, 'finish_reason') };
  });
}

function numberedMessage(role: string, fields: Attributes, prefix: string): Json {
  const blocks = indexed(fields, 'contents').map(blockOf);
  const content = blocks.length > 0 ? `[${blocks.join(',')}]` : contentOf(fields.get('content') ?? null, prefix);
  const calls = indexed(fields, 'tool_calls').map(callOf);
  const legacy = fields.get('function_call_name');
  if (legacy) calls.push(callText(null, legacy, fields.get('function_call_arguments_json')));
  return joined(
    ['role', role],
    ['content', content],
    ['tool_calls', calls.length > 0 ? `[${calls.join(',')}]` : null],
    ['tool_call_id', fields.get('tool_call_id')?.text],
    ['name', fields.get('name')?.text],
  );
}

// Traceloop encodes a list of blocks as a text; OpenInference has attributes of their own for blocks.
function contentOf(content: Json | null, prefix: string): string | null {
  if (!content || !prefix.startsWith('gen_ai.')) return content?.text ?? null;
  const list = decoded(content);
  const blocks = jsonElements(list);
  const areBlocks =
    blocks.length > 0 && blocks.every(({ value }) => isRecord(value) && stringAt(value, 'type') !== undefined);
  return areBlocks && list ? list.text : content.text;
}

function blockOf(fields: Attributes): string {
  const own = new Map([...fields].map(([key, value]) => [key.replace(/^message_content\./, ''), value]));
  const url = own.get('image.image.url') ?? own.get('image.url');
  if (url) return joined(['type', '"image_url"'], ['image_url', joined(['url', url.text]).text]).text;
  return joined(...[...own].map(([key, value]) => [key, value.text] as const)).text;
}

function callOf(fields: Attributes): string {
  const own = new Map([...fields].map(([key, value]) => [key.replace(/^(tool_call\.)?(function\.)?/, ''), value]));
  return callText(own.get('id') ?? null, own.get('name') ?? null, own.get('arguments'));
}

function callText(id: Json | null, name: Json | null, args: Json | undefined): string {
  const inner = joined(['name', name?.text], ['arguments', args?.text]);
  return joined(['id', id?.text], ['type', '"function"'], ['function', inner.text]).text;
}

const ROLE_OF: ReadonlyMap<string, string> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
  ['gen_ai.choice', 'assistant'],
]);

function messagesReported(events: readonly SpanEvent[]): readonly ReportedMessage[] {
  return events.flatMap(({ name, attributes }) => {
    const role = ROLE_OF.get(name);
    if (role === undefined) return [];
    const isChoice = name === 'gen_ai.choice';
    const inner = isChoice ? decoded(attributes.get('message') ?? null) : null;
    const stopReason = textOf(attributes, 'finish_reason');
    if (typeof inner?.value === 'string') {
      return [{ json: joined(['role', '"assistant"'], ['content', inner.text]), isChoice, stopReason }];
    }
    return [{ json: eventMessage(role, inner ? attributesOf(inner) : attributes), isChoice, stopReason }];
  });
}

function eventMessage(role: string, fields: Attributes): Json {
  const calls = decoded(fields.get('tool_calls') ?? null);
  const content = decoded(fields.get('content') ?? null);
  const isList = Array.isArray(content?.value);
  return joined(
    ['role', `"${role}"`],
    ['content', isList ? content?.text : fields.get('content')?.text],
    ['tool_calls', jsonElements(calls).length > 0 ? calls?.text : null],
    ['tool_call_id', role === 'tool' ? (fields.get('id') ?? fields.get('tool_call_id'))?.text : null],
    ['name', role === 'tool' ? fields.get('name')?.text : null],
  );
}

/** Events that pydantic-ai writes into one attribute, as a list of their bodies. */
export function eventsIn(attributes: Attributes): readonly SpanEvent[] {
  return jsonElements(decoded(firstOf(attributes, ['events', 'all_messages_events']))).flatMap((event) => {
    const fields = attributesOf(event);
    const name = textOf(fields, 'event.name');
    return name === undefined ? [] : [{ name, attributes: fields }];
  });
}

function eventAttribute(events: readonly SpanEvent[], name: string, key: string): Json | null {
  return events.find((event) => event.name === name)?.attributes.get(key) ?? null;
}

// The AI SDK writes text and calls apart.
function sdkAnswer(attributes: Attributes): Json | null {
  const text = attributes.get('ai.response.text');
  const calls = decoded(attributes.get('ai.response.toolCalls') ?? null);
  if (!text && !calls) return null;
  return joined(['text', text?.text], ['toolCalls', calls?.text]);
}

/** Tools the model was given, as JSON text. */
export function toolsOf(attributes: Attributes): string | undefined {
  const whole = decoded(attributes.get('gen_ai.tool.definitions') ?? null);
  if (Array.isArray(whole?.value)) return whole.text;
  const schemas = indexed(attributes, 'llm.tools').flatMap((tool) => {
    const schema = decoded(firstOf(tool, ['tool.json_schema', 'json_schema']));
    return schema ? [schema.text] : [];
  });
  const functions = indexed(attributes, 'llm.request.functions').map(
    (tool) => joined(...[...tool].map(([key, value]) => [key, decoded(value)?.text] as const)).text,
  );
  const sdk = jsonElements(decoded(attributes.get('ai.prompt.tools') ?? null)).map(
    (tool) => (decoded(tool) ?? tool).text,
  );
  const all = [...schemas, ...functions, ...sdk];
  return all.length > 0 ? `[${all.join(',')}]` : undefined;
}

/** The system prompt where it is apart from the messages, as JSON text: a string or blocks. */
export function systemOf(attributes: Attributes): string | undefined {
  const system = decoded(attributes.get('gen_ai.system_instructions') ?? null);
  if (!system) return undefined;
  if (!Array.isArray(system.value)) return system.text;
  const [message] = readMessages([parsed(`{"role":"system","parts":${system.text}}`)])?.messages ?? [];
  return (message && jsonAt(message, 'content')?.text) ?? system.text;
}
