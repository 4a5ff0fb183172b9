import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type EncodingCounter, loadEncoding } from '../../core/tokens/counters.ts';
import { corpusFiles, sharedDir } from '../support/shared.ts';
import { ALPHABETS, ENCODINGS, type EncodingId, oracle, randomText, seeded } from './oracle.ts';

const counters = new Map<EncodingId, { ours: EncodingCounter; theirs: (text: string) => number }>();
for (const id of ENCODINGS) counters.set(id, { ours: await loadEncoding(id), theirs: oracle(id) });

function expectEqual(id: EncodingId, text: string, replay: string): void {
  const pair = counters.get(id);
  if (!pair) throw new Error(id);
  const want = pair.theirs(text);
  const got = pair.ours.count(text);
  if (got !== want) throw new Error(`${id}: ${got} for ${want}; ${replay}; text ${JSON.stringify(text)}`);
}

const TABLE: readonly string[] = [
  '',
  ' ',
  'a',
  'hello world',
  'The quick brown fox jumps over the lazy dog.',
  "I'll've DON'T we'RE they'd 's S'S 'llama 'LL 'Ve x'",
  "can't won’t O'ſ 'K",
  '12 345 6789 1234567890 ١٢٣٤ ⅧⅨ ½²',
  'function f(x) {\n  return x ** 2; // square\n}\n\n\n',
  '\tif (a && !b)\r\n\t\treturn;\r\n\r\n',
  '{"role":"user","content":[{"type":"text","text":"a\\nb"}]}',
  'path/to/file.ts://///\n\n//\r\n/',
  '   leading and trailing   ',
  'a  b   c    d\n \n  \n e',
  ' \n \n\t\u00a0\u2003 \ufeffx\u2028y',
  'camelCaseHTTPServer XMLHttpRequest ÀÉÎ naïve Straße ǅungla',
  '日ABC ABC日AB 日本語テキスト、ひらがな。',
  '你好，世界！这是一个测试。',
  '한국어 문장입니다. ภาษาไทยไม่มีช่องว่าง العربية עברית हिन्दी',
  '👩‍👩‍👧‍👦 👍🏽 🇩🇪 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\ud800',
  'x\udc00y\ud83dz\ude00',
  '\ud83d\ud83d\ude00\ude00',
  'e\u0301\u0301A\u0301B !\u0301a !!\u0301\u0301a\u0301B \u0301 \u0301ABC \u0301\u0301ABC',
  '\u0301\u0301\u0301',
  '\u0000\u0001\u001b[31mred\u001b[0m\u007f\u0085',
  '<|endoftext|> <|endofprompt|><|fim_prefix|>',
  '========== ---------- ########## __________ ..........',
  'ZGF0YTppbWFnZS9wbmc7YmFzZTY0LGlWQk9SdzBLR2dvQUFBQU5TVWhFVWdBQQ==',
  'deadbeef0123456789abcdefDEADBEEF',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(65),
  'b'.repeat(500),
  '='.repeat(129),
  ' '.repeat(400),
  `${' '.repeat(131)}x`,
  '\n'.repeat(300),
  `${' \n'.repeat(100)} x`,
  'Aa'.repeat(200),
  '的'.repeat(150),
  '不知道的世界'.repeat(40),
  'ＡＢＣａｂｃ１２３',
];

describe.each(ENCODINGS)('%s', (id) => {
  test.each(TABLE)('counts %j as js-tiktoken does', (text) => {
    expect(counters.get(id)?.ours.count(text)).toBe(counters.get(id)?.theirs(text));
  });

  test.each(Object.entries(ALPHABETS))('random text of %s', (name, alphabet) => {
    for (let seed = 1; seed <= 400; seed++) {
      const text = randomText(seeded(seed), alphabet, 60);
      expectEqual(id, text, `alphabet ${name}, seed ${seed}`);
    }
  });

  test('random text of all alphabets together', () => {
    const all = Object.values(ALPHABETS).flat();
    for (let seed = 1; seed <= 1500; seed++) expectEqual(id, randomText(seeded(seed), all, 50), `all, seed ${seed}`);
  });

  test('random long pieces, merged in buckets', () => {
    const letters = [...'aabbeeiinnrrsstthe'];
    for (let seed = 1; seed <= 60; seed++) {
      const next = seeded(seed);
      const alphabet = [letters, ['=', '-', '/', '*'], ['的', '是', '不', '了', '人'], [' ', '\t']][seed % 4] ?? [];
      let text = randomText(next, alphabet, 300);
      for (let run = next(4); run > 0; run--) text += (alphabet[next(alphabet.length)] ?? '').repeat(next(120));
      expectEqual(id, text, `long, seed ${seed}`);
    }
  });

  test('texts longer than a chunk count as the whole', () => {
    const next = seeded(7);
    const words = ['alpha', ' beta', '\n', ' 42', "'s", ' ', '  ', '日本', '/', '\r\n', '!'];
    for (let round = 0; round < 6; round++) {
      let text = '';
      while (text.length < 40_000) text += words[next(words.length)] ?? '';
      expectEqual(id, text, `chunks, round ${round}`);
    }
  });

  test.skipIf(sharedDir() === null)('slices of recorded transcripts (skipped where there is no corpus)', () => {
    const files = ['claude-code', 'codex', 'gemini-cli', 'langfuse'].flatMap((format) =>
      corpusFiles(format).slice(0, 5),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const [n, file] of files.entries()) {
      const text = readFileSync(file, 'utf8');
      const from = seeded(n + 1)(Math.max(1, text.length - 12_000));
      // Base64 runs are slow in the oracle, so the slice is cut into lines of bounded length.
      const slice = text.slice(from, from + 12_000);
      for (let at = 0; at < slice.length; at += 3_000) {
        expectEqual(id, slice.slice(at, at + 3_000), `${file} at ${from + at}`);
      }
    }
  });
});
