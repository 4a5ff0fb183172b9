// Uses are looked for in pieces, so that nobody waits for a long message. What is found does not depend on where a piece ends.
import { describe, expect, it } from 'vitest';
import { AnchorReader, anchorsOf } from '../../core/insight/anchors/anchors.ts';
import { UseFinder } from '../../core/insight/uses/index.ts';
import { PIECE_CHARS } from '../../core/insight/uses/pace.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const WORDS = [
  ...[
    'the',
    'of',
    'file',
    'A',
    'src/login.ts',
    'C:\\a b\\c.ts',
    'https://example.com/a?b=c',
    '"quoted words"',
    "'it's'",
  ],
  ...[
    '`code',
    'ends`',
    '1,234,567',
    'ECONNREFUSED',
    '--flag=x',
    'camelCase',
    'x'.repeat(400),
    '“wide”',
    '«so»',
    '3.14ms',
  ],
];

const word = (rng: Rng): string => WORDS[rng.below(WORDS.length)] ?? '';
const text = (rng: Rng, words: number): string =>
  Array.from({ length: words }, () => word(rng) + (rng.below(9) === 0 ? '\n' : rng.below(7) === 0 ? '' : ' ')).join('');

describe('a text read in pieces', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed))('has the anchors of the whole: seed %i', (seed) => {
    const rng = seededRng(seed);
    const whole = text(rng, 120);
    const size = 1 + rng.below(60);
    const found = [];
    for (const reader = new AnchorReader(whole); !reader.isDone; ) found.push(...reader.next(size));
    expect(found).toEqual(anchorsOf(whole));
  });

  it('has a quote and a name wherever they stand at the border of two pieces', () => {
    const sentence = 'The harbour master of Zeebrugge signs every bollard before the evening tide';
    const filler = (chars: number): string => 'lorem ipsum dolor sit amet '.repeat(chars / 20).slice(0, chars);
    for (let shift = -sentence.length - 30; shift <= 10; shift += 7) {
      const said = `${filler(PIECE_CHARS + shift)} ${sentence} berth_9917 ${filler(PIECE_CHARS * 2)}`;
      const again = `${filler(PIECE_CHARS / 4 + shift)} ${sentence}, so berth_9917.`;
      const messages = [
        { role: 'user', content: said },
        { role: 'assistant', content: again },
      ];
      const finder = new UseFinder(memorySource(messages.map((message) => JSON.stringify(message))));
      for (const _ of finder.grow());
      const found = finder.usesAt(1).map(({ kind, evidence, sources }) => [kind, evidence.includes(sentence), sources]);
      const from = said.indexOf(sentence);
      const name = said.indexOf('berth_9917');
      expect(found.filter(([, holds]) => holds)).toMatchObject([['quote', true, [{ index: 0, part: 0 }]]]);
      const quote = finder.usesAt(1).find(({ evidence }) => evidence.includes(sentence));
      expect(said.slice(quote?.sources[0]?.from, quote?.sources[0]?.to)).toContain(sentence);
      expect(finder.usesAt(1).find(({ kind }) => kind === 'anchor')).toMatchObject({
        evidence: 'berth_9917',
        sources: [{ index: 0, part: 0, from: name, to: name + 10 }],
      });
      // Whoever asks the texts again finds each where it stands.
      for (const id of finder.evidence.askedOf(0))
        expect(finder.evidence.at(id).places[0]?.from).toBeGreaterThanOrEqual(0);
      expect(from).toBeGreaterThan(0);
    }
  });

  it('says how far it is: from 0 to 1, never back, and less than 1 until it is done', () => {
    const rng = seededRng(11);
    const messages = Array.from({ length: 40 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: text(rng, 300),
    }));
    const finder = new UseFinder(memorySource(messages.map((message) => JSON.stringify(message))));
    const said = [finder.progress];
    for (const _ of finder.grow()) said.push(finder.progress);
    expect(said[0]).toBe(0);
    expect(said.toSorted((a, b) => a - b)).toEqual(said);
    expect(Math.max(...said)).toBeLessThan(1);
    expect(new Set(said).size).toBeGreaterThan(20);
    expect(finder.progress).toBe(1);
  });

  it('pauses often within one long message', () => {
    const rng = seededRng(3);
    const messages = [
      { role: 'user', content: text(rng, 4_000) },
      { role: 'assistant', content: text(rng, 2_000) },
    ];
    const finder = new UseFinder(memorySource(messages.map((message) => JSON.stringify(message))));
    let pauses = 0;
    for (const _ of finder.grow()) pauses++;
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
    // Anchors, grams and the search go through each of them.
    expect(pauses).toBeGreaterThan(characters / 16_000);
  });
});
