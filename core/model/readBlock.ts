// One content block → one part. Blocks of all providers and runtimes are distinguished by `type` alone.
import { scalarCount } from '../util/chars.ts';
import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../util/unknown.ts';
import type { Category } from './category.ts';
import type { JsonPath, Part } from './message.ts';
import {
  answeredByBlock,
  calledOf,
  callIdOf,
  callNameOf,
  contentText,
  isErrorResult,
  resultNameOf,
} from './readResult.ts';

/** What a block needs to know of the message around it. */
export interface BlockContext {
  readonly message: Fields;
  /** Category of plain text in this message. */
  readonly category: Category;
  /** Whether `tool_result` blocks here answer calls (user messages, and tool messages that only wrap blocks). */
  readonly holdsResults: boolean;
}

const TEXT_TYPES: ReadonlySet<string> = new Set(['text', 'output_text', 'input_text', 'refusal', 'summary_text']);
const CALL_TYPES: ReadonlySet<string> = new Set(['tool_use', 'toolCall', 'toolUse', 'functionCall', 'tool-call']);
const RESULT_TYPES: ReadonlySet<string> = new Set(['tool_result', 'tool-result']);
const IMAGE_TYPES: ReadonlySet<string> = new Set(['image', 'image_url', 'input_image']);
// Items of OpenAI's Responses API that are answered by a separate item; `call_id` pairs them, `id` does not.
const ITEM_CALL_TYPES: ReadonlySet<string> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
  'tool_search_call',
]);
// What a provider wrote for itself: the state of a conversation it compacted, another agent's words.
const ENCRYPTED_TYPES: ReadonlySet<string> = new Set([
  'compaction',
  'context_compaction',
  'compaction_summary',
  'encrypted_content',
]);
const FILE_TYPES: ReadonlySet<string> = new Set(['document', 'file', 'input_file', 'input_audio', 'audio', 'video']);

/** True for a block that is a tool result on its own, with the id of its call. */
export function isResultBlock(block: unknown): boolean {
  return isRecord(block) && RESULT_TYPES.has(stringAt(block, 'type') ?? '');
}

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  ...[TEXT_TYPES, CALL_TYPES, RESULT_TYPES, IMAGE_TYPES, ITEM_CALL_TYPES, ENCRYPTED_TYPES, FILE_TYPES].flatMap(
    (set) => [...set],
  ),
  ...['thinking', 'redacted_thinking', 'reasoning'],
  // Known to be no words: what a provider lists or asks for approval of, references, data for the screen.
  ...[
    'mcp_list_tools',
    'mcp_approval_request',
    'item_reference',
    'search_result',
    'container_upload',
    'tool_reference',
  ],
  ...['source', 'source-url', 'source-document', 'step-start', 'tool-approval-request', 'tool-approval-response'],
  ...['data', 'media', 'executable_code', 'code_execution_result', 'non_standard'],
]);

/** False for a block of a type that nobody here knows, and of which no text, call, result or image is read. */
export function isKnownBlock(block: unknown): boolean {
  if (!isRecord(block)) return true;
  const type = stringAt(block, 'type');
  return type === undefined || KNOWN_TYPES.has(type) || /(tool_use|_call|_tool_result)$/.test(type);
}

/** Reads one element of `content` (or content itself, if it is a lone block). Never throws. */
export function readBlock(block: unknown, path: JsonPath, context: BlockContext): Part {
  if (typeof block === 'string') return text(block, path, context.category);
  if (!isRecord(block)) return other(block, path, context.category);
  const type = stringAt(block, 'type') ?? '';
  if (TEXT_TYPES.has(type)) return text(blockText(block), path, context.category);
  if (CALL_TYPES.has(type) && !isServerCall(block)) return readCall(block, path);
  if (ITEM_CALL_TYPES.has(type) && stringAt(block, 'call_id') !== undefined) return readItemCall(block, type, path);
  if (RESULT_TYPES.has(type)) return readResultBlock(block, path, context);
  if (isReasoningType(type)) return readReasoning(block, type, path);
  if (IMAGE_TYPES.has(type)) return { kind: 'image', category: 'image', path, chars: 0 };
  if (FILE_TYPES.has(type)) return { kind: 'file', category: context.category, path, chars: 0 };
  if (type === '' && typeof ownAt(block, 'text') === 'string') return text(blockText(block), path, context.category);
  const isReadable = summaryOfBlock(block) !== null;
  if (!isReadable && ENCRYPTED_TYPES.has(type) && stringAt(block, 'encrypted_content') !== undefined) {
    return { kind: 'opaque', category: context.category, path, chars: 0 };
  }
  return readUnknownBlock(block, type, path, context);
}

