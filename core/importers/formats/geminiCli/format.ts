// Chat recordings of the Gemini CLI: one JSON document, or since 0.39 JSON lines that patch each other.

import { arrayAt, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { GeminiCliReader } from './reader.ts';

const LOOKS_FOR = 'sessionId, projectHash and messages of type user or gemini, as one document or as lines';
const TYPES: ReadonlySet<unknown> = new Set(['user', 'gemini', 'info', 'error', 'warning']);

/** A recorded answer becomes a message of the model and, if its calls were answered, a message with the results. */
export const geminiCli: Format = {
  id: 'gemini-cli',
  title: 'Gemini CLI session',
  looksFor: LOOKS_FOR,
  recovers: allBut('signatures', 'opaque', 'images', 'sub-agents'),
  detect,
  grows: true,
  elements: [['messages', '*']],
  readerVersion: 3,
  open: (sink) => new GeminiCliReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'a chat recording with projectHash' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (!isRecord(value)) return 0;
  const isSession = stringAt(value, 'sessionId') !== undefined && stringAt(value, 'projectHash') !== undefined;
  if (isSession) return 1;
  const [first] = arrayAt(value, 'messages') ?? [];
  if (isRecord(first) && isEntry(first)) return 0.8;
  if (recordAt(value, '$set') || stringAt(value, '$rewindTo') !== undefined) return 0.75;
  return isEntry(value) && (ownAt(value, 'type') === 'gemini' || ownAt(value, 'toolCalls') !== undefined) ? 0.8 : 0;
}

function isEntry(value: Readonly<Record<string, unknown>>): boolean {
  const isTyped = TYPES.has(ownAt(value, 'type')) && ['content', 'parts'].some((key) => Object.hasOwn(value, key));
  return isTyped && stringAt(value, 'id') !== undefined && !Object.hasOwn(value, 'role');
}
