// Tool calls and tool results inside messages: who answers whom, and what counts as an error. The rules are those of
// the projection spec ("Reading a message"), which follow the Harn runtime.
import { stringifyWithRaw } from '../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../util/unknown.ts';

/** Roles of messages that are one tool result each. `function` is OpenAI's legacy form: it has a name and no id. */
export function isResultRole(role: string): boolean {
  return role === 'tool' || role === 'tool_result' || role === 'toolResult' || role === 'function';
}

/** The string under the first of `keys` that is present; null if none is, or if that one holds no string. */
function firstString(node: Fields, keys: readonly string[]): string | null {
  for (const key of keys) {
    if (Object.hasOwn(node, key)) return stringAt(node, key) ?? null;
  }
  return null;
}

/** Id of a call in `tool_calls[]` or in a content block; null if it has none. */
export function callIdOf(call: Fields): string | null {
  return firstString(call, ['id', 'tool_call_id', 'toolCallId', 'call_id']);
}

/** What holds a call's name and arguments: its function, or (a custom tool of chat completions) `custom`; else the call. */
export function calledOf(call: Fields): unknown {
  return ownAt(call, 'function') ?? (ownAt(call, 'type') === 'custom' ? ownAt(call, 'custom') : undefined);
}

/** Name of a call: its own, else its function's (inspect_ai: the function itself); null if it has none. */
export function callNameOf(call: Fields): string | null {
  const own = stringAt(call, 'name') ?? stringAt(call, 'toolName');
  if (own !== undefined) return own;
  const inner = calledOf(call);
  if (typeof inner === 'string') return inner;
  return isRecord(inner) ? (stringAt(inner, 'name') ?? null) : null;
}

const MESSAGE_ID_KEYS = ['tool_use_id', 'tool_call_id', 'toolCallId', 'toolUseId'];
const BLOCK_ID_KEYS = [...MESSAGE_ID_KEYS, 'id'];

/**
 * Id of the call that a message of a result role answers; null if it names none. SWE-agent writes a list of one;
 * tau2 gives the result, beside its `requestor`, the id of the call.
 */
export function answeredByMessage(message: Fields): string | null {
  const keys = Object.hasOwn(message, 'requestor') ? [...MESSAGE_ID_KEYS, 'id'] : MESSAGE_ID_KEYS;
  const id = firstString(message, keys);
  const [only, ...others] = id === null ? (arrayAt(message, 'tool_call_ids') ?? []) : [];
  return typeof only === 'string' && others.length === 0 ? only : id;
}

/** Id of the call that a `tool_result` block answers; null if it names none. */
export function answeredByBlock(block: Fields): string | null {
  return firstString(block, BLOCK_ID_KEYS);
}

const RESULT_NAME_KEYS = ['name', 'toolName', 'function'];

/** Name a result carries; a block without one takes its message's. */
export function resultNameOf(node: Fields, message: Fields): string | null {
  return firstString(node, RESULT_NAME_KEYS) ?? firstString(message, RESULT_NAME_KEYS);
}

const ERROR_STATUS: ReadonlySet<string> = new Set(['error', 'failed', 'rejected', 'exception', 'denied']);

/** The error test of the projection spec on a result: a message of a result role, or a `tool_result` block. */
export function isErrorResult(node: Fields): boolean {
  if (flaggedAsError(node) || failedInInspect(node)) return true;
  if (errorStatus(node)) return true;
  return isErrorText(contentText(ownAt(node, 'content')));
}

/** True if the `status` beside a result is that of a failure. */
export function errorStatus(node: Fields): boolean {
  return ERROR_STATUS.has(stringAt(node, 'status') ?? '');
}

/** What a result holds: its `content`, or the `response` of Gemini's functionResponse, which has neither role nor type. */
export function resultBody(node: Fields): unknown {
  if (['content', 'role', 'type'].some((key) => Object.hasOwn(node, key))) return ownAt(node, 'content');
  return ownAt(node, 'response');
}

function flaggedAsError(node: Fields): boolean {
  for (const key of ['is_error', 'error', 'isError']) {
    if (Object.hasOwn(node, key)) return ownAt(node, key) === true;
  }
  return false;
}

// inspect_ai names the tool under `function`, and under `error` what went wrong.
function failedInInspect(node: Fields): boolean {
  return isRecord(ownAt(node, 'error')) && stringAt(node, 'function') !== undefined;
}

// White space as Unicode defines it; JavaScript's \s differs in U+0085 and U+FEFF.
const ERROR_START = /^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:error:|tool error|failed:)/i;
const NESTED_ERROR = /"is_error":true/i;

/** True if a result's text says of itself that it is an error. */
export function isErrorText(text: string): boolean {
  return ERROR_START.test(text) || NESTED_ERROR.test(text);
}

/** Text of a result's content: a string as it is, anything else as compact JSON, '' if there is no content. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return content === undefined ? '' : compactText(content);
}

// JSON.stringify is the fast one, but recursive: nesting of some thousand levels exhausts the stack.
function compactText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return stringifyWithRaw(value);
    throw error;
  }
}
