// Threads of Jido: append-only entries of kinds message, tool_call, tool_result and summary. Source: the thread design.

import { atom } from '../../../model/threadEntry.ts';
import { isRecord } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { isEntry } from './entry.ts';
import { JidoReader } from './reader.ts';
import { journaled, threadsIn } from './thread.ts';

const LOOKS_FOR =
  'threads with entries of {kind: message, tool_call, tool_result or summary, payload, seq, refs}, or such entries, in a document or in lines';

/** The calls of one answer of the model become one message, as a projection of the thread has them. */
export const jido: Format = {
  id: 'jido',
  title: 'Jido thread',
  looksFor: LOOKS_FOR,
  readerVersion: 2,
  recovers: ['calls', 'results', 'errors', 'models', 'times', 'compactions', 'branches'],
  detect,
  elements: [['entries', '*'], ['thread', 'entries', '*'], ['__thread__', 'entries', '*'], ['*']],
  open: (sink) => new JidoReader(sink),
};

function detect(sniff: Sniff): Detection {
  const isMine = sniff.values.some((value) => (Array.isArray(value) ? value.slice(0, 20).some(isOwn) : isOwn(value)));
  return isMine ? { score: 0.95, why: 'entries of a Jido thread' } : { score: 0, why: `looked for ${LOOKS_FOR}` };
}

const KINDS = new Set(['message', 'tool_call', 'tool_result', 'summary']);

function isOwn(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if (isKnown(value) || isKnown(journaled(value)?.entry)) return true;
  return threadsIn(value).some(({ thread }) => Array.isArray(thread.entries) && thread.entries.some(isKnown));
}

function isKnown(value: unknown): boolean {
  return isEntry(value) && typeof value.kind === 'string' && KINDS.has(atom(value.kind));
}
