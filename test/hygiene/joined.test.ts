// A merged turn says which parts it holds, also where two later turns have the same text.
import { expect, test } from 'vitest';
import { memorySource } from '../../core/model/memorySource.ts';
import { openDrafts } from '../../core/stages/hygiene/index.ts';
import { createMemo } from '../../core/view/memo.ts';

const say = (content: string) => JSON.stringify({ role: 'user', content });
const source = memorySource([say('first'), say('again'), say('again')]);

test('a turn joined to another with the same text as before has the origins of that other', () => {
  const items = [0, 1, 2].map((index) => ({ kind: 'source' as const, index }));
  const [first, second, third] = openDrafts({ items }, source, createMemo());
  if (first === undefined || second === undefined || third === undefined) throw new Error('three messages');
  const join = () => say('first\n\nagain');
  const with2 = first.joinedWith(second, join, () => [[{ message: 1, part: 0 }]]);
  const with3 = first.joinedWith(third, join, () => [[{ message: 2, part: 0 }]]);
  expect([with2?.origins, with3?.origins]).toEqual([[[{ message: 1, part: 0 }]], [[{ message: 2, part: 0 }]]]);
  expect(first.joinedWith(third, join, () => [])).toBe(with3);
});
