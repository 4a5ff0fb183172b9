// The vendors' stages along all call points: as if projected at each, alone and behind stages that change what came before.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../../core/model/summary.ts';
import type { PlacedCompaction } from '../../../core/model/transcript.ts';
import { callPoints } from '../../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../../core/projection/allCallPoints.ts';
import { VENDOR_PRESETS } from '../../../core/projection/vendorPresets.ts';
import { createBudget } from '../../../core/tokens/budget.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { comparable, naiveCallPoints, plainTally } from '../../oracle/callPoints.ts';
import { stagesOf } from '../../support/projecting.ts';
import { randomTranscript, SHAPES } from '../../support/randomTranscript.ts';
import { SMALL_SPECS } from './smallSpecs.ts';

const budget = createBudget({ window: 1500, reserveOutput: 0, injectionReserve: 0, caps: {} });

function compare(
  texts: readonly string[],
  spec: unknown,
  label: string,
  every = 1,
  summaries: readonly SummaryArtifact[] = [],
  compactions: readonly PlacedCompaction[] = [],
) {
  const source = memorySource(texts, null, compactions, summaries);
  const stages = stagesOf(spec);
  const points = callPoints(source).filter((_, at) => at % every === 0);
  const expected = naiveCallPoints(source, stages, points, { budget });
  const memo = createMemo();
  const found = runCallPoints(
    { source, stages, points, tally: plainTally(source, memo), options: { memo, budget } },
    () => {
      throw new Error('no stage asks for anything');
    },
  );
  for (const [at, figures] of found.entries()) {
    expect(comparable(figures, expected[at]), `replay: ${label}, at ${figures.at}`).toEqual(expected[at]);
  }
}

it.each(VENDOR_PRESETS.map(({ name, spec }) => [name, spec] as const))('%s is followed', (_name, spec) => {
  expect(naiveStages(stagesOf(spec))).toEqual([]);
});

describe('transcripts with recorded compaction blocks', () => {
  const specs = SMALL_SPECS.filter(({ stages }) => JSON.stringify(stages).includes('compaction'));
  it.each(specs.map((spec) => [JSON.stringify(spec.stages), spec] as const))('%s', (name, spec) => {
    for (let seed = 21; seed <= 22; seed++) {
      const texts = randomTranscript({ seed, turns: 12, signed: true, files: 6 });
      const answers = texts.flatMap((text, at) => (at > 3 && JSON.parse(text).role === 'assistant' ? [at] : []));
      const places = answers.filter((_, nth) => nth % 5 === 2);
      const content = (at: number) => JSON.stringify([{ type: 'compaction', content: `S${at}` }]);
      const blocks = texts.map((text, at) =>
        places.includes(at) ? `{"role":"assistant","content":${content(at)}}` : text,
      );
      const compactions = places.map((at) => ({ at, summaryIndex: at }));
      expect(places.length).toBeGreaterThan(1);
      compare(blocks, spec, `${name}, seed ${seed}, with blocks`, 1, [], compactions);
    }
  });
});

describe.each(SMALL_SPECS.map((spec) => [JSON.stringify(spec.stages), spec] as const))('%s', (name, spec) => {
  it.each(SHAPES)('%s', (shape) => {
    for (let seed = 1; seed <= 2; seed++) {
      const texts = randomTranscript({ seed, turns: 16, shape, broken: seed % 2 === 0, signed: true, files: 8 });
      compare(texts, spec, `${name}, seed ${seed}, shape ${shape}`);
      compare(texts, spec, `${name}, seed ${seed}, shape ${shape}, every third point`, 3);
    }
  });

  it('behind stages that change what came before, with system messages and summaries', () => {
    for (let seed = 11; seed <= 12; seed++) {
      const system = ['{"role":"system","content":"Be brief."}', '{"role":"developer","content":"And kind."}'];
      const texts = [...system, ...randomTranscript({ seed, turns: 14, broken: seed % 2 === 0, files: 6 })];
      const before =
        seed % 2 === 0
          ? ['clean_tool_repair']
          : [{ kind: 'reachability_gc', options: { root_window: 2, min_chars: 0 } }];
      const summaries = [4, 6, 9, 12, 15].map(
        (to): SummaryArtifact => ({ from: 0, to, content: `up to ${to}`, version: 1, origin: 'written' }),
      );
      compare(texts, { ...spec, stages: [...before, ...spec.stages] }, `${name} behind, seed ${seed}`, 1, summaries);
      compare(
        texts,
        { ...spec, stages: [{ kind: 'summary_prefix', options: { keep_last: 9 } }, ...spec.stages] },
        `${name} behind a summary, seed ${seed}`,
      );
    }
  });
});
