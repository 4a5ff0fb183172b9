// Claude Code session files, one JSON object a line. Source: formats read off releases 1.0 to 2.1.

import { isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { type Detection, type Format, RECOVERED, type Sniff } from '../../types.ts';
import { ClaudeCodeReader } from './reader.ts';

const LOOKS_FOR =
  'JSON lines with type user or assistant, a message with content, uuid, parentUuid, sessionId and isSidechain';

/** Types that no other known tool writes, enough when a file's head has no message yet. */
const OWN_TYPES = new Set([
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'permission-mode',
  'last-prompt',
  'custom-title',
  'ai-title',
]);

/** One session, and the sub-agents recorded in the same file as separate transcripts. */
export const claudeCode: Format = {
  id: 'claude-code',
  title: 'Claude Code session',
  looksFor: LOOKS_FOR,
  recovers: RECOVERED,
  detect,
  grows: true,
  readerVersion: 3,
  open: (sink) => new ClaudeCodeReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = isOthers(sniff.values) ? 0 : bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'lines are session records of Claude Code' : `looked for ${LOOKS_FOR}` };
}

// Other tools chain their records by the same ids and types, and keep what was said under other names.
function isOthers(values: readonly unknown[]): boolean {
  const said = values.map(spokenIn).filter((message) => message !== undefined);
  return said.length > 0 && !said.some((message) => Object.hasOwn(message, 'content'));
}

function spokenIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isSpoken = isRecord(value) && (value.type === 'user' || value.type === 'assistant');
  return isSpoken ? recordAt(value, 'message') : undefined;
}

function scoreOf(value: unknown): number {
  if (!isRecord(value)) return 0;
  const type = stringAt(value, 'type');
  if (type === undefined) return 0;
  const message = spokenIn(value);
  if (message) {
    if (!Object.hasOwn(message, 'content')) return 0;
    const marks = ['uuid', 'parentUuid', 'sessionId', 'isSidechain'].filter((key) => Object.hasOwn(value, key));
    if (marks.length >= 3) return 1;
    return marks.length >= 1 || type === 'assistant' ? 0.4 : 0;
  }
  if (type === 'summary' && stringAt(value, 'leafUuid') !== undefined) return 0.8;
  if (OWN_TYPES.has(type)) return 0.7;
  const isProgress = type === 'progress' || type === 'system' || type === 'attachment';
  return isProgress && stringAt(value, 'sessionId') !== undefined && ownAt(value, 'parentUuid') !== undefined ? 0.8 : 0;
}
