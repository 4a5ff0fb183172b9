// Hygiene along all call points of real sessions, compared with hygiene run anew at some of them, under every profile. A
// unit run samples files and call points; PARALLAX_HYGIENE=full takes all files and more points.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { callPoints } from '../../core/model/turns.ts';
import { PROFILE_NAMES } from '../../core/stages/hygiene/index.ts';
import { PAUSE, type StageAnswer, type StageEffect } from '../../core/view/types.ts';
import { compareFollowed } from '../oracle/followedStage.ts';
import { FORMATS } from '../support/formats.ts';
import { sampled } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { corpusFiles } from '../support/shared.ts';

const FULL = process.env.PARALLAX_HYGIENE === 'full';
const FILES = FULL ? Number.POSITIVE_INFINITY : 2;
const POINTS = FULL ? 12 : 4;
/** Longer ones are followed up to here: what is run anew to compare takes long. */
const LONGEST = FULL ? 3_000 : 600;

const PROFILES = ['auto', ...PROFILE_NAMES];
const BEFORE: readonly (readonly unknown[])[] = [
  [],
  ['clean_tool_repair', { kind: 'reachability_gc', options: { root_window: 12 } }],
  ['tool_result_retention', { kind: 'sliding_window', options: { max_turns: 4 } }],
  ['recorded_compaction'],
];

function noImages(effect: StageEffect): StageAnswer {
  if (effect.effect === 'pause') return PAUSE;
  return { effect: 'resize_image', ok: false, code: 'unavailable', message: 'none here' };
}

/** Transcripts of a file, each under one profile in turn, with one kind of stage before in turn; all where all are taken. */
function compareFile(path: string, turn: number): number {
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  let compared = 0;
  for (const [number, transcript] of transcripts.slice(0, FULL ? 20 : 2).entries()) {
    const source = MemoryTranscript.of(transcript);
    const points = callPoints(source).filter((at) => at <= LONGEST);
    for (const [slot, profile] of PROFILES.entries()) {
      const before = BEFORE[(turn + number + slot) % BEFORE.length] ?? [];
      if (!FULL && (turn + number + slot) % 3 !== 0) continue;
      const stages = stagesOf({ version: 1, stages: [...before, { kind: 'hygiene', options: { profile } }] });
      const some = new Set(sampled(points, POINTS));
      compareFollowed(
        { source, stages, host: noImages },
        points,
        (found, expected) => {
          const replay = `${basename(path)} ${number} ${profile} ${JSON.stringify(before)}, at ${found.at}`;
          expect(found, replay).toEqual(expected);
        },
        some,
      );
      compared += some.size;
    }
  }
  return compared;
}

describe.each(FORMATS)('corpus: %s', (format) => {
  const files = corpusFiles(format).slice(0, FILES);
  const why = files.length === 0 ? ' (no corpus here)' : '';
  it.skipIf(files.length === 0)(`hygiene is followed${why}`, () => {
    let compared = 0;
    for (const [turn, path] of files.entries()) compared += compareFile(path, turn);
    if (FULL) console.log(`${format}: ${files.length} files, ${compared} comparisons`);
    expect(compared).toBeGreaterThan(0);
  });
});
