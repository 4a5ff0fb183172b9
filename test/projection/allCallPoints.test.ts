// All call points at once, against projecting anew at each: every stage alone and in company, on random transcripts of
// all shapes and on real ones.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageAnswer } from '../../core/view/types.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';

const NO_SANDBOX: StageAnswer = {
  ok: false,
  code: 'result',
  message: 'no sandbox is available here to run the code in',
  line: null,
  column: null,
  logs: [],
};

function compare(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  label: string,
  points = callPoints(source),
) {
  const expected = naiveCallPoints(source, stages, points);
  const memo = createMemo();
  const tally = plainTally(source, memo);
  const found = runCallPoints({ source, stages, points, tally, options: { memo } }, () => NO_SANDBOX);
  expect(found.length, label).toBe(expected.length);
  for (const [at, figures] of found.entries()) {
    expect(comparable(figures, expected[at]), `replay: ${label}, at ${figures.at}`).toEqual(expected[at]);
  }
}

const spec = (...stages: readonly unknown[]) => ({ version: 1, stages });

/** Stages whose incremental form is tested with random options, alone and before or behind each other. */
const STAGE_OPTIONS: Readonly<Record<string, (rng: Rng) => Readonly<Record<string, unknown>>>> = {
  raw: () => ({}),
  clean_tool_repair: () => ({}),
  squash_failed_calls: () => ({}),
  summary_prefix: (rng) => ({ keep_last: rng.below(14), ...(rng.chance(0.3) && { summary: 'what was' }) }),
  reachability_gc: (rng) => ({
    root_window: rng.below(9),
    min_chars: rng.pick([0, 0, 20, 100]),
    ...(rng.chance(0.2) && { roots: 'src/core/file3.ts' }),
  }),
  custom: () => ({ projector: '(m) => m' }),
};

function randomSpec(rng: Rng): unknown {
  const count = 1 + rng.below(4);
  const stages = Array.from({ length: count }, () => {
    const kind = rng.pick(Object.keys(STAGE_OPTIONS));
    const options = STAGE_OPTIONS[kind]?.(rng) ?? {};
    return { kind, options: { ...options, ...(rng.chance(0.3) && { respect_provider_signatures: false }) } };
  });
  return spec(...stages);
}

describe('at every call point as if projected there', () => {
  it.each(Object.keys(STAGE_OPTIONS).filter((kind) => kind !== 'custom'))('%s has an incremental form', (kind) => {
    expect(naiveStages(stagesOf(spec(kind)))).toEqual([]);
  });

  it.each(PRESETS.map((preset) => [preset.name, preset.spec] as const))('preset %s', (name, presetSpec) => {
    for (const [seed, shape] of SHAPES.entries()) {
      const texts = randomTranscript({ seed, turns: 16, shape, broken: seed % 2 === 0, signed: seed === 2, files: 8 });
      compare(memorySource(texts), stagesOf(presetSpec), `${name}, shape ${shape}, seed ${seed}`);
    }
  });

  it('random stages with random options', () => {
    const rng = seededRng(7);
    for (let run = 0; run < 160; run++) {
      const shape = rng.pick(SHAPES);
      const options = { seed: run, turns: 14, shape, broken: rng.chance(0.5), signed: rng.chance(0.25), files: 6 };
      const chosen = randomSpec(rng);
      const label = `${JSON.stringify(options)} ${JSON.stringify(chosen)}`;
      compare(memorySource(randomTranscript(options)), stagesOf(chosen), label);
    }
  });

  it('call points some of which are left out', () => {
    const source = memorySource(randomTranscript({ seed: 3, turns: 20, broken: true, files: 6 }));
    const points = callPoints(source).filter((_, at) => at % 3 === 1);
    compare(source, stagesOf(spec('clean_tool_repair', 'reachability_gc')), 'every third', points);
  });
});

describe.each(['claude-code', 'codex', 'pi', 'openai-chat', 'gemini-contents', 'harn'])('corpus: %s', (format) => {
  const [path] = corpusFiles(format);
  it.skipIf(path === undefined)(`presets (${path === undefined ? 'no corpus here' : 'first file'})`, () => {
    const { transcripts } = importText(readFileSync(path ?? ''), { unpack: unpackZlib });
    for (const transcript of transcripts.slice(0, 2)) {
      const source = MemoryTranscript.of(transcript);
      // A naive run costs a projection a call point: of long transcripts the beginning.
      const points = callPoints(source).slice(0, 25);
      const hasCompactions = source.compactions().length > 0;
      for (const preset of presetsFor(PRESETS, hasCompactions)) {
        compare(source, stagesOf(preset.spec), `${path} ${preset.name}`, points);
      }
    }
  });
});
