// Gemini's messages hold `parts` instead of content: what a part is, its key says (text, functionCall, functionResponse,
// inlineData …), not a type. Source: the Gemini API's Content and Part; both spellings (functionCall, function_call) occur.
import { scalarCount } from '../util/chars.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../util/unknown.ts';
import type { JsonPath, Part } from './message.ts';
import { type BlockContext, otherText, present, readBlock, readCall } from './readBlock.ts';
import { contentText, errorStatus, isErrorText, resultBody } from './readResult.ts';

/** The parts of a message that has `parts` and no `content`; null for any other message. */
export function partsOf(message: Fields): readonly unknown[] | null {
  return Object.hasOwn(message, 'content') ? null : (arrayAt(message, 'parts') ?? null);
}

/** Reads one element of `parts`. One with a `type` is a block like those of other providers. Never throws. */
export function readGeminiPart(part: unknown, path: JsonPath, context: BlockContext): Part {
  if (!isRecord(part) || stringAt(part, 'type') !== undefined) return readBlock(part, path, context);
  const signed = present(part, 'thoughtSignature') || present(part, 'thought_signature');
  for (const key of ['functionCall', 'function_call']) {
    const call = recordAt(part, key);
    // Without its signature, Gemini refuses a call that was made with one.
    if (call) return { ...readCall(call, [...path, key]), ...(signed ? { signed } : {}) };
  }
  for (const key of ['functionResponse', 'function_response']) {
    const response = recordAt(part, key);
    if (response) return readResponse(part, response, [...path, key]);
  }
  const program = readProgram(part, path);
  if (program !== null) return program;
  const data = recordAt(part, 'inlineData') ?? recordAt(part, 'inline_data');
  const file = data ?? recordAt(part, 'fileData') ?? recordAt(part, 'file_data');
  if (file) return readFile(file, path, context);
  const text = stringAt(part, 'text');
  if (text === undefined) return readBlock(part, path, context);
  const chars = scalarCount(text);
  if (ownAt(part, 'thought') === true) return { kind: 'thinking', category: 'thinking', path, chars, signed };
  return { kind: 'text', category: context.category, path, chars, ...(signed ? { signed } : {}) };
}

// A program that the provider wrote and ran itself, and what it printed: no pair that an edit could break.
function readProgram(part: Fields, path: JsonPath): Part | null {
  const own = { kind: 'other', path, name: 'code_execution' } as const;
  const chars = () => scalarCount(otherText(part));
  if (recordAt(part, 'executableCode') ?? recordAt(part, 'executable_code'))
    return { ...own, category: 'tool_call', chars: chars() };
  const result = recordAt(part, 'codeExecutionResult') ?? recordAt(part, 'code_execution_result');
  if (result === undefined) return null;
  const hasFailed = !['', 'OUTCOME_OK', 'OUTCOME_UNSPECIFIED'].includes(stringAt(result, 'outcome') ?? '');
  return { ...own, category: 'tool_result', chars: chars(), ...(hasFailed && { isError: true }) };
}

function readResponse(part: Fields, response: Fields, path: JsonPath): Part {
  const body = resultBody(response);
  return {
    kind: 'tool_result',
    category: 'tool_result',
    path,
    chars: scalarCount(contentText(body)),
    callId: stringAt(response, 'id') ?? null,
    name: stringAt(response, 'name') ?? null,
    isError: errorStatus(part) || saysError(body),
  };
}

// The API's convention: {"error": …} for a failure, {"output": …} for a success.
function saysError(body: unknown): boolean {
  if (!isRecord(body)) return isErrorText(contentText(body));
  if (present(body, 'error')) return ownAt(body, 'error') !== false;
  return ['output', 'result', 'content'].some((key) => isErrorText(stringAt(body, key) ?? ''));
}

function readFile(file: Fields, path: JsonPath, context: BlockContext): Part {
  const mime = stringAt(file, 'mimeType') ?? stringAt(file, 'mime_type') ?? '';
  if (mime.startsWith('image/')) return { kind: 'image', category: 'image', path, chars: 0 };
  return { kind: 'file', category: context.category, path, chars: 0 };
}
