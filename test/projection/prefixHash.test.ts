import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { PrefixHashCache, prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { sha256, sha256Hex } from '../../core/util/hash.ts';
import { canonicalJson } from '../../core/util/json/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import { itemText, rawView } from '../../core/view/reader.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const hashOf = (texts: readonly string[]) => {
  const source = memorySource(texts);
  return prefixHash(source, rawView(source, texts.length, createMemo()));
};

describe('known hashes', () => {
  it.each([
    [[], 'sha256:4f53cda18c2b'],
    [
      ['{"role":"user","content":"hi"}', '{"role":"assistant","content":"hey"}'],
      'sha256:d0cadcf58715725099c29327fbf5aedf83c82f85323344650901377b6e4e4c8b',
    ],
    [['{"n":1.0}'], `sha256:${sha256Hex('[{"n":1.0}]')}`],
    [['{ "n" : 1E0 }'], `sha256:${sha256Hex('[{"n":1.0}]')}`],
    [['{"b":12345678901234567890,"a":0.0000010}'], `sha256:${sha256Hex('[{"a":1e-6,"b":12345678901234567890}]')}`],
    [['{"\\uff61":1,"\\ud83d\\ude00":2}'], `sha256:${sha256Hex('[{"｡":1,"😀":2}]')}`],
  ])('%j', (texts, expected) => {
    expect(hashOf(texts).startsWith(expected)).toBe(true);
  });
});

it('a cache changes nothing but the time', () => {
  const texts = randomTranscript({ seed: 3, turns: 120 });
  const source = memorySource(texts);
  const memo = createMemo();
  const cache = new PrefixHashCache();
  const specs = ['raw', 'clean_tool_repair', { policy: 'summary_prefix', keep_last: 100 }, 'context_gc', 'raw'];
  for (const at of [texts.length, texts.length - 7, 130, 64, 0, 63, texts.length]) {
    for (const spec of specs) {
      const { view } = project(source, stagesOf(spec), at, { memo });
      const whole = `[${view.items.map((item) => itemText(item, source)).join(',')}]`;
      const expected = `sha256:${sha256Hex(canonicalJson(whole))}`;
      const label = `at ${at}, ${JSON.stringify(spec)}`;
      expect(prefixHash(source, view, sha256, cache), label).toBe(expected);
      expect(prefixHash(source, view, nodeSha256), label).toBe(expected);
    }
  }
});
