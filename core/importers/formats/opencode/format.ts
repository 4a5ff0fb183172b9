// OpenCode sessions: exports {info, messages}, the server's lists of {info, parts}, and recorded streams of its events.
// Source: files of releases 1.1 and 1.14, and the schema of message parts.

import { arrayAt, isRecord, recordAt, stringAt } from '../../../util/unknown.ts';
import { bestScore } from '../../reading/shared.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { eventIn } from './event.ts';
import { OpencodeReader } from './reader.ts';

const LOOKS_FOR =
  'messages with info and parts: {"info": …, "messages": […]}, an array of them, or message.part.updated events';

/** A message's parts hold calls together with their results; here they become an answer and its results. */
export const opencode: Format = {
  id: 'opencode',
  title: 'OpenCode session',
  looksFor: LOOKS_FOR,
  recovers: allBut('opaque', 'branches'),
  detect,
  elements: [['messages', '*'], ['*']],
  open: (sink) => new OpencodeReader(sink),
};

function detect(sniff: Sniff): Detection {
  const score = bestScore(sniff.values, scoreOf);
  return { score, why: score > 0 ? 'messages or events as OpenCode writes them' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (isMessage(value) || (Array.isArray(value) && isMessage(value[0]))) return 0.95;
  const event = eventIn(value);
  if (event) return event.type.startsWith('message.') || event.type.startsWith('session.') ? 0.9 : 0.5;
  if (!isRecord(value)) return 0;
  const messages = arrayAt(value, 'messages') ?? [];
  if (isMessage(messages[0])) return 0.95;
  const info = recordAt(value, 'info');
  return info && (stringAt(info, 'id') ?? '').startsWith('ses_') ? 0.8 : 0;
}

function isMessage(value: unknown): boolean {
  const info = isRecord(value) ? recordAt(value, 'info') : undefined;
  return isRecord(value) && info !== undefined && stringAt(info, 'role') !== undefined && Array.isArray(value.parts);
}
