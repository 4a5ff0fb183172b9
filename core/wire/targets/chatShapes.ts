// What chat completions take. Source: the types of the npm package openai (ChatCompletionMessageParam and its parts).
import { block, either, exactly, listOf, nullable, oneOf, record, type Shape, shape, text } from '../shapes.ts';

const mark = { prompt_cache_breakpoint: record };

const TEXT = shape({ type: text, text }, mark);

/** Parts of a user's content, by type. */
export const CHAT_PARTS: Readonly<Record<string, Shape>> = {
  text: TEXT,
  image_url: shape(
    { type: text, image_url: exactly(shape({ url: text }, { detail: oneOf('auto', 'low', 'high') })) },
    mark,
  ),
  input_audio: shape({ type: text, input_audio: exactly(shape({ data: text, format: oneOf('wav', 'mp3') })) }, mark),
  file: shape({ type: text, file: exactly(shape({}, { file_data: text, file_id: text, filename: text })) }, mark),
};

const TEXTS = either(text, listOf(block({ text: TEXT })));
const SAID = either(text, listOf(block({ text: TEXT, refusal: shape({ type: text, refusal: text }) })));

/** Calls by type. */
export const CHAT_CALLS: Readonly<Record<string, Shape>> = {
  function: shape({ id: text, type: text, function: exactly(shape({ name: text, arguments: text })) }),
  custom: shape({ id: text, type: text, custom: exactly(shape({ name: text, input: text })) }),
};

/** Messages by role. */
export const CHAT_MESSAGES: Readonly<Record<string, Shape>> = {
  system: shape({ role: oneOf('system'), content: TEXTS }, { name: text }),
  developer: shape({ role: oneOf('developer'), content: TEXTS }, { name: text }),
  user: shape({ role: oneOf('user'), content: either(text, listOf(block(CHAT_PARTS))) }, { name: text }),
  assistant: shape(
    { role: oneOf('assistant') },
    {
      content: nullable(SAID),
      refusal: nullable(text),
      name: text,
      audio: nullable(exactly(shape({ id: text }))),
      function_call: nullable(exactly(shape({ name: text, arguments: text }))),
      tool_calls: listOf(block(CHAT_CALLS)),
    },
  ),
  tool: shape({ role: oneOf('tool'), content: TEXTS, tool_call_id: text }),
  function: shape({ role: oneOf('function'), content: nullable(text), name: text }),
};
