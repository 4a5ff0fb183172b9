// A span as an item of a trace: of OTLP, as an SDK prints it, or a bare map of attributes.

import type { MessageMeta, Usage } from '../../../model/message.ts';
import type { Origin } from '../../../model/transcript.ts';
import { type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import type { Answer } from '../trace/answer.ts';
import type { ModelCall, ToolRun, TraceItem } from '../trace/item.ts';
import { decoded, type Json, jsonAt, jsonElements } from '../trace/json.ts';
import { hasSystem } from '../trace/request.ts';
import { usageIn } from '../trace/usage.ts';
import { type Attributes, attributesOf, firstOf, textOf } from './attributes.ts';
import { spanId, timeOf, traceId } from './ids.ts';
import { answerOfSpan, eventsIn, requestOf, type SpanEvent, systemOf, toolsOf } from './messages.ts';

const USAGE = {
  input: ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'],
  output: ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  cacheRead: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'gen_ai.usage.details.cache_read_tokens',
    'llm.token_count.prompt_details.cache_read',
  ],
  cacheWrite: [
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'llm.token_count.prompt_details.cache_write',
  ],
  cacheWrite1h: [],
  reasoning: [
    'gen_ai.usage.reasoning_tokens',
    'gen_ai.usage.details.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
  ],
  total: ['gen_ai.usage.total_tokens', 'llm.usage.total_tokens', 'llm.token_count.total'],
};

const MODELS = ['gen_ai.response.model', 'ai.response.model', 'llm.model_name', 'gen_ai.request.model', 'ai.model.id'];
const SESSIONS = [
  'gen_ai.conversation.id',
  'session.id',
  'langfuse.session.id',
  'traceloop.association.properties.session_id',
];
// Operations that ask no model for an answer.
const NO_CALLS: ReadonlySet<string> = new Set(['embeddings', 'execute_tool', 'create_agent', 'retrieval', 'rerank']);
const KINDS = /^(chain|agent|tool|llm|embedding|retriever|reranker|guardrail|evaluator|workflow|task)$/;

/** What a file says of a span around it. */
export interface SpanContext {
  readonly origin: Origin;
  readonly scope: string;
}

// The same fact under the names of OTLP, SDKs, and stores that exporters write to.
const TRACE = ['traceId', 'trace_id', 'TraceId'];
const SPAN = ['spanId', 'span_id', 'SpanId'];
const PARENT = ['parentSpanId', 'parent_span_id', 'parent_id', 'ParentSpanId'];
const NAME = ['name', 'SpanName'];
const START = ['startTimeUnixNano', 'start_time_unix_nano', 'start_time_ns', 'start_time', 'startTime', 'Timestamp'];
const END = ['endTimeUnixNano', 'end_time_unix_nano', 'end_time_ns', 'end_time', 'endTime'];
const KIND_FIELDS = ['span_kind', 'spanKind'];
const ATTRIBUTES = ['attributes', 'SpanAttributes'];

function under(fields: Fields, keys: readonly string[]): unknown {
  return keys.map((key) => ownAt(fields, key)).find((value) => value !== undefined && value !== null);
}

function textUnder(fields: Fields, keys: readonly string[]): string | undefined {
  const value = under(fields, keys);
  return typeof value === 'string' ? value : undefined;
}

/** True for an object that is a span with attributes, in any of the forms read here. */
export function isSpan(value: unknown): value is Fields {
  if (!isRecord(value)) return false;
  if (isFlat(value)) return true;
  const attributes = under(value, ATTRIBUTES);
  if (isRecord(attributes) && isFlat(attributes)) return true;
  const hasId = under(value, [...TRACE, ...SPAN, ...PARENT, 'context']) !== undefined;
  return hasId && textUnder(value, NAME) !== undefined && (attributes === undefined || typeof attributes === 'object');
}

/** True for a bare map of attributes. */
export function isFlat(value: Fields): boolean {
  return Object.keys(value).some((key) => /^(gen_ai|llm|openinference|ai)\.[a-z_]+/.test(key));
}

/** Reads a span; one with messages of a model is a call, one of a tool a tool's run. */
export function itemOf(span: Json, fields: Fields, { origin, scope }: SpanContext): TraceItem {
  const holder = ATTRIBUTES.find((key) => Object.hasOwn(fields, key)) ?? 'attributes';
  const attributes = attributesOf(isFlat(fields) ? span : jsonAt(span, holder));
  const events = [...spanEvents(span), ...eventsIn(attributes)];
  const context = recordAt(fields, 'context') ?? recordAt(fields, 'spanContext') ?? {};
  const trace = traceId(textUnder(fields, TRACE) ?? textUnder(context, TRACE));
  const start = under(fields, START);
  const end = under(fields, END);
  const error = errorOf(fields, events);
  const kind = kindOf(fields, attributes);
  const timestamp = isoTime(end) ?? isoTime(start);
  const isTool = kind === 'tool';
  const call = isTool ? null : callOf(fields, attributes, events, timestamp);
  const name = textUnder(fields, NAME) ?? textOf(attributes, 'gen_ai.operation.name') ?? 'without a name';
  return {
    origin,
    scope,
    json: span.text,
    trace,
    id: spanId(textUnder(fields, SPAN) ?? textUnder(context, SPAN)),
    parent: spanId(textUnder(fields, PARENT)),
    start: timeOf(start),
    end: timeOf(end),
    kind,
    line: `${kind} ${name}${error === undefined ? '' : `: ${error}`}`,
    timestamp: isoTime(start),
    isBoundary: isTool || kind === 'agent',
    error,
    sessionId: textOf(attributes, ...SESSIONS) ?? (trace === '' ? undefined : trace),
    ...(call ? { call } : isTool ? { tool: toolOf(attributes) } : {}),
  };
}

