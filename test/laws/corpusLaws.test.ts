// The laws on real transcripts: every corpus file of the formats whose messages are kept as they are × the policies
// × call points. A unit run samples few points; PARALLAX_LAWS=full takes all, of more than 200 an even sample of 200.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/unpackZlib.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { PrefixHashCache } from '../../core/projection/prefixHash.ts';
import { createMemo } from '../../core/view/memo.ts';
import { FORMATS } from '../support/formats.ts';
import { checkProjection, frozenSource, sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles } from '../support/shared.ts';

const FULL = process.env.PARALLAX_LAWS === 'full';
const POLICIES = [
  'recorded_compaction',
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  { policy: 'summary_prefix', keep_last: 12 },
  'reachability_gc',
  { policy: 'custom', projector: '(messages) => messages' },
  { policy: 'hygiene', profile: 'anthropic' },
  { policy: 'hygiene', profile: 'google' },
];

const tally = { files: 0, transcripts: 0, callPoints: 0, projections: 0, violations: 0 };

/** Every transcript of a file that has messages. */
function transcriptsOf(path: string): TranscriptSource[] {
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  return transcripts
    .filter(({ messages }) => messages.length > 0)
    .map((transcript) => frozenSource(MemoryTranscript.of(transcript)));
}

// The cost of a check grows with the transcript; a unit run is to stay short.
function pointsOf(source: TranscriptSource): readonly number[] {
  if (FULL) return sampled(callPoints(source), 200);
  return sampled(callPoints(source), source.length > 400 ? 2 : 4);
}

function brokenLaws(source: TranscriptSource): string[] {
  const context = { memo: createMemo(), cache: new PrefixHashCache(), isFrozen: true };
  const broken: string[] = [];
  const points = pointsOf(source);
  tally.transcripts++;
  tally.callPoints += points.length;
  for (const policy of POLICIES) {
    const stages = stagesOf(policy);
    for (const at of points) {
      tally.projections++;
      for (const law of checkProjection(source, stages, at, context)) {
        broken.push(`${JSON.stringify(policy)} at ${at}: ${law}`);
      }
    }
  }
  tally.violations += broken.length;
  return broken;
}

// What a full run covered, for whoever ran it: a run that covers little must not look like a good one.
afterAll(() => {
  if (!FULL) return;
  const said = Object.entries(tally).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`laws: ${said.join(', ')}\n`);
});

describe.each(FORMATS)('%s keeps the laws', (format) => {
  const files = corpusFiles(format);
  const known = formats.all.some(({ id }) => id === format);
  if (files.length === 0 || !known) {
    it.skip(known ? 'no corpus here' : 'no importer of that format', () => {});
    return;
  }
  it.each(files.map((path) => [basename(path), path] as const))(
    '%s',
    (_name, path) => {
      tally.files++;
      for (const [at, source] of transcriptsOf(path).entries()) {
        expect(brokenLaws(source), `transcript ${at} of ${path}`).toEqual([]);
      }
    },
    FULL ? 3_600_000 : 60_000,
  );
});
