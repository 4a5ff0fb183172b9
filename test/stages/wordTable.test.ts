import { describe, expect, it } from 'vitest';
import { WordTable } from '../../core/stages/harn/wordTable.ts';
import { seededRng } from '../../core/util/rng.ts';

describe('WordTable', () => {
  it('numbers words as a map from words to numbers does', () => {
    const rng = seededRng(11);
    const table = new WordTable();
    const oracle = new Map<string, number>();
    for (let turn = 0; turn < 20_000; turn++) {
      const word = Array.from({ length: 1 + rng.below(4) }, () =>
        rng.pick(['a', 'b', 'ß', '中', '/', '\u{1f600}']),
      ).join('');
      const text = `${rng.pick(['', 'ab', '中'])}${word}${rng.pick(['', 'b'])}`;
      const from = text.indexOf(word);
      const to = from + word.length;
      const expected = oracle.get(word) ?? -1;
      expect([turn, word, table.find(text, from, to)]).toEqual([turn, word, expected]);
      if (rng.chance(0.5)) continue;
      if (expected < 0) oracle.set(word, oracle.size);
      expect([turn, word, table.add(text, from, to)]).toEqual([turn, word, oracle.get(word)]);
    }
    expect(table.size).toBe(oracle.size);
    for (const [word, id] of oracle) expect(table.word(id)).toBe(word);
  });

  it('tells words apart however many there are', () => {
    const table = new WordTable();
    const words = Array.from({ length: 5_000 }, (_, i) => `src/file${i}.ts`);
    expect(words.map((word) => table.add(word, 0, word.length))).toEqual(words.map((_, i) => i));
    expect(words.map((word) => table.find(`(${word})`, 1, word.length + 1))).toEqual(words.map((_, i) => i));
    expect([table.word(-1), table.word(5_000)]).toEqual(['', '']);
  });
});
