// What the Responses API takes as input. Source: the types of the npm package openai (ResponseInputItem). Two differences,
// both as recorded requests have them (store: false): answers sent back have no ids, and texts no annotations.
import {
  any,
  block,
  type Check,
  either,
  list,
  listOf,
  nullable,
  oneOf,
  record,
  type Shape,
  shape,
  text,
} from '../shapes.ts';

const mark = { prompt_cache_breakpoint: record };
const meta = { id: nullable(text), status: nullable(text), caller: nullable(record) };

const count: Check = ({ value }) => typeof value === 'number';

const ANNOTATIONS: Readonly<Record<string, Shape>> = {
  url_citation: shape({ type: text, url: text, title: text, start_index: count, end_index: count }),
  file_citation: shape({ type: text, file_id: text, filename: text, index: count }),
  file_path: shape({ type: text, file_id: text, index: count }),
  container_file_citation: shape({
    type: text,
    container_id: text,
    file_id: text,
    filename: text,
    start_index: count,
    end_index: count,
  }),
};

/** Parts of a message by the model. */
export const SAID_PARTS: Readonly<Record<string, Shape>> = {
  output_text: shape({ type: text, text }, { annotations: listOf(block(ANNOTATIONS)), logprobs: list }),
  refusal: shape({ type: text, refusal: text }),
};

/** Parts of a message by anybody else, and of outputs. */
export const INPUT_PARTS: Readonly<Record<string, Shape>> = {
  input_text: shape({ type: text, text }, mark),
  input_image: shape(
    { type: text, detail: oneOf('low', 'high', 'auto', 'original') },
    { ...mark, file_id: nullable(text), image_url: nullable(text) },
  ),
  input_file: shape(
    { type: text },
    { ...mark, detail: text, file_data: text, file_id: nullable(text), file_url: text, filename: text },
  ),
};

/** Content of a message that is not the model's. */
export const INPUT_CONTENT = either(text, listOf(block(INPUT_PARTS)));

const TEXT_OF = shape({ type: text, text });

const WEB_ACTIONS: Readonly<Record<string, Shape>> = {
  search: shape({ type: text }, { query: text, queries: list, sources: list }),
  open_page: shape({ type: text }, { url: nullable(text) }),
  find_in_page: shape({ type: text, pattern: text, url: text }),
};

/** Items by type, but for messages. */
export const RESPONSE_ITEMS: Readonly<Record<string, Shape>> = {
  reasoning: shape(
    { type: text, summary: listOf(block({ summary_text: TEXT_OF })) },
    { id: text, status: text, content: listOf(block({ reasoning_text: TEXT_OF })), encrypted_content: nullable(text) },
  ),
  function_call: shape(
    { type: text, call_id: text, name: text, arguments: text },
    { id: text, status: text, caller: nullable(record), namespace: text },
  ),
  custom_tool_call: shape(
    { type: text, call_id: text, name: text, input: text },
    { id: text, caller: nullable(record), namespace: text },
  ),
  web_search_call: {
    ...shape({ type: text, status: text, action: record }, { id: text }),
    inside: { action: WEB_ACTIONS },
  },
  file_search_call: shape({ type: text, id: text, queries: list, status: text }, { results: nullable(list) }),
  code_interpreter_call: shape({
    type: text,
    id: text,
    code: nullable(text),
    container_id: text,
    outputs: nullable(list),
    status: text,
  }),
  computer_call: shape(
    { type: text, id: text, call_id: text, pending_safety_checks: list, status: text },
    { action: record, actions: list },
  ),
  image_generation_call: shape({
    type: text,
    id: text,
    result: nullable(text),
    status: oneOf('in_progress', 'completed', 'generating', 'failed'),
  }),
  local_shell_call: shape({ type: text, id: text, call_id: text, action: record, status: text }),
  shell_call: shape({ type: text, call_id: text, action: record }, { ...meta, environment: nullable(record) }),
  apply_patch_call: shape({ type: text, call_id: text, operation: record, status: text }, meta),
  tool_search_call: shape(
    { type: text, arguments: any },
    { id: nullable(text), status: nullable(text), call_id: nullable(text), execution: oneOf('server', 'client') },
  ),
  mcp_call: shape(
    { type: text, id: text, name: text, server_label: text, arguments: text },
    { approval_request_id: nullable(text), error: nullable(text), output: nullable(text), status: text },
  ),
  mcp_list_tools: shape({ type: text, id: text, server_label: text, tools: list }, { error: nullable(text) }),
  mcp_approval_request: shape({ type: text, id: text, name: text, server_label: text, arguments: text }),
  compaction: shape({ type: text, encrypted_content: text }, { id: nullable(text) }),
};

/** Types of tool definitions. */
export const RESPONSES_TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'web_search',
  'web_search_preview',
  'file_search',
  'code_interpreter',
  'mcp',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
  'namespace',
  'tool_search',
  'computer',
  'computer_use_preview',
  'programmatic_tool_calling',
]);
