// Session files of the pi coding agent and of OpenClaw, which embeds it: a header line, then one entry a line. Version 1
// is a list; from version 2 on the entries are a tree. Source: the agent's session manager, versions 1 to 3.

import { isRecord, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { PiReader } from './reader.ts';

const LOOKS_FOR = 'JSON lines, the first a session with id and cwd, then entries whose message has a role';
const ROLES = new Set(['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'system']);

/** The active branch of a session, and its other branches as separate transcripts. */
export const pi: Format = {
  id: 'pi',
  title: 'pi or OpenClaw session',
  looksFor: LOOKS_FOR,
  recovers: allBut('sub-agents'),
  detect,
  grows: true,
  readerVersion: 2,
  open: (sink) => new PiReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'a session header and entries as pi writes them' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (!isRecord(value)) return 0;
  const type = stringAt(value, 'type');
  if (type === 'session') {
    const marks = ['id', 'cwd', 'timestamp'].filter((key) => stringAt(value, key) !== undefined);
    return marks.length === 3 ? 0.95 : 0;
  }
  if (type === 'thinking_level_change' && stringAt(value, 'thinkingLevel') !== undefined) return 0.8;
  const message = type === 'message' ? recordAt(value, 'message') : undefined;
  const isEntry = stringAt(value, 'timestamp') !== undefined && !Object.hasOwn(value, 'uuid');
  const isRead = message && ['content', 'command', 'summary'].some((key) => Object.hasOwn(message, key));
  return isRead && isEntry && ROLES.has(stringAt(message, 'role') ?? '') ? 0.8 : 0;
}
