// Conversations of AutoGen and of its successor, the Microsoft Agent Framework: logs of a team of agents as the data set
// Who&When holds them, and the framework's chat messages.

import { arrayAt, type Fields, isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { isFrameworkMessage } from './framework.ts';
import { AutogenReader } from './reader.ts';
import { namesATeam } from './team.ts';

const LOOKS_FOR =
  'history whose entries name agents (name, or a role as "Orchestrator (thought)"), or messages with role and contents';
const MARKS = ['question_ID', 'mistake_agent', 'mistake_step', 'mistake_reason'];

/** A team's log becomes one transcript, in which every agent's words are an assistant's; so does a run of the framework. */
export const autogen: Format = {
  id: 'autogen',
  title: 'AutoGen or Agent Framework log',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'models'],
  detect,
  elements: [['history', '*'], ['messages', '*'], ['*']],
  open: (sink) => new AutogenReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values) {
    const [first] = Array.isArray(value) ? value : [value];
    if (isRecord(first)) score = Math.max(score, scoreOf(first));
  }
  return { score, why: score > 0 ? 'a conversation of agents' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(fields: Fields): number {
  if (isFrameworkMessage(fields)) return 0.9;
  if ((arrayAt(fields, 'messages') ?? []).some(isFrameworkMessage)) return 0.95;
  const entries = (arrayAt(fields, 'history') ?? []).filter(isRecord);
  const [entry] = entries;
  if (!entry || stringAt(entry, 'role') === undefined || typeof ownAt(entry, 'content') !== 'string') return 0;
  if (MARKS.some((key) => Object.hasOwn(fields, key))) return 0.95;
  return namesATeam(entries) ? 0.85 : 0;
}
