// What the Messages API takes. Source: the types of @anthropic-ai/sdk (MessageParam and its blocks), with the beta blocks
// that recorded histories hold (mcp_tool_use, compaction).
import {
  any,
  block,
  either,
  exactly,
  flag,
  list,
  listOf,
  nullable,
  oneOf,
  record,
  type Shape,
  shape,
  text,
} from '../shapes.ts';

const CACHE = exactly(shape({ type: oneOf('ephemeral') }, { ttl: oneOf('5m', '1h') }));
const cache = { cache_control: nullable(CACHE) };
const caller = { ...cache, caller: record };

const IMAGE_SOURCE = {
  base64: shape({ type: text, data: text, media_type: oneOf('image/jpeg', 'image/png', 'image/gif', 'image/webp') }),
  url: shape({ type: text, url: text }),
  file: shape({ type: text, file_id: text }),
};

const DOCUMENT_SOURCE = {
  base64: shape({ type: text, data: text, media_type: oneOf('application/pdf') }),
  text: shape({ type: text, data: text, media_type: oneOf('text/plain') }),
  content: shape({ type: text, content: either(text, list) }),
  url: shape({ type: text, url: text }),
  file: shape({ type: text, file_id: text }),
};

const TEXT = shape({ type: text, text }, { ...cache, citations: nullable(list) });
const IMAGE = shape({ type: text, source: block(IMAGE_SOURCE) }, { ...cache, transformations: nullable(record) });
const DOCUMENT = shape(
  { type: text, source: block(DOCUMENT_SOURCE) },
  { ...cache, citations: nullable(record), context: nullable(text), title: nullable(text) },
);
const SEARCH_RESULT = shape(
  { type: text, content: listOf(block({ text: TEXT })), source: text, title: text },
  { ...cache, citations: record },
);

const IN_RESULT: Readonly<Record<string, Shape>> = {
  text: TEXT,
  image: IMAGE,
  document: DOCUMENT,
  search_result: SEARCH_RESULT,
  tool_reference: shape({ type: text, tool_name: text }, cache),
};

const SERVER_TOOLS = [
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
];
const SERVER_RESULT = shape({ type: text, tool_use_id: text, content: any }, caller);

/** Blocks by type. */
export const ANTHROPIC_BLOCKS: Readonly<Record<string, Shape>> = {
  text: TEXT,
  image: IMAGE,
  document: DOCUMENT,
  search_result: SEARCH_RESULT,
  thinking: shape({ type: text, thinking: text, signature: text }),
  redacted_thinking: shape({ type: text, data: text }),
  tool_use: shape({ type: text, id: text, name: text, input: record }, { ...caller, toolset_name: nullable(text) }),
  tool_result: shape(
    { type: text, tool_use_id: text },
    { ...cache, content: either(text, listOf(block(IN_RESULT))), is_error: flag, toolset_name: nullable(text) },
  ),
  server_tool_use: shape({ type: text, id: text, name: oneOf(...SERVER_TOOLS), input: any }, caller),
  mcp_tool_use: shape({ type: text, id: text, name: text, input: any, server_name: text }, cache),
  mcp_tool_result: shape({ type: text, tool_use_id: text }, { ...cache, content: any, is_error: flag }),
  web_search_tool_result: SERVER_RESULT,
  web_fetch_tool_result: SERVER_RESULT,
  code_execution_tool_result: SERVER_RESULT,
  bash_code_execution_tool_result: SERVER_RESULT,
  text_editor_code_execution_tool_result: SERVER_RESULT,
  tool_search_tool_result: SERVER_RESULT,
  container_upload: shape({ type: text, file_id: text }, cache),
  compaction: shape(
    { type: text },
    {
      ...cache,
      content: nullable(text),
      encrypted_content: nullable(text),
      signature: nullable(text),
      tool_changes: nullable(list),
    },
  ),
};

/** Blocks of the model's side only. */
export const BY_ASSISTANT: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'tool_use']);
/** Blocks of a user's side only. */
export const BY_USER: ReadonlySet<string> = new Set(['tool_result', 'image', 'document', 'search_result']);

/** A message that may stand as it is. System messages between turns: below. */
export const ANTHROPIC_MESSAGE = exactly(
  shape({ role: oneOf('user', 'assistant'), content: either(text, listOf(block(ANTHROPIC_BLOCKS))) }),
);

const TOOL_CHANGE = shape({ type: text, tool: record }, cache);
const IN_SYSTEM: Readonly<Record<string, Shape>> = {
  text: TEXT,
  tool_addition: TOOL_CHANGE,
  tool_removal: TOOL_CHANGE,
};

/** A system message between turns, for the models that take one. */
export const ANTHROPIC_SYSTEM_MESSAGE = exactly(
  shape(
    { role: oneOf('system'), content: either(text, listOf(block(IN_SYSTEM))) },
    { clear_at: nullable(oneOf('next_user_message', 'never')), output_config: nullable(record) },
  ),
);

/** A list of text blocks, as `system` may be. */
export const ANTHROPIC_SYSTEM = either(text, listOf(block({ text: TEXT })));
