// Seeded damage to real files: nothing crashes, nothing is lost from the accounts, and what is broken has a problem.
// `npm run fuzz` does the same for as many as wanted, and watches for hangs.
import { expect, test } from 'vitest';
import { cases } from '../support/cases.ts';
import { damageableFiles, damageOf, readDamaged } from '../support/damage.ts';
import { MUTATIONS } from '../support/mutations.ts';

const SEEDS = cases(700, 300);

test(`${SEEDS} damaged files`, { timeout: 240_000 }, () => {
  const files = damageableFiles();
  const seen = new Set<string>();
  let damaged = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const damage = damageOf(files, seed);
    expect(() => {
      const { faults, broken } = readDamaged(damage);
      expect(faults).toEqual([]);
      if (broken > 0) damaged++;
    }, damage.replay).not.toThrow();
    for (const mutation of damage.mutations) seen.add(mutation);
  }
  expect(seen.size).toBe(MUTATIONS.length);
  expect(damaged).toBeGreaterThan(SEEDS / 10);
});
