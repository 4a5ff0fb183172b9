// Event logs of GitHub Copilot CLI (events.jsonl), one event a line: type, data, id, parentId, timestamp. Source: logs of
// releases 1.0.64 and 1.0.68, and the event types its SDK declares.

import { isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { CopilotCliReader } from './reader.ts';

const LOOKS_FOR = 'JSON lines with type session.start, user.message, assistant.message …, data, id and parentId';
const OWN_TYPE = /^(session|user|assistant|tool|hook|system|subagent|skill|permission)\.[a-z_]+$/;

/** One session, and its sub-agents as separate transcripts. */
export const copilotCli: Format = {
  id: 'copilot-cli',
  title: 'GitHub Copilot CLI session',
  looksFor: LOOKS_FOR,
  recovers: allBut('images', 'branches'),
  detect,
  grows: true,
  readerVersion: 3,
  open: (sink) => new CopilotCliReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'events as Copilot CLI writes them' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  const data = isRecord(value) ? recordAt(value, 'data') : undefined;
  if (!isRecord(value) || !data || !OWN_TYPE.test(stringAt(value, 'type') ?? '')) return 0;
  if (ownAt(data, 'producer') === 'copilot-agent') return 1;
  const isEvent = ['id', 'timestamp'].every((key) => stringAt(value, key) !== undefined);
  return isEvent && Object.hasOwn(value, 'parentId') ? 0.9 : 0;
}
