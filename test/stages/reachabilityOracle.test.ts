import { describe, expect, it } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { reclaimedByOracle } from '../oracle/reachability.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

const OPTIONS = [
  { rootWindow: 8, minChars: 500, texts: [] },
  { rootWindow: 1, minChars: 0, texts: [] },
  { rootWindow: 3, minChars: 100, texts: ['the plan is src/app/file3.ts', 'widget'] },
  { rootWindow: 0, minChars: 50, texts: [] },
  { rootWindow: 1000, minChars: 0, texts: [] },
];

describe('reachability_gc reclaims what the slow algorithm reclaims', () => {
  for (const shape of SHAPES) {
    it(`in random transcripts of shape ${shape}`, () => {
      let reclaimed = 0;
      for (let seed = 1; seed <= 25; seed++) {
        const files = seed % 2 === 0 ? 6 : 200;
        const texts = randomTranscript({ seed, turns: 14, shape, broken: seed % 3 === 0, files });
        const messages = texts.map((text): unknown => JSON.parse(text));
        const source = memorySource(texts);
        const memo = createMemo();
        for (const { rootWindow, minChars, texts: roots } of OPTIONS) {
          for (const at of [texts.length, Math.floor(texts.length / 2)]) {
            const expected = reclaimedByOracle(messages.slice(0, at), { rootWindow, minChars, texts: roots });
            const spec = { policy: 'reachability_gc', root_window: rootWindow, min_chars: minChars, roots };
            const { pointers } = project(source, stagesOf(spec), at, { memo });
            const got = pointers.map((pointer) => [pointer.source_index, pointer.source_block_index]);
            expect(got, `replay: seed ${seed}, shape ${shape}, at ${at}, ${JSON.stringify(spec)}`).toEqual(expected);
            reclaimed += got.length;
          }
        }
      }
      expect(reclaimed).toBeGreaterThan(100);
    });
  }
});
