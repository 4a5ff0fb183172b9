// What stands beside the lines of a chart: no two alike, each the number at its line, with as many decimals as the others.
import { expect, test } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { ticksBetween, tickWords } from '../../renderer/tune/chartScale.ts';
import type { Measure } from '../../renderer/tune/words.ts';

const UNITS: Readonly<Record<string, number>> = { k: 1000, M: 1_000_000 };

function read(word: string): number {
  return Number(word.replace(/[$,kM]/g, '')) * (UNITS[word.at(-1) ?? ''] ?? 1);
}

test('lines of any span are told apart, by numbers that are theirs', () => {
  const rng = seededRng(20);
  for (let round = 0; round < 2000; round++) {
    const least = rng.below(3) === 0 ? 0 : rng.below(1_000_000) / 10 ** rng.below(7);
    const ticks = ticksBetween(least, least + (1 + rng.below(1_000_000)) / 10 ** rng.below(7));
    for (const measure of ['cost', 'mean'] satisfies Measure[]) {
      const words = tickWords(ticks, measure);
      const replay = JSON.stringify({ ticks, measure, words });
      expect(new Set(words).size, replay).toBe(ticks.length);
      expect(new Set(words.map((word) => word.replace(/[^.\d]/g, '').split('.')[1]?.length ?? 0)).size, replay).toBe(1);
      for (const [at, tick] of ticks.entries()) {
        expect(Math.abs(read(words[at] ?? '') - tick), replay).toBeLessThanOrEqual(Math.abs(tick) * 1e-9 + 1e-9);
      }
    }
  }
});

test('a span over a hundred dollars has no cents at one end only', () => {
  expect(tickWords(ticksBetween(46, 115), 'cost')).toEqual(['$40', '$60', '$80', '$100', '$120']);
  expect(tickWords(ticksBetween(104_120, 104_730), 'mean')).toEqual(['104.0k', '104.2k', '104.4k', '104.6k', '104.8k']);
});
