import { expect, test } from 'vitest';
import { readMessage } from '../../core/model/readMessage.ts';
import { FactsUnpacker, packFacts } from '../../core/store/factsCodec.ts';
import { randomTranscript, SHAPES } from '../support/randomTranscript.ts';

test.each(SHAPES)('facts of %s messages come back as they were', (shape) => {
  for (let seed = 1; seed <= 20; seed++) {
    const texts = randomTranscript({ seed, turns: 12, shape, broken: true, signed: true });
    const facts = texts.map((text) => readMessage(JSON.parse(text)));
    expect(new FactsUnpacker().unpack(packFacts(facts)), `seed ${seed}`).toStrictEqual(facts);
  }
});

test('numbers and strings in paths are told apart', () => {
  const part = (path: (string | number)[]) => ({ kind: 'other' as const, category: 'user' as const, path, chars: 1 });
  const facts = [
    { role: '', parts: [part(['a', 0]), part(['a', '0']), part(['a', 0])], signed: false, beginsTurn: true },
  ];
  expect(new FactsUnpacker().unpack(packFacts(facts))).toStrictEqual(facts);
});

test('paths that repeat are one object', () => {
  const facts = readMessage({ role: 'user', content: 'x' });
  const [a, b] = new FactsUnpacker().unpack(packFacts([facts, facts]));
  expect(a!.parts[0]!.path).toBe(b!.parts[0]!.path);
});
