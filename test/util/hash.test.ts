import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { scalarCount, utf8Length } from '../../core/util/chars.ts';
import { sha256, sha256Hex } from '../../core/util/hash.ts';
import { seededRng } from '../../core/util/rng.ts';

const SAMPLES = [
  '',
  'abc',
  'é',
  '😀',
  '\ud800',
  '\udc00x',
  'a\ud83d',
  '\ud83d\ud83d\ude00',
  '\u0000\uffff',
  'x'.repeat(10_000),
];

test('the published digests', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('both implementations agree with hashing the bytes, however the text is cut', () => {
  const rng = seededRng(5);
  for (const sample of [...SAMPLES, SAMPLES.join('')]) {
    const expected = createHash('sha256').update(new TextEncoder().encode(sample)).digest('hex');
    for (const make of [sha256, nodeSha256]) {
      const cut = rng.below(sample.length + 1);
      const state = make().update(sample.slice(0, cut));
      const copy = state.copy();
      state.hex(); // looking does not disturb
      expect(state.update(sample.slice(cut)).hex(), JSON.stringify([sample, cut])).toBe(expected);
      expect(state.hex()).toBe(expected);
      for (const unit of sample.slice(cut).split('')) copy.update(unit);
      expect(copy.hex(), JSON.stringify([sample, cut])).toBe(expected);
    }
    expect(sha256Hex(sample)).toBe(expected);
  }
});

test('a copy goes its own way', () => {
  for (const make of [sha256, nodeSha256]) {
    const state = make().update('a');
    const copy = state.copy().update('b');
    expect(state.hex()).toBe(sha256Hex('a'));
    expect(copy.hex()).toBe(sha256Hex('ab'));
  }
});

test('scalars and bytes are counted as the platform counts them', () => {
  const rng = seededRng(6);
  const alphabet = ['a', 'é', '\u0800', '\uffff', '😀', '\ud800', '\udc00', '\u0000', '\u07ff'];
  for (let i = 0; i < 500; i++) {
    const text = Array.from({ length: rng.below(8) }, () => rng.pick(alphabet)).join('');
    expect(scalarCount(text), JSON.stringify(text)).toBe([...text].length);
    expect(utf8Length(text), JSON.stringify(text)).toBe(new TextEncoder().encode(text).length);
  }
});