function text(value: string, path: JsonPath, category: Category): Part {
  return { kind: 'text', category, path, chars: scalarCount(value) };
}

function other(block: unknown, path: JsonPath, category: Category): Part {
  return { kind: 'other', category, path, chars: scalarCount(otherText(block)) };
}

/** What a block without a kind of its own says: a provider's summary its words, any other its compact JSON. */
export function otherText(block: unknown): string {
  return summaryOfBlock(block) ?? contentText(block);
}

/** The words of Anthropic's compaction block, signature and encrypted rest left out; null if it is not one, or failed. */
export function summaryOfBlock(block: unknown): string | null {
  return isRecord(block) && stringAt(block, 'type') === 'compaction' ? (stringAt(block, 'content') ?? null) : null;
}

// inspect_ai: a call the provider ran itself, with its result in the same block.
function isServerCall(block: Fields): boolean {
  return stringAt(block, 'tool_type') !== undefined && Object.hasOwn(block, 'result');
}

/** Readable text of a text block; a refusal keeps it under its own name. */
export function blockText(block: Fields): string {
  return stringAt(block, 'text') ?? stringAt(block, 'refusal') ?? '';
}

/** A call, from `tool_calls[]` or from a block: `chars` counts its arguments. */
export function readCall(call: Fields, path: JsonPath): Part {
  const chars = scalarCount(argumentsText(call));
  return { kind: 'tool_call', category: 'tool_call', path, chars, callId: callIdOf(call), name: callNameOf(call) };
}

function readItemCall(call: Fields, type: string, path: JsonPath): Part {
  const name = callNameOf(call) ?? type.slice(0, -'_call'.length);
  return { ...readCall(call, path), callId: stringAt(call, 'call_id') ?? null, name };
}

/** A call's arguments as text: a string as it is (OpenAI), anything else as compact JSON, '' if there are none. */
export function argumentsText(call: Fields): string {
  const value = argumentsOf(call);
  return value === undefined ? '' : contentText(value);
}

/** A call's arguments as they stand: mostly an object, or a string of JSON (OpenAI); undefined if there are none. */
export function argumentsOf(call: Fields): unknown {
  const inner = calledOf(call);
  const holder = isRecord(inner) ? inner : call;
  for (const key of ['input', 'arguments', 'args', 'partialJson', 'action', 'operation']) {
    const value = ownAt(holder, key);
    if (value !== undefined) return value;
  }
  return undefined;
}

function readResultBlock(block: Fields, path: JsonPath, context: BlockContext): Part {
  if (!context.holdsResults) return readProviderResult(block, stringAt(block, 'type') ?? '', path, context);
  return {
    kind: 'tool_result',
    category: 'tool_result',
    path,
    chars: scalarCount(contentText(ownAt(block, 'content'))),
    callId: answeredByBlock(block),
    name: resultNameOf(block, context.message),
    isError: isErrorResult(block),
  };
}

function isReasoningType(type: string): boolean {
  return type === 'thinking' || type === 'redacted_thinking' || type === 'reasoning';
}

// What stands where encrypted content was, or never was.
const SCRUBBED = /^(|REDACTED|<.*>|\[.*\])$/;

