import { afterAll, expect } from 'vitest';

/** Counts what was tried; each attempt must end contained. What came through is told by name, all at once. */
export interface Tally {
  /** `contained` = the attempt got nothing. */
  tried(attempt: string, contained: boolean): void;
}

/** A tally of one kind of attack, which prints its count when the tests of the file are done. */
export function tally(kind: string): Tally {
  let tried = 0;
  const through: string[] = [];
  afterAll(() => {
    console.log(`${kind}: ${tried} tried, ${tried - through.length} contained`);
    expect(through).toEqual([]);
    expect(tried).toBeGreaterThan(0);
  });
  return {
    tried(attempt, contained) {
      tried++;
      if (!contained) through.push(attempt);
    },
  };
}
