// Conversations of OpenHands. Up to 1.0 ("V0") events are actions and observations, in saved trajectories and in the
// `history` of evaluation outputs; the SDK ("V1") writes events of many kinds, one a file, beside a base_state.json.

import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { OpenhandsReader } from './reader.ts';
import { isBaseState } from './state.ts';
import { KNOWN_KINDS } from './v1.ts';

const LOOKS_FOR =
  'events with action and args or observation and extras, such events as history of a line, or events with a kind as the SDK writes them';
const SOURCES = new Set(['agent', 'user', 'environment', 'hook']);

/** A conversation is a transcript: a list of events, each line with a history, the events of a folder. */
export const openhands: Format = {
  id: 'openhands',
  title: 'OpenHands conversation',
  looksFor: LOOKS_FOR,
  recovers: allBut('sub-agents', 'branches'),
  detect,
  readerVersion: 3,
  elements: [['history', '*'], ['*']],
  open: (sink) => new OpenhandsReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 20)) score = Math.max(score, scoreOf(value));
  return { score, why: score > 0 ? 'events of OpenHands' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(value: unknown): number {
  if (Array.isArray(value)) return Math.max(0, ...value.slice(0, 8).map(scoreOfElement));
  if (!isRecord(value)) return 0;
  const history = arrayAt(value, 'history');
  if (history) return scoreOfHistory(history);
  return isBaseState(value) ? 0.9 : scoreOfEvent(value);
}

// The first evaluation outputs paired each action with its observation; a line may have a history too.
function scoreOfElement(value: unknown): number {
  if (Array.isArray(value))
    return Math.max(0, ...value.slice(0, 2).map((one) => (isRecord(one) ? scoreOfEvent(one) : 0)));
  if (!isRecord(value)) return 0;
  const history = arrayAt(value, 'history');
  return history ? scoreOfHistory(history) : scoreOfEvent(value);
}

function scoreOfHistory(history: readonly unknown[]): number {
  const isFlat = history.slice(0, 2).some((event) => isRecord(event) && isFlatAction(event));
  return Math.max(scoreOf(history), isFlat ? 0.85 : 0);
}

// An action of the first releases, which has no args.
function isFlatAction(fields: Fields): boolean {
  if (stringAt(fields, 'action') === undefined || Object.hasOwn(fields, 'args')) return false;
  return ['wait_for_response', 'thought', 'security_risk'].some((key) => Object.hasOwn(fields, key));
}

function scoreOfEvent(fields: Fields): number {
  const source = ownAt(fields, 'source');
  const isSourced = typeof source === 'string' && SOURCES.has(source);
  const kind = stringAt(fields, 'kind');
  if (kind !== undefined) {
    if (!isSourced || stringAt(fields, 'id') === undefined || stringAt(fields, 'timestamp') === undefined) return 0;
    return KNOWN_KINDS.has(kind) ? 0.95 : 0.6;
  }
  const acts = stringAt(fields, 'action') !== undefined && recordAt(fields, 'args') !== undefined;
  const observes = stringAt(fields, 'observation') !== undefined && Object.hasOwn(fields, 'extras');
  if (!acts && !observes) return 0;
  return isSourced ? 0.95 : 0.75;
}