/** True if a reasoning block carries a provider signature; `redacted_thinking` always does. */
function isSigned(block: Fields, type: string): boolean {
  if (type === 'redacted_thinking' || isEncrypted(block) || present(block, 'signature') || piSigned(block)) return true;
  return type === 'reasoning' && !SCRUBBED.test(stringAt(block, 'encrypted_content') ?? '');
}

// pi notes under `thinkingSignature` also which field of an OpenAI-compatible answer held the reasoning.
function piSigned(block: Fields): boolean {
  return present(block, 'thinkingSignature') && !/^(|reasoning\w*)$/.test(stringAt(block, 'thinkingSignature') ?? '-');
}

/** True if the field is there and not null: serialisers write null for "has none". */
export function present(node: Fields, key: string): boolean {
  const value = ownAt(node, key);
  return value !== undefined && value !== null;
}

function readReasoning(block: Fields, type: string, path: JsonPath): Part {
  const readable = reasoningText(block);
  const kind = readable === '' ? 'opaque' : 'thinking';
  return { kind, category: 'thinking', path, chars: scalarCount(readable), signed: isSigned(block, type) };
}

// inspect_ai: the text of redacted reasoning is what the provider encrypted.
function isEncrypted(block: Fields): boolean {
  return ownAt(block, 'redacted') === true && stringAt(block, 'type') === 'reasoning';
}

/** Readable text of a reasoning block: Anthropic's thinking, else text, else the summary's texts; '' if encrypted. */
export function reasoningText(block: Fields): string {
  const own = stringAt(block, 'thinking') ?? stringAt(block, 'text') ?? stringAt(block, 'reasoning');
  if (own !== undefined && !isEncrypted(block)) return own;
  return [...joinable(ownAt(block, 'summary')), ...joinable(ownAt(block, 'content'))].join('\n');
}

function joinable(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value.map((item) => (isRecord(item) ? blockText(item) : contentText(item)));
}

// The block says so, or its content is an error in place of what was found.
function failedAtProvider(block: Fields): boolean {
  const content = ownAt(block, 'content');
  const inner = isRecord(content) ? (stringAt(content, 'type') ?? '') : '';
  return ownAt(block, 'is_error') === true || inner.endsWith('_error');
}

function readProviderResult(block: Fields, type: string, path: JsonPath, context: BlockContext): Part {
  const name = providerResultName(block, type, context);
  const result = other(block, path, 'tool_result');
  return { ...result, ...(name !== undefined && { name }), ...(failedAtProvider(block) && { isError: true }) };
}

// Types of results that name no tool: that is the one which the call names.
const NAMELESS_RESULTS: ReadonlySet<string> = new Set(['mcp', 'server']);

/** Name of the tool that a result of the provider's is of: its own, else by its type, else by the call beside it. */
function providerResultName(block: Fields, type: string, { message }: BlockContext): string | undefined {
  const own = callNameOf(block);
  if (own !== null) return own;
  const tool = type.replace(/_?tool[_-]result$/, '');
  if (tool !== '' && !NAMELESS_RESULTS.has(tool)) return tool;
  const id = answeredByBlock(block);
  const blocks: readonly unknown[] = arrayAt(message, 'content') ?? [];
  const call = blocks.find((one) => isRecord(one) && id !== null && one !== block && callIdOf(one) === id);
  return (isRecord(call) ? callNameOf(call) : null) ?? undefined;
}

// Calls that the provider runs itself (server_tool_use, web_search_tool_result, mcp_tool_use …) are answered within
// the same message: they count as calls and results, but are not a pair that an edit between messages could break.
function readUnknownBlock(block: Fields, type: string, path: JsonPath, context: BlockContext): Part {
  if (type.endsWith('tool_use')) return { ...other(block, path, 'tool_call'), name: callNameOf(block) };
  if (type.endsWith('_call')) {
    const name = callNameOf(block) ?? type.slice(0, -'_call'.length);
    return { ...other(block, path, 'tool_call'), name };
  }
  if (type.endsWith('_tool_result')) return readProviderResult(block, type, path, context);
  return other(block, path, context.category);
}
