// What generateContent takes. Source: the types of @google/genai (Content, Part).
import { any, exactly, flag, list, listOf, oneOf, record, shape, text } from '../shapes.ts';

const CALL = shape({ name: text }, { id: text, args: record });
const RESPONSE = shape(
  { name: text, response: record },
  { id: text, parts: list, scheduling: text, willContinue: flag },
);
const BLOB = shape({ mimeType: text, data: text }, { displayName: text });

/** A part. */
export const GEMINI_PART = shape(
  {},
  {
    text,
    thought: flag,
    thoughtSignature: text,
    functionCall: exactly(CALL),
    functionResponse: exactly(RESPONSE),
    inlineData: exactly(BLOB),
    fileData: exactly(shape({ fileUri: text }, { mimeType: text, displayName: text })),
    executableCode: record,
    codeExecutionResult: record,
    toolCall: record,
    toolResponse: record,
    videoMetadata: record,
    mediaResolution: any,
    partMetadata: record,
  },
);

/** A content that may stand as it is. */
export const GEMINI_CONTENT = exactly(
  shape({ role: oneOf('user', 'model', 'function'), parts: listOf(exactly(GEMINI_PART)) }),
);
