// Two policies are the same if their stages are: kinds, switches and options, in whatever form these are written.
import { expect, it } from 'vitest';
import { sameStages } from '../../core/projection/policyName.ts';
import type { StageSpec } from '../../core/projection/types.ts';
import { canonicalJson } from '../../core/util/json/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const RUNS = 4000;

// Few kinds and values, so that many pairs are the same or nearly.
function randomStage(rng: Rng): StageSpec {
  const value = rng.below(2);
  const forms = [{ a: value, b: 1 }, { b: 1, a: value }, { a: value }, {}] as const;
  const options = forms[rng.below(forms.length)] ?? {};
  const enabled = [true, false, undefined][rng.below(3)];
  return {
    kind: rng.below(2) === 0 ? 'raw' : 'summary',
    ...(enabled !== undefined && { enabled }),
    ...(rng.below(3) > 0 && { options }),
  };
}

/** All of a policy that counts, as one text. */
const whole = (stages: readonly StageSpec[]): string =>
  canonicalJson(JSON.stringify(stages.map(({ kind, enabled = true, options = {} }) => ({ kind, enabled, options }))));

it('over random pairs, they are the same where their whole texts are', () => {
  let same = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const rng = seededRng(seed);
    const a = Array.from({ length: rng.below(3) }, () => randomStage(rng));
    // Sometimes the same objects: an edit keeps the stages that it does not touch.
    const b =
      a.length > 0 && rng.below(3) === 0 ? [...a] : Array.from({ length: rng.below(3) }, () => randomStage(rng));
    const expected = whole(a) === whole(b);
    if (expected) same++;
    expect(sameStages({ stages: a }, { stages: b }), `seed ${seed}`).toBe(expected);
  }
  expect(same).toBeGreaterThan(RUNS / 5);
  expect(same).toBeLessThan(RUNS * 0.9);
});
