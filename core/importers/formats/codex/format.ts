// Codex CLI rollout files, one JSON object a line. Source: formats read off releases 0.39 to 0.146.

import { isRecord, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { CodexReader } from './reader.ts';

const LOOKS_FOR = 'JSON lines with timestamp, type (session_meta, response_item, event_msg, …) and payload';
const TYPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted']);

/** The sessions of a rollout file, made of its response items. */
export const codex: Format = {
  id: 'codex',
  title: 'Codex CLI rollout',
  looksFor: LOOKS_FOR,
  recovers: allBut('branches'),
  detect,
  grows: true,
  readerVersion: 5,
  open: (sink) => new CodexReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'lines are rollout records of Codex' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (!isRecord(value) || !recordAt(value, 'payload')) return 0;
  const type = stringAt(value, 'type') ?? '';
  if (!TYPES.has(type)) return 0;
  return type === 'session_meta' || stringAt(value, 'timestamp') !== undefined ? 1 : 0.7;
}
