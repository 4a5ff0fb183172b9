// Hygiene on real transcripts: every corpus file × every profile × call points. After a repair its provider's lint finds
// nothing, pairs are whole, no text is lost, a second repair changes nothing, the input is as it was. A unit run samples
// files and call points; PARALLAX_HYGIENE=full takes all files and more points.
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import {
  detectionOf,
  lint,
  openDrafts,
  PROFILE_NAMES,
  type ProfileName,
  profileOf,
  repair,
} from '../../core/stages/hygiene/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import { rawView } from '../../core/view/reader.ts';
import type { StageMemo } from '../../core/view/types.ts';
import { closeDrafts } from '../support/closeDrafts.ts';
import { eachCorpusFile } from '../support/eachCorpusFile.ts';
import { FORMATS } from '../support/formats.ts';
import { brokenInvariants } from '../support/hygieneInvariants.ts';
import { frozenSource, sampled } from '../support/lawful.ts';

const FULL = process.env.PARALLAX_HYGIENE === 'full';
const FILES = FULL ? Number.POSITIVE_INFINITY : 4;

const sha256 = (text: string): string => nodeSha256().update(text).hex();

/** Runs a profile to its end; no image library is at hand. */
function repaired(source: TranscriptSource, at: number, name: ProfileName, memo: StageMemo) {
  const profile = profileOf(detectionOf(name), true);
  const view = rawView(source, at, memo);
  const before = openDrafts(view, source, memo);
  const run = (list: typeof before) => {
    const steps = repair(list, profile, sha256);
    let step = steps.next();
    while (step.done !== true) {
      step = steps.next({ effect: 'resize_image', ok: false, code: 'unavailable', message: 'none here' });
    }
    return step.value;
  };
  const result = run(before);
  return { profile, view, before, result, again: run(result.messages) };
}

const tally = { transcripts: 0, runs: 0, changes: 0, violations: 0 };

function faultsOf(source: TranscriptSource, at: number, name: ProfileName, memo: StageMemo): readonly string[] {
  const { profile, view, before, result, again } = repaired(source, at, name, memo);
  const faults: string[] = [];
  const parse = (list: typeof before): unknown[] => list.map((draft): unknown => JSON.parse(draft.text));
  const context = { options: profile.options, sha256, resized: new Map() };
  const findings = lint({ messages: result.messages, wire: profile.wire, context, idMode: profile.options.idMode });
  for (const { text, position, code } of findings)
    if (code !== 'lint.image_too_large') faults.push(`#${position} ${text}`);
  const changed = result.changes.filter(({ kind }) => kind !== 'reported');
  if (changed.length === 0 && closeDrafts(view, result.messages, 0, at) !== view) faults.push('another view');
  if (again.messages !== result.messages) {
    faults.push(
      `a second run changes more: ${again.changes
        .slice(0, 2)
        .map(({ rule, objection }) => `${rule}: ${objection}`)
        .join(', ')}`,
    );
  }
  faults.push(
    ...brokenInvariants(parse(before), parse(result.messages), {
      callsNeedResults: true,
      distinctIds: true,
      changes: result.changes,
    }),
  );
  tally.runs++;
  tally.changes += changed.length;
  tally.violations += faults.length;
  return faults.slice(0, 5).map((fault) => `${name} at ${at}: ${fault}`);
}

function transcriptsOf(path: string): readonly TranscriptSource[] {
  const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
  return transcripts
    .filter(({ messages }) => messages.length > 0)
    .map((transcript) => frozenSource(MemoryTranscript.of(transcript)));
}

function pointsOf(source: TranscriptSource): readonly number[] {
  const limit = FULL ? 8 : source.length > 400 ? 1 : 2;
  return [...new Set([...sampled(callPoints(source), Math.max(2, limit)).slice(0, limit), source.length])];
}

afterAll(() => {
  if (!FULL) return;
  const said = Object.entries(tally).map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`hygiene: ${said.join(', ')}\n`);
});

describe.each(FORMATS)('%s under every profile', (format) => {
  eachCorpusFile(
    format,
    FILES,
    (path) => {
      const faults: string[] = [];
      for (const [at, source] of sampled(transcriptsOf(path), FULL ? 1000 : 3).entries()) {
        tally.transcripts++;
        const memo = createMemo();
        for (const point of pointsOf(source)) {
          for (const name of PROFILE_NAMES) {
            faults.push(...faultsOf(source, point, name, memo).map((fault) => `transcript ${at}, ${fault}`));
          }
        }
      }
      expect(faults).toEqual([]);
    },
    FULL ? 3_600_000 : 240_000,
  );
});
