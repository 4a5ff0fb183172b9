// Secrets planted at random places of real sessions: none is left in what is written, however it is decoded. A few files of each run;
// `npm run scrub:planted -- --count 10000 --seed N` takes all.
import { statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRng } from '../../core/util/rng.ts';
import { plantFile, templatesOf } from '../support/plantedFile.ts';
import { decodings, leftOf, plantIn } from '../support/plantedSecrets.ts';
import { filesBelow, sharedDir } from '../support/shared.ts';

const SEED = 11;
const FILES = 40;
const EACH = 10;
const dir = sharedDir();

describe.skipIf(dir === null)('planted secrets', () => {
  test(`none is left (seed ${SEED})`, { timeout: 300_000 }, async () => {
    const shared = dir ?? '';
    const rng = seededRng(SEED);
    const templates = templatesOf(shared);
    const small = filesBelow(`${shared}/corpus`).filter((file) => statSync(file).size < 1_000_000);
    let planted = 0;
    for (const file of rng.shuffle(small).slice(0, FILES)) {
      const made = await plantFile(file, EACH, templates, rng);
      expect(made?.stopped ?? null, file).toBe(null);
      expect(made?.left ?? [], file).toEqual([]);
      planted += made?.planted.length ?? 0;
    }
    expect(planted).toBeGreaterThan(FILES * EACH * 0.6);
  });
});

test('what is planted is read again, at whatever depth, and counts as left if nobody masks it', () => {
  const rng = seededRng(3);
  const inner = JSON.stringify({ stdout: 'one two three four five six', more: { text: 'seven eight nine' } });
  const texts = [
    JSON.stringify({ role: 'user', content: 'here are a few words to put it between' }),
    JSON.stringify({ role: 'tool', content: JSON.stringify({ result: inner }) }),
  ];
  const messages = texts.map((text) => ({ text, meta: {}, origins: [] }));
  const transcript = {
    key: 't',
    meta: { format: 'test' },
    messages,
    events: [],
    compactions: [],
    compactionTimes: [],
    spawns: [],
  };
  const made = plantIn(transcript, 2, 6, ['ghp_{AN36}', '{"apiKey": "{AN40}"}'], rng);
  expect(made.planted).toHaveLength(6);
  expect(new Set(made.planted.map(({ depth }) => depth))).toEqual(new Set([1, 3]));
  const written = made.transcript.messages.map(({ text }) => text).join('');
  for (const { text } of made.transcript.messages) expect(() => JSON.parse(text)).not.toThrow();
  expect(leftOf(made.planted, decodings(written))).toEqual(made.planted);
  expect(leftOf(made.planted, decodings(texts.join('')))).toEqual([]);
});
