import { describe, expect, test } from 'vitest';
import { cl100kPieceEnd, o200kPieceEnd, type PieceEnd, safeCut } from '../../core/tokens/split.ts';
import { ALPHABETS, ENCODINGS, type EncodingId, RANKS, randomText, seeded } from './oracle.ts';

const PIECE_END: Readonly<Record<EncodingId, PieceEnd>> = { o200k_base: o200kPieceEnd, cl100k_base: cl100kPieceEnd };
const encoder = new TextEncoder();

/** Byte offsets at which pieces end. */
function ours(id: EncodingId, text: string): number[] {
  const bytes = encoder.encode(text);
  const ends: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    at = PIECE_END[id](bytes, at, bytes.length);
    ends.push(at);
  }
  return ends;
}

function theirs(id: EncodingId, text: string): number[] {
  let at = 0;
  return [...text.matchAll(new RegExp(RANKS[id].pat_str, 'ug'))].map((match) => {
    at += encoder.encode(match[0]).length;
    return at;
  });
}

describe.each(ENCODINGS)('the splitter of %s', (id) => {
  test.each(Object.entries(ALPHABETS))('ends pieces where the pattern does: %s', (name, alphabet) => {
    for (let seed = 1; seed <= 2000; seed++) {
      const text = randomText(seeded(seed), alphabet, 24);
      expect(ours(id, text), `alphabet ${name}, seed ${seed}, ${JSON.stringify(text)}`).toEqual(theirs(id, text));
    }
  });

  test('every short text over one character of each kind', () => {
    const kinds = ['a', 'A', '日', '\u0301', '1', ' ', '\n', '!', "'", 's', '/', '\ud800'];
    let texts = [''];
    for (let length = 1; length <= 4; length++) {
      texts = texts.flatMap((text) => kinds.map((kind) => text + kind));
      for (const text of texts) {
        const [got, want] = [ours(id, text), theirs(id, text)];
        if (got.join() !== want.join()) throw new Error(`${JSON.stringify(text)}: ${got} for ${want}`);
      }
    }
    expect(texts.length).toBe(kinds.length ** 4);
  });

  test('every code point has the class the pattern gives it', () => {
    // Beside a letter, a number, a sign and a blank, characters of different classes split differently.
    for (let start = 0; start < 0x110000; start += 0x400) {
      // Planes 4 to 13 are unassigned; one block stands for them.
      if (start > 0x40000 && start < 0xe0000) continue;
      let text = '';
      for (let code = start; code < start + 0x400; code++)
        text += `a${String.fromCodePoint(code)}A!${String.fromCodePoint(code)}`;
      const [got, want] = [ours(id, text), theirs(id, text)];
      if (got.join() !== want.join()) throw new Error(`class differs within U+${start.toString(16)}`);
    }
  });

  test('looks at each byte a bounded number of times, whatever the run', () => {
    const runs = ['a', 'A', '日', '日A', '\u0301', '1', ' ', '\t', '\n', ' \n', '=', '/', "'", "'s", '\r\n ', 'é'];
    for (const run of runs) {
      const bytes = encoder.encode(run.repeat(4000));
      let reads = 0;
      const watched = new Proxy(bytes, {
        get: (target, key) => {
          reads++;
          return Reflect.get(target, key, target);
        },
      });
      for (let at = 0; at < bytes.length; ) at = PIECE_END[id](watched, at, bytes.length);
      expect(reads / bytes.length, JSON.stringify(run)).toBeLessThan(12);
    }
  });
});

describe('safeCut', () => {
  test.each(ENCODINGS)('both sides of a cut split as the whole does: %s', (id) => {
    const alphabet = [...Object.values(ALPHABETS).flat(), ' ', '\n', ' ', 'a', '1'];
    for (let seed = 1; seed <= 3000; seed++) {
      const next = seeded(seed);
      const text = randomText(next, alphabet, 40);
      const cut = safeCut(text, 0, next(text.length + 1));
      expect(cut).toBeLessThanOrEqual(text.length);
      const left = text.slice(0, cut);
      const offset = encoder.encode(left).length;
      const parts = [...ours(id, left), ...ours(id, text.slice(cut)).map((end) => end + offset)];
      expect(parts, `seed ${seed}, cut ${cut}, ${JSON.stringify(text)}`).toEqual(ours(id, text));
    }
  });

  test('cuts before a blank that follows a word, at the target or before it, else after, else at the end', () => {
    expect(safeCut('one two three', 0, 9)).toBe(7);
    expect(safeCut('one two three', 3, 5)).toBe(7);
    expect(safeCut('oneoneone two', 0, 3)).toBe(9);
    expect(safeCut('======   ====', 0, 3)).toBe(13);
    expect(safeCut('one', 0, 9)).toBe(3);
  });
});
