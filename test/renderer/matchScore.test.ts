import { describe, expect, it } from 'vitest';
import { matchScore } from '../../renderer/ui/matchScore.ts';

describe('what fits the text typed into the palette', () => {
  it.each([
    ['hello', 'hello', 1],
    ['hello', 'Hello from a session', 1],
    ['show drawer', 'Show or hide the drawer', 1],
    ['ide draw', 'Show or hide the drawer', 0.75],
    ['hello', 'Show the call point in the panes', 0],
    ['drawer hello', 'Show or hide the drawer', 0],
    ['', 'Anything', 1],
  ])('%j in %j: %d', (typed, entry, score) => {
    expect(matchScore(entry, typed)).toBe(score);
  });
});
