// While provider safety refuses a stage it changes nothing. What it says of the messages that it would not have touched
// either is what it says where it is not refused.
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { seededRng } from '../../core/util/rng.ts';
import { randomStage } from '../support/randomStages.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const OPTION = 'respect_provider_signatures';
/** Stages that may be refused; `custom` runs the user's code, `raw` touches nothing, a recorded one takes decisions over. */
const REFUSED = STAGES.stages
  .filter(({ params, rereads, traits }) => params.some(({ name }) => name === OPTION) && !rereads && !traits.gives)
  .map(({ kind }) => kind);
const RUNS = 120;

/** A transcript in which every so many messages are signed: of random ones few results are. */
function allSigned(source: TranscriptSource, every: number): TranscriptSource {
  const facts = (index: number) => ({ ...source.facts(index), signed: index % every === 0 });
  return new Proxy(source, {
    get(target, name) {
      if (name === 'facts') return facts;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('a refused stage explains what it would have kept as it does where it is not refused', () => {
  it.each(REFUSED)('%s', (kind) => {
    let refused = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const rng = seededRng(seed);
      const made = { seed, turns: 6 + rng.below(12), broken: rng.chance(0.4), files: 6 };
      const source = allSigned(
        memorySource(randomTranscript({ ...made, shape: rng.pick(SHAPES) })),
        rng.pick([1, 2, 5]),
      );
      const stage = randomStage(kind, rng);
      const outcome = (respects: boolean) => {
        const options = { ...Object(stage.options), [OPTION]: respects };
        const parsed = parseSpec({ version: 1, stages: [{ kind, options }] }, STAGES);
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
        return project(source, parsed.value.stages, source.length);
      };
      const held = outcome(true);
      if (held.reports[0]?.blockedBy === null) continue;
      refused++;
      const free = outcome(false);
      for (const [index, fate] of free.fates.entries()) {
        if (fate.kind === 'kept') expect(held.fates[index], `${kind}, seed ${seed}, #${index}`).toEqual(fate);
      }
    }
    expect(refused).toBeGreaterThan(5);
  });
});
