// The context policy along all call points, against projecting anew at each: random options and summaries, alone and
// behind stages that change what it goes by. A failing case prints what it was made of.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { SummaryArtifact } from '../../core/model/summary.ts';
import type { PlacedCompaction } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { naiveStages, runCallPoints } from '../../core/projection/allCallPoints.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { comparable, naiveCallPoints, plainTally } from '../oracle/callPoints.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';
import { tightContext } from '../support/tightContext.ts';

/** Stages that change what a context policy goes by: calls, results, turns, what stands at the beginning. */
const OTHERS: readonly unknown[] = [
  'clean_tool_repair',
  'squash_failed_calls',
  'recorded_compaction',
  { kind: 'reachability_gc', options: { root_window: 3, min_chars: 20, respect_provider_signatures: false } },
  { kind: 'summary_prefix', options: { keep_last: 9 } },
  { kind: 'tool_result_retention', options: { mode: 'age', value: 1 } },
];

function transcriptOf(rng: Rng, seed: number) {
  const texts = randomTranscript({
    seed,
    turns: 3 + rng.below(16),
    shape: rng.pick(SHAPES),
    broken: rng.chance(0.4),
    signed: rng.chance(0.2),
    files: 6,
  });
  if (rng.chance(0.4)) texts.unshift(JSON.stringify({ role: 'system', content: 'You are careful.' }));
  const place = () => rng.below(texts.length);
  const summaries: SummaryArtifact[] = rng.chance(0.4)
    ? [{ from: 0, to: 1 + place(), content: 'What was said.', version: 1, origin: 'written' }]
    : [];
  const compactions: PlacedCompaction[] = rng.chance(0.4)
    ? [place(), place()]
        .sort((a, b) => a - b)
        .map((at) => ({ at, summaryIndex: at, ...(rng.chance(0.5) && at > 1 && { preserved: [at - 1] }) }))
    : [];
  return memorySource(texts, null, compactions, summaries);
}

function compare(seed: number, stagesFor: (rng: Rng) => readonly unknown[]): void {
  const rng = seededRng(seed * 101);
  const source = transcriptOf(rng, seed);
  const spec = { version: 1, stages: stagesFor(rng) };
  const stages = stagesOf(spec);
  const all = callPoints(source);
  const points = rng.chance(0.2) ? all.filter((_, at) => at % 3 === 1) : all;
  const expected = naiveCallPoints(source, stages, points);
  const memo = createMemo();
  const tally = plainTally(source, memo);
  const found = runCallPoints({ source, stages, points, tally, options: { memo } }, () => {
    throw new Error('no stage here asks for anything');
  });
  for (const [at, figures] of found.entries()) {
    const label = `replay: seed ${seed}, at ${figures.at}, ${JSON.stringify(spec)}`;
    expect(comparable(figures, expected[at]), label).toEqual(expected[at]);
  }
  expect(found.length).toBe(expected.length);
}

const policy = (rng: Rng) => ({ kind: 'context_policy', options: tightContext(rng) });

describe('at every call point as if projected there', () => {
  it('follows', () => expect(naiveStages(stagesOf({ version: 1, stages: ['context_policy'] }))).toEqual([]));

  it('alone', () => {
    for (let seed = 1; seed <= 250; seed++) compare(seed, (rng) => [policy(rng)]);
  });

  it('behind others, and before them', () => {
    for (let seed = 1000; seed < 1150; seed++) {
      compare(seed, (rng) => {
        const others = rng.shuffle(OTHERS).slice(0, 1 + rng.below(2));
        return rng.chance(0.7) ? [...others, policy(rng)] : [policy(rng), ...others];
      });
    }
  });
});
