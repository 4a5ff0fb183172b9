// Logs of inspect_ai: one JSON document, or a zip archive (.eval) with a member for each sample. A log holds many
// samples; each is a transcript.

import { arrayAt, isRecord, numberAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { allBut, type Detection, type Format, type Sniff } from '../../types.ts';
import { InspectReader } from './reader.ts';

const LOOKS_FOR =
  'an object with eval (task and model) and samples, a sample with epoch and messages, or a zip archive with _journal/start.json, header.json or samples/…_epoch_N.json';

const MEMBER = /^(header\.json|_journal\/start\.json|samples\/.+_epoch_\d+\.json)$/;

/** A sample becomes a transcript; sub-agents it called become separate transcripts. */
export const inspect: Format = {
  id: 'inspect',
  title: 'Inspect log',
  looksFor: LOOKS_FOR,
  recovers: allBut('folder', 'branches'),
  detect,
  elements: [['samples', '*']],
  readsNaN: true,
  open: (sink) => new InspectReader(sink),
};

function detect(sniff: Sniff): Detection {
  const scores = sniff.values.slice(0, 5).map((value) => (isRecord(value) ? scoreOf(value) : 0));
  const isArchive = sniff.shape === 'zip' && sniff.values.some((name) => typeof name === 'string' && MEMBER.test(name));
  const score = isArchive ? 1 : Math.max(0, ...scores);
  return { score, why: score > 0 ? 'a log of inspect_ai' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(document: Readonly<Record<string, unknown>>): number {
  const run = recordAt(document, 'eval');
  if (run) return ['task', 'task_id', 'run_id', 'model'].filter((key) => stringAt(run, key)).length >= 2 ? 1 : 0;
  const isSample = numberAt(document, 'epoch') !== undefined && arrayAt(document, 'messages') !== undefined;
  return isSample && ['input', 'target', 'events', 'scores'].some((key) => Object.hasOwn(document, key)) ? 0.95 : 0;
}
