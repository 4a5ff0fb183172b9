import { expect, test } from 'vitest';
import {
  addTallies,
  addTokens,
  CATEGORIES,
  categoryIndex,
  emptyTally,
  tallyOf,
  tallyTotal,
  tokensOf,
} from '../../core/tokens/categories.ts';

test('slots follow the fixed order', () => {
  expect(CATEGORIES).toEqual(['system', 'user', 'assistant', 'thinking', 'tool_call', 'tool_result', 'image']);
  expect(CATEGORIES.map(categoryIndex)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('tallies add up and are not changed', () => {
  const one = tallyOf({ user: 3, image: 10 });
  const two = addTokens(one, 'tool_result', 4);
  expect(one).toEqual([0, 3, 0, 0, 0, 0, 10]);
  expect(two).toEqual([0, 3, 0, 0, 0, 4, 10]);
  expect(addTallies(one, two, emptyTally())).toEqual([0, 6, 0, 0, 0, 4, 20]);
  expect(addTallies()).toEqual(emptyTally());
  expect(tallyTotal(two)).toBe(17);
  expect(tokensOf(two, 'tool_result')).toBe(4);
});
