// Laws over values that are drawn by lot: what is said of one follows from its name and its build, not from its length or its last sign.
import { expect, test } from 'vitest';
import { findIn } from '../../core/scrub/findIn.ts';
import type { Tier } from '../../core/scrub/types.ts';
import { seededRng } from '../../core/util/rng.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ALPHABETS: Readonly<Record<string, string>> = {
  'letters and digits': `${LETTERS}0123456789`,
  'letters, digits and signs': `${LETTERS}0123456789!#%*+-=?^_.`,
};

const ASSIGNED: Readonly<Record<string, (value: string) => string>> = {
  'of the environment': (value) => `DB_PASSWORD=${value}`,
  'in JSON': (value) => `{"password": "${value}"}`,
  'as an argument': (value) => `connect(user="app", password='${value}')`,
  'in YAML': (value) => `  password: ${value}`,
};

/** What is said of a value in a text: its tier where it is covered whole, `partial` where it is not; null = nothing. */
function saidOf(text: string, value: string): Tier | 'partial' | null {
  const from = text.indexOf(value);
  const to = from + value.length;
  const hit = findIn(text).find((one) => one.from < to && one.to > from);
  if (hit === undefined) return null;
  return hit.from <= from && hit.to >= to ? hit.tier : 'partial';
}

function drawn(alphabet: string, length: number, seed: number): string {
  const rng = seededRng(seed);
  return Array.from({ length }, () => rng.pick([...alphabet])).join('');
}

const EACH_LENGTH = 150;
/** The share of values of a length that are found sure varies by lot. Unit: values of {@link EACH_LENGTH}. */
const BY_LOT = 22;

test.each(
  Object.keys(ASSIGNED).flatMap((form) => Object.keys(ALPHABETS).map((alphabet): [string, string] => [form, alphabet])),
)('%s, %s: a longer password is no less sure', (form, alphabet) => {
  const sureOf = (length: number): number =>
    Array.from({ length: EACH_LENGTH }, (_, seed) => drawn(ALPHABETS[alphabet] ?? '', length, 1 + seed * 101)).filter(
      (value) => saidOf(ASSIGNED[form]?.(value) ?? '', value) === 'definite',
    ).length;
  let most = 0;
  for (let length = 8; length <= 24; length++) {
    const sure = sureOf(length);
    expect(sure, `${length} characters`).toBeGreaterThan(most - BY_LOT);
    most = Math.max(most, sure);
  }
});
