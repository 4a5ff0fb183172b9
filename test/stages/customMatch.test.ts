// What the user's function returns is found again in the transcript as the slow, obvious way finds it: each message is
// the first equal one after the last that was found. The order of members does not count.
import { expect, test } from 'vitest';
import { canonicalJson } from '../../core/util/json/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { projectMessages } from '../support/projecting.ts';

const TEXTS = ['a', 'b', 'same'];

/** One of few messages, so that many are equal, its members in either order. */
function message(rng: Rng): unknown {
  const role = rng.pick(['user', 'assistant']);
  const content = rng.pick(TEXTS);
  return rng.chance() ? { role, content } : { content, role };
}

/** Most of the messages, some with their members turned round, some new ones between. */
function returned(messages: readonly unknown[], rng: Rng): unknown[] {
  return messages.flatMap((one) => {
    if (rng.chance(0.2)) return [];
    const turned = Object.fromEntries(Object.entries(one ?? {}).reverse());
    const kept = rng.chance(0.2) ? turned : one;
    return rng.chance(0.1) ? [kept, { role: 'user', content: 'new' }] : [kept];
  });
}

function obviously(given: readonly unknown[], back: readonly unknown[]): number[] {
  const key = (value: unknown) => canonicalJson(JSON.stringify(value));
  const found: number[] = [];
  for (const one of back) {
    const from = (found.at(-1) ?? -1) + 1;
    const at = given.findIndex((other, index) => index >= from && key(other) === key(one));
    if (at >= 0) found.push(at);
  }
  return found;
}

test('as the obvious way does', () => {
  for (let seed = 0; seed < 400; seed++) {
    const rng = seededRng(seed);
    const messages = Array.from({ length: 1 + rng.below(12) }, () => message(rng));
    const back = returned(messages, rng);
    const resultJson = JSON.stringify(back);
    const spec = { policy: 'custom', projector: '(m) => m' };
    const runUserCode = () => ({ ok: true, resultJson, steps: 1, logs: [] }) as const;
    const { keptIndices, fates } = projectMessages(messages, spec, { runUserCode });
    expect(keptIndices, `seed ${seed}`).toEqual(obviously(messages, back));
    expect(
      fates.filter(({ kind }) => kind === 'rewritten'),
      `seed ${seed}`,
    ).toEqual([]);
  }
});
