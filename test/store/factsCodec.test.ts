import { expect, test } from 'vitest';
import { CATEGORIES } from '../../core/model/category.ts';
import type { MessageFacts } from '../../core/model/message.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import {
  ASSISTANT,
  digestFacts,
  type FactsDigest,
  FactsUnpacker,
  packFacts,
  RESULTS,
  SIGNED_MESSAGE,
  SIZE_BITS,
  TURN,
} from '../../core/store/transcript/factsCodec.ts';
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

test.each(SHAPES)('the digest of %s messages is that of their facts', (shape) => {
  for (let seed = 1; seed <= 20; seed++) {
    const texts = randomTranscript({ seed, turns: 12, shape, broken: true, signed: true });
    const facts = texts.map((text, i) => withMark(readMessage(JSON.parse(text)), (seed + i) % 5));
    const parts = facts.flatMap((one) => one.parts);
    const [roleBytes, partSizes] = [new Uint8Array(facts.length + 1), new Uint32Array(parts.length + 2)];
    const digest: FactsDigest = { roles: roleBytes, sizes: partSizes, cacheMarks: new Map() };
    digestFacts(packFacts(facts), digest, 1, 2);
    const roles = facts.map(
      (one) =>
        (one.role === 'assistant' ? ASSISTANT : 0) |
        (one.beginsTurn ? TURN : 0) |
        (one.signed ? SIGNED_MESSAGE : 0) |
        (one.parts.some(({ kind }) => kind === 'tool_result') ? RESULTS : 0),
    );
    expect([...digest.roles], `seed ${seed}`).toEqual([0, ...roles]);
    const sizes = parts.map(({ category, chars }) => CATEGORIES.indexOf(category) * 2 ** SIZE_BITS + chars);
    expect([...digest.sizes], `seed ${seed}`).toEqual([0, 0, ...sizes]);
    const marks = parts.flatMap(({ cacheMark }, at) => (cacheMark === undefined ? [] : [[at + 2, cacheMark]]));
    expect([...digest.cacheMarks], `seed ${seed}`).toEqual(marks);
    expect(new FactsUnpacker().unpack(packFacts(facts)), `seed ${seed}`).toEqual(facts);
    // What is measured as an image is told by its category.
    for (const { kind, category } of parts) expect(category === 'image').toBe(kind === 'image');
  }
});

/** Every few messages a mark of the prompt cache, of either length. */
function withMark(facts: MessageFacts, draw: number): MessageFacts {
  const last = facts.parts.at(-1);
  if (draw > 1 || last === undefined) return facts;
  return { ...facts, parts: [...facts.parts.slice(0, -1), { ...last, cacheMark: draw === 0 ? '5m' : '1h' }] };
}
