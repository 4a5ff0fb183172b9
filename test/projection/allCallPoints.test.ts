// All call points at once, against projecting anew at each: every stage alone and in company, on random transcripts of
// all shapes and on real ones.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PRESETS, presetsFor } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { Budget } from '../../core/tokens/budget.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageAnswer } from '../../core/view/types.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { withAsides } from '../support/asides.ts';
import { withCacheMarks } from '../support/cacheMarks.ts';
import { cases } from '../support/cases.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomCompactions } from '../support/randomCompactions.ts';
import { randomBudget, randomSpec, randomStage, spec } from '../support/randomStages.ts';
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
  given: { readonly points?: readonly number[]; readonly budget?: Budget | null } = {},
) {
  const { points = callPoints(source), budget = null } = given;
  const expected = naiveCallPoints(source, stages, points, { budget });
  const memo = createMemo();
  const tally = plainTally(source, memo);
  const found = runCallPoints({ source, stages, points, tally, options: { memo, budget } }, () => NO_SANDBOX);
  expect(found.length, label).toBe(expected.length);
  for (const [at, figures] of found.entries()) {
    expect(comparable(figures, expected[at]), `replay: ${label}, at ${figures.at}`).toEqual(expected[at]);
  }
}

/** Stages that are known to follow; others may. */
const FOLLOWING = [
  'recorded_compaction',
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  'summary_prefix',
  'reachability_gc',
  'hygiene',
];

describe('at every call point as if projected there', () => {
  it.each(FOLLOWING)('%s has an incremental form', (kind) => {
    expect(naiveStages(stagesOf(spec(kind)))).toEqual([]);
  });

  it.each(PRESETS.map((preset) => [preset.name, preset.spec] as const))('preset %s is followed', (_name, preset) => {
    expect(naiveStages(stagesOf(preset))).toEqual([]);
  });

  const follow = STAGES.stages.map(({ kind }) => kind);

  it.each(follow)('%s, alone and with others, with random options', (kind) => {
    const rng = seededRng(kind.length * 31 + kind.charCodeAt(2));
    for (let run = 0; run < cases(24, 10); run++) {
      const shape = rng.pick(SHAPES);
      const made = { seed: run, turns: 14, shape, broken: rng.chance(0.5), signed: rng.chance(0.25), files: 6 };
      const before = rng.chance(0.4) ? [randomStage(rng.pick(follow), rng)] : [];
      const behind = rng.chance(0.4) ? [randomStage(rng.pick(follow), rng)] : [];
      const chosen = spec(...before, randomStage(kind, rng), ...behind);
      const budget = randomBudget(rng);
      const label = `${JSON.stringify(made)} ${JSON.stringify(chosen)} budget ${JSON.stringify(budget)}`;
      compare(memorySource(randomTranscript(made)), stagesOf(chosen), label, { budget });
    }
  });

  it.each(PRESETS.map((preset) => [preset.name, preset.spec] as const))('preset %s', (name, presetSpec) => {
    for (const [seed, shape] of SHAPES.entries()) {
      const texts = randomTranscript({ seed, turns: 16, shape, broken: seed % 2 === 0, signed: seed === 2, files: 8 });
      compare(memorySource(texts), stagesOf(presetSpec), `${name}, shape ${shape}, seed ${seed}`);
    }
  });

  it('random stages with random options', () => {
    const rng = seededRng(7);
    for (let run = 0; run < cases(120, 50); run++) {
      const shape = rng.pick(SHAPES);
      const made = { seed: run, turns: 14, shape, broken: rng.chance(0.5), signed: rng.chance(0.25), files: 6 };
      const chosen = randomSpec(rng, [...FOLLOWING, 'custom']);
      const label = `${JSON.stringify(made)} ${JSON.stringify(chosen)}, marks by ${run}`;
      const texts = withCacheMarks(randomTranscript(made), seededRng(run));
      compare(memorySource(texts), stagesOf(chosen), label);
    }
  });

  it('what a client attached, which begins no turn', () => {
    const rng = seededRng(11);
    const kinds = STAGES.stages.map(({ kind }) => kind);
    for (let run = 0; run < cases(80, 35); run++) {
      const made = { seed: run, turns: 10, shape: rng.pick(SHAPES), broken: rng.chance(0.4), files: 6 };
      const source = withAsides(randomTranscript(made), rng);
      const chosen = spec(...(rng.chance(0.4) ? ['hygiene'] : []), randomStage(rng.pick(kinds), rng));
      const behind = rng.chance(0.3) ? spec(...chosen.stages, randomStage('sliding_window', rng)) : chosen;
      compare(source, stagesOf(behind), `run ${run} ${JSON.stringify(made)} ${JSON.stringify(behind)}`);
    }
  });

  it('recorded compactions of all kinds, before and behind other stages', () => {
    const rng = seededRng(5);
    for (let run = 0; run < cases(80, 35); run++) {
      const made = { seed: run, turns: 14, shape: rng.pick(SHAPES), broken: rng.chance(0.5), files: 6 };
      const texts = randomTranscript(made);
      const source = memorySource(texts, null, randomCompactions(rng, texts));
      const before = rng.chance(0.3) ? [randomStage(rng.pick(FOLLOWING), rng)] : [];
      const behind = rng.chance(0.7) ? [randomStage(rng.pick(FOLLOWING), rng)] : [];
      const chosen = spec(...before, randomStage('recorded_compaction', rng), ...behind);
      compare(source, stagesOf(chosen), `run ${run} ${JSON.stringify(made)} ${JSON.stringify(chosen)}`);
    }
  });

  it('a transcript’s own summary in place of a placeholder', () => {
    const texts = Array.from({ length: 30 }, (_, at) =>
      JSON.stringify({ role: at % 2 === 0 ? 'user' : 'assistant', content: `text ${at} ${'word '.repeat(20)}` }),
    );
    const source = memorySource(texts, 'what was said before');
    const tight = { max_input_tokens: 200, keep_last_turns: 1, summarization: 'request_new' };
    for (const stage of [
      { kind: 'context_policy', options: tight },
      { kind: 'summary', options: { when: 'always' } },
    ]) {
      compare(source, stagesOf({ version: 1, stages: [stage] }), stage.kind);
    }
  });

  it('call points some of which are left out', () => {
    const source = memorySource(randomTranscript({ seed: 3, turns: 20, broken: true, files: 6 }));
    const points = callPoints(source).filter((_, at) => at % 3 === 1);
    compare(source, stagesOf(spec('clean_tool_repair', 'reachability_gc')), 'every third', { points });
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
      for (const preset of presetsFor(PRESETS, hasCompactions, hasCompactions)) {
        compare(source, stagesOf(preset.spec), `${path} ${preset.name}`, { points });
      }
    }
  });
});
