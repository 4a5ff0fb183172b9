// generateContent of the Gemini API: requests, responses, streams of chunks, logs of both, and bare lists of contents as
// tools save them. Source: the API's GenerateContentRequest and GenerateContentResponse.

import { isRecord, recordAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { candidateOf, hasContents, isContent } from '../gemini.ts';
import { bodyOf, GeminiContentsReader, responseOf } from './reader.ts';

const LOOKS_FOR =
  'contents with role user or model and parts: a JSON array, {"contents": […]}, {"history": […]}, or a response with candidates';

/** Every content is a message with its exact text; histories repeated in a log are read once. */
export const geminiContents: Format = {
  id: 'gemini-contents',
  title: 'Gemini API contents',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'signatures', 'images', 'usage', 'models'],
  detect,
  elements: [['*'], ['contents', '*'], ['history', '*'], ['context', '*'], ['calls', '*']],
  readerVersion: 2,
  open: (sink) => new GeminiContentsReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 10)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'contents with parts, as the Gemini API has them' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (isContent(value)) return 0.8;
  if (Array.isArray(value)) return hasContents(value) ? 0.9 : isRecord(value[0]) ? scoreOf(value[0]) : 0;
  if (!isRecord(value)) return 0;
  if (candidateOf(value) || bodyOf(value) || responseOf(value)) return 0.9;
  if (hasContents(value.history) || hasContents(value.context)) return 0.85;
  const [call] = Array.isArray(value.calls) ? value.calls : [];
  return isRecord(call) && recordAt(call, 'request') && (bodyOf(call) || responseOf(call)) ? 0.85 : 0;
}
