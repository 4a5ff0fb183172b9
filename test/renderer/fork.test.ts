import { describe, expect, test } from 'vitest';
import { describeFork, forkIndex, forkPlace } from '../../renderer/fork/forkPlace.ts';
import { describeNested } from '../../renderer/library/nested.ts';
import { withUnder } from '../../renderer/state/keepActions.ts';
import { makeSummary as summary } from './support.ts';

describe('where a what-if leaves', () => {
  test.each([
    [3, 'instead', 10, 3],
    [3, 'after', 10, 4],
    [9, 'after', 10, 10],
    [0, 'instead', 10, 0],
    [null, 'after', 10, 10],
  ] as const)('message %s, %s, of %i: %i', (index, side, messages, at) => {
    expect(forkPlace(index, side, messages)).toBe(at);
  });

  test.each([
    [0, 2, 'Begins with no message of this transcript, then yours; the 2 from #0 on stay with the parent.'],
    [1, 2, 'Begins with message #0 of this transcript, then yours; the one from #1 on stay with the parent.'],
    [4, 4, 'Begins with messages #0 – #3 of this transcript, then yours.'],
  ])('at %i of %i, in words', (at, messages, words) => expect(describeFork(at, messages)).toBe(words));

  test('a synthetic message is no place', () => {
    expect(forkIndex({ kind: 'synthetic', key: 's', row: 1 })).toBeNull();
    expect(forkIndex({ kind: 'message', index: 4, part: 1 })).toBe(4);
  });
});

test('what stands under a transcript goes with it, but for what-ifs', () => {
  const list = [
    summary({ id: 'a' }),
    summary({ id: 'b', under: { id: 'a', as: 'branch' } }),
    summary({ id: 'c', under: { id: 'a', as: 'what_if' } }),
    summary({ id: 'd', under: { id: 'b', as: 'agent' } }),
  ];
  expect(withUnder(list, ['a'])).toEqual(['a', 'b', 'd']);
  expect(withUnder(list, ['c'])).toEqual(['c']);
  expect(describeNested(list.slice(1))).toBe('1 other branch, 1 what-if, 1 sub-agent');
});
