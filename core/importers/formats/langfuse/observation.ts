// An observation as an item of a trace. Input, output and metadata are JSON, often encoded in a string, also twice.

import type { MessageMeta } from '../../../model/message.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, isoTime } from '../../reading/shared.ts';
import { attributesOf } from '../otel/attributes.ts';
import { systemOf, toolsOf } from '../otel/messages.ts';
import { readAnswer } from '../trace/answer.ts';
import type { ModelCall, ToolRun, TraceItem } from '../trace/item.ts';
import { decoded, type Json, jsonAt, jsonElements } from '../trace/json.ts';
import { hasSystem, readRequest } from '../trace/request.ts';
import { usageIn } from '../trace/usage.ts';

const KINDS: ReadonlySet<string> = new Set([
  'generation',
  'span',
  'event',
  'tool',
  'agent',
  'chain',
  'retriever',
  'evaluator',
  'embedding',
  'guardrail',
]);

// Frameworks and Langfuse's own integrations name cached and reasoning tokens differently.
const USAGE = {
  input: ['input', 'input_tokens', 'prompt_tokens', 'promptTokens'],
  output: ['output', 'output_tokens', 'completion_tokens', 'completionTokens'],
  cacheRead: ['input_cached_tokens', 'input_cache_read', 'cache_read_input_tokens', 'prompt_details.cache_read'],
  cacheWrite: ['input_cache_creation', 'cache_creation_input_tokens', 'prompt_details.cache_write'],
  cacheWrite1h: [],
  reasoning: ['output_reasoning_tokens', 'output_reasoning', 'completion_details.reasoning'],
  total: ['total', 'total_tokens', 'totalTokens'],
};

/** The kind of event an observation is; an unknown type is `unknown:<type>`. */
export function kindOf(fields: Fields): string {
  const type = stringAt(fields, 'type') ?? 'untyped';
  const kind = type.toLowerCase();
  return KINDS.has(kind) ? kind : `unknown:${type}`;
}

/** Reads an observation. One of type GENERATION with something to read is a call, one of type TOOL a tool's run. */
export function itemOf(json: Json, fields: Fields, origin: Origin, session: string | undefined): TraceItem {
  const metadata = decoded(jsonAt(json, 'metadata'));
  const attributes = (metadata && jsonAt(metadata, 'attributes')) ?? metadata;
  const kind = kindOf(fields);
  const call = kind === 'generation' ? callOf(json, fields, metadata, attributes) : null;
  const name = stringAt(fields, 'name') ?? '';
  const isToolSpan = kind === 'span' && (stringIn(attributes, TOOL_NAMES) !== undefined || name === 'ai.toolCall');
  const isTool = kind === 'tool' || isToolSpan;
  const tool = isTool ? toolOf(json, fields, attributes) : langchainTool(json, fields);
  const isError = fields.level === 'ERROR';
  return {
    origin,
    json: json.text,
    trace: stringAt(fields, 'traceId') ?? '',
    id: stringAt(fields, 'id') ?? null,
    parent: stringAt(fields, 'parentObservationId') ?? null,
    start: sortable(fields, 'startTime'),
    end: sortable(fields, 'endTime'),
    scope: '',
    kind,
    line: lineOf(fields, isError),
    timestamp: isoTime(ownAt(fields, 'startTime')),
    isBoundary: isTool || kind === 'agent',
    error: isError ? (stringAt(fields, 'statusMessage') ?? 'an error without a message') : undefined,
    sessionId: session ?? stringAt(fields, 'sessionId') ?? stringAt(fields, 'traceId'),
    ...(call ? { call } : tool ? { tool } : {}),
    ...(!call && SDK_WRAPPER.test(name) ? { says: readAnswer(jsonAt(json, 'output')).messages } : {}),
  };
}