function spanEvents(span: Json): readonly SpanEvent[] {
  return jsonElements(jsonAt(span, 'events')).map((event) => ({
    name: isRecord(event.value) ? (stringAt(event.value, 'name') ?? '') : '',
    attributes: attributesOf(jsonAt(event, 'attributes')),
  }));
}

// OpenInference: an attribute; stores that its spans are exported from keep it as a field of the span.
function openInferenceKind(fields: Fields, attributes: Attributes): string | undefined {
  const own = textOf(attributes, 'openinference.span.kind');
  const kind = textUnder(fields, KIND_FIELDS)?.toUpperCase();
  return own ?? (kind !== undefined && KINDS.test(kind.toLowerCase()) ? kind : undefined);
}

function kindOf(fields: Fields, attributes: Attributes): string {
  const operation = textOf(attributes, 'gen_ai.operation.name');
  if (operation === 'execute_tool' || attributes.has('ai.toolCall.name')) return 'tool';
  if (operation === 'invoke_agent' || operation === 'create_agent') return 'agent';
  const kind = (openInferenceKind(fields, attributes) ?? textOf(attributes, 'traceloop.span.kind') ?? '').toLowerCase();
  return KINDS.test(kind) ? kind : 'span';
}

function callOf(
  fields: Fields,
  attributes: Attributes,
  events: readonly SpanEvent[],
  timestamp: string | undefined,
): ModelCall | null {
  const kind = openInferenceKind(fields, attributes);
  // OpenInference copies messages to the chains around a call.
  if ((kind !== undefined && kind !== 'LLM') || NO_CALLS.has(textOf(attributes, 'gen_ai.operation.name') ?? ''))
    return null;
  const request = requestOf(attributes, events, kind === 'LLM');
  const answer = answerOfSpan(attributes, events, kind === 'LLM');
  if (!request && answer.messages.length === 0) return null;
  const about = { toolsJson: toolsOf(attributes), systemJson: hasSystem(request) ? undefined : systemOf(attributes) };
  return {
    messages: request?.messages ?? null,
    answers: answer.messages,
    meta: { ...answer.meta, ...metaOf(attributes, answer, timestamp) },
    about: { ...answer.about, ...request?.about, ...defined(about) },
    choices: answer.choices,
  };
}

function metaOf(attributes: Attributes, answer: Answer, timestamp: string | undefined): MessageMeta {
  const reasons = jsonElements(decoded(attributes.get('gen_ai.response.finish_reasons') ?? null));
  const [reason] = reasons.map(({ value }) => value);
  return defined({
    timestamp,
    model: textOf(attributes, ...MODELS),
    usage: usageOf(attributes),
    stopReason:
      typeof reason === 'string' ? reason : (textOf(attributes, 'ai.response.finishReason') ?? answer.meta.stopReason),
    id: textOf(attributes, 'gen_ai.response.id', 'ai.response.id'),
  });
}

function usageOf(attributes: Attributes): Usage | undefined {
  const names = Object.values(USAGE).flat();
  return usageIn(Object.fromEntries(names.map((name) => [name, attributes.get(name)?.value])), USAGE);
}

function toolOf(attributes: Attributes): ToolRun {
  const args = firstOf(attributes, [
    'gen_ai.tool.call.arguments',
    'ai.toolCall.args',
    'input.value',
    'traceloop.entity.input',
  ]);
  const result = ['gen_ai.tool.call.result', 'ai.toolCall.result', 'output.value', 'traceloop.entity.output'];
  return {
    callId: textOf(attributes, 'gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id') ?? null,
    name: textOf(attributes, 'gen_ai.tool.name', 'ai.toolCall.name', 'tool.name', 'traceloop.entity.name') ?? null,
    args: args?.text ?? null,
    result: firstOf(attributes, result),
  };
}

// Code 2 in numbers; SDKs print it in words.
function errorOf(fields: Fields, events: readonly SpanEvent[]): string | undefined {
  const status = recordAt(fields, 'status') ?? fields;
  const code = (status === fields ? undefined : ownAt(status, 'code')) ?? ownAt(status, 'status_code');
  if (!(code === 2 || (typeof code === 'string' && /^(STATUS_CODE_)?ERROR$/.test(code)))) return undefined;
  const thrown = events.find(({ name }) => name === 'exception')?.attributes;
  const said =
    [...(status === fields ? [] : ['message', 'description']), 'status_message']
      .map((key) => stringAt(status, key))
      .find((text) => text !== undefined) ??
    (thrown && textOf(thrown, 'exception.message'));
  return said === undefined || said === '' ? 'an error without a message' : said;
}
