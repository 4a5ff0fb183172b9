// What the Harn runtime writes: transcript values, run records, agent event logs and LLM tapes.
// Source: seeds/harn-transcript-architecture.txt and real files of the runtime.

import { isRecord, numberAt, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { TRANSCRIPT_PLACES } from './places.ts';
import { HarnReader } from './reader.ts';
import { newerThanKnown } from './version.ts';

const LOOKS_FOR =
  '_type transcript or run_record, agent event lines (emitted_at_ms, session_id, type), or tape lines (match with text or tool_calls)';

const LISTS = ['messages', 'events', 'assets'];

/** Harn transcripts with their events and assets, and the logs a conversation can be rebuilt from. */
export const harn: Format = {
  id: 'harn',
  title: 'Harn transcript',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'images', 'times', 'compactions', 'sub-agents'],
  detect,
  elements: [
    ['messages', '*'],
    ['events', '*'],
    ['assets', '*'],
    ['stages', '*'],
    ...TRANSCRIPT_PLACES.flatMap((path) => LISTS.map((list) => [...path, list, '*'])),
  ],
  open: (sink, sniff) => new HarnReader(sink, newerVersion(sniff)),
};

function detect(sniff: Sniff): Detection {
  let best: Detection = { score: 0, why: `looked for ${LOOKS_FOR}` };
  for (const value of sniff.values.slice(0, 10)) {
    const found = scoreOf(value);
    if (found.score > best.score) best = found;
  }
  return best;
}

function scoreOf(value: unknown): Detection {
  if (!isRecord(value)) return { score: 0, why: '' };
  const type = stringAt(value, '_type');
  if (type === 'transcript' || type === 'run_record') return { score: 1, why: `_type ${type}` };
  const held = TRANSCRIPT_PLACES.some((path) => carriesTranscript(value, path));
  if (held) return { score: 0.95, why: 'it carries a _type transcript' };
  const isEvent = numberAt(value, 'emitted_at_ms') !== undefined && stringAt(value, 'type') !== undefined;
  if (isEvent) return { score: 0.95, why: 'agent events with emitted_at_ms' };
  const isTape =
    stringAt(value, 'match') !== undefined && ['text', 'tool_calls', 'error'].some((key) => Object.hasOwn(value, key));
  return isTape ? { score: 0.9, why: 'tape lines with match' } : { score: 0, why: '' };
}

function carriesTranscript(value: Readonly<Record<string, unknown>>, path: readonly string[]): boolean {
  let found: Readonly<Record<string, unknown>> | undefined = value;
  for (const key of path) found = found && recordAt(found, key);
  return found !== undefined && stringAt(found, '_type') === 'transcript';
}

// Recognised by the head, so that nothing is taken of a file that cannot be understood.
function newerVersion(sniff: Sniff): string | null {
  const [value] = sniff.values;
  if (!isRecord(value) || ownAt(value, '_type') !== 'transcript') return null;
  return newerThanKnown(ownAt(value, 'version'));
}
