import { expect, test } from 'vitest';
import { parseExact, stringifyWithRaw } from '../../core/util/json/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const digits = (rng: Rng, most: number): string =>
  Array.from({ length: 1 + rng.below(most) }, () => rng.below(10)).join('');

/** A number as some program may write it: of any length, with zeros at its end, with an exponent. */
function number(rng: Rng): string {
  const whole = digits(rng, 20).replace(/^0+(?=\d)/, '');
  const rest = rng.chance() ? `.${digits(rng, 18)}${rng.chance(0.3) ? '000' : ''}` : '';
  const exponent = rng.chance(0.2) ? `${rng.pick(['e', 'E'])}${rng.pick(['', '+', '-'])}${digits(rng, 2)}` : '';
  return `${rng.chance(0.2) ? '-' : ''}${whole}${rest}${exponent}`;
}

function json(rng: Rng, depth = 0): string {
  const inner = (): readonly string[] => Array.from({ length: rng.below(4) }, () => json(rng, depth + 1));
  switch (rng.below(depth > 2 ? 3 : 5)) {
    case 0:
      return `"x: ${number(rng)}, "`;
    case 1:
      return 'null';
    case 2:
      return number(rng);
    case 3:
      return `[${inner().join(',')}]`;
    default:
      return `{${inner()
        .map((each, at) => `"k${at}":${each}`)
        .join(',')}}`;
  }
}

test('keeps every number as it is written', () => {
  const rng = seededRng(20261128);
  for (let round = 0; round < 20_000; round++) {
    const text = json(rng);
    const exact = parseExact(text);
    expect(stringifyWithRaw(exact)).toBe(text);
    expect(JSON.stringify(exact)).toBe(text);
    const indented = JSON.stringify(exact, null, 2);
    expect(JSON.stringify(parseExact(indented))).toBe(text);
  }
});

test('fails as JSON.parse does', () => {
  for (const text of ['', '{"a":1.0', '[1.0,]', '01']) expect(() => parseExact(text), text).toThrow(SyntaxError);
});
