// Fates are made when somebody asks: whatever the order of asking, and whatever kept stages did meanwhile, they are those
// of a projection by itself, or it is said that they are not to be had any more.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { KeptPipeline } from '../../core/projection/keptPipeline.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { LeftFate } from '../../core/projection/stagesSaid.ts';
import { seededRng } from '../../core/util/rng.ts';
import { createMemo } from '../../core/view/memo.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const SEEDS = [1, 2, 3, 4, 5, 6];

describe('fates that are asked for late', () => {
  it.each(SEEDS)('are those of a projection by itself, as long as somebody holds it: seed %i', (seed) => {
    const rng = seededRng(seed);
    const source = memorySource(randomTranscript({ seed, turns: 14, broken: seed % 2 === 0 }));
    const given = { memo: createMemo(), kept: new KeptPipeline() };
    let made = 0;
    let left = 0;
    const walked = Array.from({ length: 30 }, () => {
      const stages = stagesOf({
        version: 1,
        stages: [...rng.pick(PRESETS).spec.stages, ...rng.pick(PRESETS).spec.stages],
      });
      const at = rng.pick([source.length, rng.below(source.length + 1)]);
      const { said } = project(source, stages, at, given);
      const before = Array.from({ length: at }, (_, index) => index).filter(() => rng.chance(0.1));
      for (const index of before) said.fateOf(index);
      const isHeld = rng.chance(0.5);
      if (!isHeld) said.release();
      return { said, before: new Set(before), isHeld, alone: project(source, stages, at) };
    });
    // The stages have not moved on from the last one.
    for (const [step, { said, before, isHeld, alone }] of walked.slice(0, -1).entries()) {
      for (const [index, fate] of alone.fates.entries()) {
        const replay = `seed ${seed}, step ${step}, #${index}`;
        expect(said.kindOf(index), replay).toBe(fate.kind);
        if (isHeld || before.has(index)) {
          expect(said.fateOf(index), replay).toEqual(fate);
          made++;
        } else if (alone.at > before.size) {
          expect(() => said.fateOf(index), replay).toThrow(LeftFate);
          left++;
        }
      }
      expect(said.hold(), `seed ${seed}, step ${step}`).toBe(isHeld || alone.at === before.size);
    }
    expect(walked.at(-1)?.said.hold()).toBe(true);
    expect(made).toBeGreaterThan(100);
    expect(left).toBeGreaterThan(100);
  });

  it.each(SEEDS)('are made ahead in pieces, until the stages move on: seed %i', (seed) => {
    const rng = seededRng(seed);
    const source = memorySource(randomTranscript({ seed, turns: 400, broken: seed % 2 === 0 }));
    const given = { memo: createMemo(), kept: new KeptPipeline() };
    let whole = 0;
    let cut = 0;
    for (let step = 0; step < 12; step++) {
      const replay = `seed ${seed}, step ${step}`;
      const stages = stagesOf({ version: 1, stages: rng.pick(PRESETS).spec.stages });
      const { said, fates } = {
        said: project(source, stages, source.length, given).said,
        fates: project(source, stages, source.length).fates,
      };
      said.release();
      const making = said.makeRest();
      const isCut = step % 2 === 1;
      for (let piece = making.next(); !piece.done && !isCut; ) piece = making.next();
      // The stages move on, in a pause or behind the end.
      project(source, stagesOf({ version: 1, stages: rng.pick(PRESETS).spec.stages }), step, given);
      expect([...making], replay).toEqual([]);
      expect(said.hold(), replay).toBe(!isCut);
      if (isCut) {
        expect(() => said.fateOf(source.length - 1), replay).toThrow(LeftFate);
        cut++;
      } else {
        expect(said.fateOf(source.length - 1), replay).toEqual(fates.at(-1));
        expect(
          fates.map((_, index) => said.fateOf(index)),
          replay,
        ).toEqual(fates);
        whole++;
      }
    }
    expect([whole, cut]).toEqual([6, 6]);
  });

  it('are not had of messages behind the call point', () => {
    const source = memorySource(randomTranscript({ seed: 1, turns: 3 }));
    const { said, at } = project(source, stagesOf('raw'), 2);
    expect(() => said.fateOf(at)).toThrow(RangeError);
  });
});