function sortable(fields: Fields, key: string): string {
  const time = Date.parse(stringAt(fields, key) ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}

function lineOf(fields: Fields, isError: boolean): string {
  const status = stringAt(fields, 'statusMessage');
  const name = `${(stringAt(fields, 'type') ?? 'observation').toLowerCase()} ${stringAt(fields, 'name') ?? 'without a name'}`;
  return isError || status ? `${name}: ${status ?? 'error'}` : name;
}

function callOf(json: Json, fields: Fields, metadata: Json | null, attributes: Json | null): ModelCall | null {
  const request = readRequest(jsonAt(json, 'input'));
  const answer = readAnswer(jsonAt(json, 'output'));
  if (!request && answer.messages.length === 0) return null;
  const { systemJson, ...about } = { ...factsBeside(json, metadata, attributes), ...answer.about, ...request?.about };
  return {
    messages: request?.messages ?? null,
    answers: answer.messages,
    meta: { ...answer.meta, ...metaOf(fields, answer.meta) },
    about: hasSystem(request) ? about : { ...about, ...defined({ systemJson }) },
    choices: answer.choices,
  };
}

function metaOf(fields: Fields, payload: MessageMeta): MessageMeta {
  const details = recordAt(fields, 'usageDetails') ?? {};
  const usage = usageIn(details, USAGE) ?? usageIn(recordAt(fields, 'usage') ?? {}, USAGE);
  const parameters = recordAt(fields, 'modelParameters') ?? {};
  return defined({
    timestamp: isoTime(ownAt(fields, 'endTime')) ?? isoTime(ownAt(fields, 'startTime')),
    model: stringAt(fields, 'model') ?? payload.model,
    usage: usage ?? payload.usage,
    stopReason: payload.stopReason ?? stringAt(parameters, 'finishReason'),
    id: payload.id ?? stringAt(fields, 'id'),
  });
}

/** Tools and system prompt where the messages don't hold them: Langfuse's own field, attributes, other metadata. */
function factsBeside(json: Json, metadata: Json | null, attributes: Json | null): Partial<TranscriptMeta> {
  const own = jsonAt(json, 'toolDefinitions');
  if (own && isRecord(own.value) && Object.keys(own.value).length > 0) return { toolsJson: own.text };
  if (!metadata) return {};
  const facts = attributesOf(attributes);
  const known = defined({ toolsJson: toolsOf(facts), systemJson: systemOf(facts) });
  if (known.toolsJson !== undefined) return known;
  const inner = attributes && jsonAt(attributes, 'model_request_parameters');
  const parameters = decoded(inner);
  const lists = parameters && ['function_tools', 'output_tools'].map((key) => jsonAt(parameters, key));
  const given = [decoded(jsonAt(metadata, 'tools')), ...(lists ?? [])].flatMap(jsonElements);
  const tools = given.map((tool) => (decoded(tool) ?? tool).text);
  return tools.length > 0 ? { ...known, toolsJson: `[${tools.join(',')}]` } : known;
}

/** The AI SDK's spans around the calls of one request to it. */
const SDK_WRAPPER = /^ai\.(generate|stream)(Text|Object)$/;

const CALL_IDS = ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call_id'];
const TOOL_NAMES = ['gen_ai.tool.name', 'ai.toolCall.name', 'tool.name'];

function stringIn(attributes: Json | null, keys: readonly string[]): string | undefined {
  const facts = attributes && isRecord(attributes.value) ? attributes.value : {};
  return keys.flatMap((key) => stringAt(facts, key) ?? [])[0];
}

function toolOf(json: Json, fields: Fields, attributes: Json | null): ToolRun {
  const input = decoded(jsonAt(json, 'input'));
  // LangSmith's exporter puts the arguments one level down.
  const inner = input && isRecord(input.value) && Object.keys(input.value).length === 1 ? jsonAt(input, 'input') : null;
  return {
    callId: stringIn(attributes, CALL_IDS) ?? null,
    name: stringIn(attributes, TOOL_NAMES) ?? stringAt(fields, 'name') ?? null,
    args: (inner ?? input)?.text ?? null,
    result: resultOf(json, attributes),
  };
}

// ADK leaves the output empty and keeps the result in its own attribute.
function resultOf(json: Json, attributes: Json | null): Json | null {
  const output = jsonAt(json, 'output');
  const value = decoded(output)?.value;
  const isEmpty = !output || (isRecord(value) && Object.keys(value).length === 0);
  return (isEmpty && attributes && jsonAt(attributes, 'gcp.vertex.agent.tool_response')) || output;
}

// LangChain's handler records tools as spans; what they gave is a tool message.
function langchainTool(json: Json, fields: Fields): ToolRun | null {
  const output = decoded(jsonAt(json, 'output'));
  if (!output || !isRecord(output.value) || arrayAt(output.value, 'messages')) return null;
  const holder = recordAt(output.value, 'kwargs') ?? output.value;
  const callId = stringAt(holder, 'tool_call_id');
  if (callId === undefined) return null;
  return { callId, name: stringAt(fields, 'name') ?? null, args: null, result: output };
}
