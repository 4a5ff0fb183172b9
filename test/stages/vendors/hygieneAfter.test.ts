// A hygiene profile after each of the vendors' stages: its provider's lint finds nothing, whatever the stage has taken out.
// On random transcripts, and on a file of each format; the profiles take turns over the stages. PARALLAX_HYGIENE=full takes
// more files, and all profiles everywhere.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../../core/importers/memory.ts';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../../core/model/transcript.ts';
import { callPoints } from '../../../core/model/turns.ts';
import { project } from '../../../core/projection/project.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { lintView } from '../../../core/wire/lint.ts';
import { cases } from '../../support/cases.ts';
import { FORMATS } from '../../support/formats.ts';
import { checkProjection, sampled } from '../../support/lawful.ts';
import { stagesOf } from '../../support/projecting.ts';
import { randomTranscript, SHAPES } from '../../support/randomTranscript.ts';
import { corpusFiles } from '../../support/shared.ts';
import { SMALL_SPECS } from './smallSpecs.ts';

const FULL = process.env.PARALLAX_HYGIENE === 'full';
const PROFILES = ['anthropic', 'google', 'openai', 'openai-responses', 'mistral'] as const;
const sha256 = (text: string): string => nodeSha256().update(text).hex();

/** `turn` = every second profile, beginning one further with each stage; null = all. */
function objections(source: TranscriptSource, points: Iterable<number>, turn: number | null = null): string[] {
  const found: string[] = [];
  const memo = createMemo();
  for (const at of points) {
    for (const [nth, spec] of SMALL_SPECS.entries()) {
      for (const law of checkProjection(source, stagesOf(spec), at)) {
        found.push(`${JSON.stringify(spec)} at ${at}: ${law}`);
      }
      for (const profile of PROFILES.filter((_, own) => turn === null || (turn + nth + own) % 2 === 0)) {
        const stages = stagesOf({ ...spec, stages: [...spec.stages, { kind: 'hygiene', options: { profile } }] });
        const { view } = project(source, stages, at, { memo, sha256: nodeSha256 });
        const request = { view, source, memo, sha256, profile, provider: '', modelApi: '', modelId: '' };
        for (const { code, position, text } of lintView(request).findings) {
          if (code !== 'lint.image_too_large')
            found.push(`${JSON.stringify(spec)}, ${profile} at ${at}: #${position} ${text}`);
        }
      }
    }
  }
  return found.slice(0, 5);
}

it.each(SHAPES)('nothing to object to in random transcripts: %s', (shape) => {
  for (let seed = 31; seed <= cases(33, 32); seed++) {
    const source = memorySource(randomTranscript({ seed, turns: 14, shape, broken: seed > 31, signed: true }));
    expect(
      objections(source, sampled(callPoints(source), 3), FULL ? null : seed),
      `replay: seed ${seed}, shape ${shape}`,
    ).toEqual([]);
  }
});

describe.each(FORMATS.map((format, at) => [format, at] as const))('%s', (format, at) => {
  const files = FULL ? sampled(corpusFiles(format), 50) : corpusFiles(format).slice(0, 1);
  it.skipIf(files.length === 0)('nothing to object to', { timeout: FULL ? 3_600_000 : 240_000 }, () => {
    for (const path of files) {
      const { transcripts } = importText(readFileSync(path), { unpack: unpackZlib });
      const held = transcripts.filter(({ messages }) => messages.length > 0);
      for (const transcript of FULL ? sampled(held, 5) : held.slice(0, 1)) {
        const source = MemoryTranscript.of(transcript);
        const points = FULL ? sampled(callPoints(source), 5) : sampled(callPoints(source), 3).slice(1, 2);
        expect(objections(source, points, FULL ? null : at), `${path} ${transcript.key}`).toEqual([]);
      }
    }
  });
});
