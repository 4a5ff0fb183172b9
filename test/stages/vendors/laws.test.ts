// The vendors' stages keep the laws on random transcripts of all shapes, with thresholds that are reached.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../core/model/memorySource.ts';
import { callPoints } from '../../../core/model/turns.ts';
import { project } from '../../../core/projection/project.ts';
import { createMemo } from '../../../core/view/memo.ts';
import { checkProjection, sampled } from '../../support/lawful.ts';
import { stagesOf } from '../../support/projecting.ts';
import { randomTranscript, SHAPES } from '../../support/randomTranscript.ts';
import { SMALL_SPECS } from './smallSpecs.ts';

describe.each(SMALL_SPECS.map((spec) => [JSON.stringify(spec), spec] as const))('%s', (name, spec) => {
  it.each(SHAPES)('keeps the laws: %s', (shape) => {
    const stages = stagesOf(spec);
    for (let seed = 1; seed <= 6; seed++) {
      const source = memorySource(randomTranscript({ seed, turns: 14, shape, broken: seed > 3, signed: true }));
      for (const at of sampled(callPoints(source), 5)) {
        const label = `replay: ${name}, seed ${seed}, shape ${shape}, at ${at}`;
        expect(checkProjection(source, stages, at), label).toEqual([]);
      }
    }
  });

  it('gives at a call point what it gives on the transcript cut off there, and explains every message', () => {
    const stages = stagesOf(spec);
    for (let seed = 11; seed <= 13; seed++) {
      const texts = randomTranscript({ seed, turns: 12, broken: true, signed: true });
      const source = memorySource(texts);
      const memo = createMemo();
      for (let at = source.length; at >= 0; at -= 3) {
        const projection = project(source, stages, at, { memo });
        const label = `replay: ${name}, seed ${seed}, at ${at}`;
        expect(projection, label).toEqual(project(memorySource(texts.slice(0, at)), stages, at));
        expect(
          projection.fates.filter(({ stage }) => stage === null),
          label,
        ).toEqual([]);
      }
    }
  });
});
