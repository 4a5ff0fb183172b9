// Trajectories in the Agent Trajectory Interchange Format (Harbor), v1.0 to 1.7.

import { arrayAt, isRecord, numberAt, stringAt } from '../../../util/unknown.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { AtifReader } from './reader.ts';

const LOOKS_FOR = 'schema_version ATIF-…, or steps with step_id and source';

/** A step becomes the message it holds and, where it has an observation, a message per result. */
export const atif: Format = {
  id: 'atif',
  title: 'ATIF trajectory',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'thinking', 'usage', 'models', 'times', 'compactions', 'sub-agents'],
  detect,
  elements: [
    ['steps', '*'],
    ['subagent_trajectories', '*'],
  ],
  open: (sink) => new AtifReader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 5)) score = Math.max(score, isRecord(value) ? scoreOf(value) : 0);
  return { score, why: score > 0 ? 'an ATIF trajectory' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(document: Readonly<Record<string, unknown>>): number {
  if (stringAt(document, 'schema_version')?.startsWith('ATIF') === true) return 1;
  const [step] = arrayAt(document, 'steps') ?? [];
  if (!isRecord(step) || numberAt(step, 'step_id') === undefined) return 0;
  return stringAt(step, 'source') !== undefined && Object.hasOwn(step, 'message') ? 0.85 : 0;
}
