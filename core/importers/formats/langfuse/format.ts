// Traces exported from Langfuse: {"trace": …, "observations": […]}, the API's trace with its observations, or a list of
// observations.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { LangfuseReader } from './reader.ts';

const LOOKS_FOR =
  'observations with id, type, traceId and startTime: {"trace": …, "observations": […]}, a list or lines';

/** A conversation of a trace becomes a transcript: its generations folded, all else as events. */
export const langfuse: Format = {
  id: 'langfuse',
  title: 'Langfuse trace',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'usage', 'models', 'times', 'sub-agents'],
  detect,
  elements: [['observations', '*'], ['trace', 'observations', '*'], ['*']],
  readerVersion: 2,
  open: (sink) => new LangfuseReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 10)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'a Langfuse trace' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (Array.isArray(value)) return isObservation(value[0]) ? 0.97 : 0;
  if (!isRecord(value)) return 0;
  if (isObservation(value)) return 0.97;
  const trace = recordAt(value, 'trace');
  const lists = [arrayAt(value, 'observations'), trace && arrayAt(trace, 'observations')];
  if (lists.some((list) => isObservation(list?.[0]))) return 0.98;
  // The trace may be longer than the beginning of the file that is looked at.
  return trace && isTrace(trace) ? 0.95 : 0;
}

function isTrace(fields: Fields): boolean {
  const has = ['id', 'projectId', 'timestamp', 'environment', 'sessionId'].filter((key) => Object.hasOwn(fields, key));
  return has.length >= 4;
}

const TYPES = new Set([
  'GENERATION',
  'SPAN',
  'EVENT',
  'TOOL',
  'AGENT',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
]);

function isObservation(value: unknown): boolean {
  if (!isRecord(value) || !TYPES.has(stringAt(value, 'type') ?? '') || stringAt(value, 'id') === undefined)
    return false;
  return stringAt(value, 'startTime') !== undefined && ownAt(value, 'traceId') !== undefined;
}
