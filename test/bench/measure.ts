/** The middle value; of an even number the upper of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share of the values lies (nearest rank). NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Milliseconds of each of up to `rounds` runs after one that is not counted; stops when `budgetMs` is spent. */
export async function timeRuns(rounds: number, budgetMs: number, run: () => unknown): Promise<readonly number[]> {
  const began = performance.now();
  const times: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const start = performance.now();
    await run();
    const end = performance.now();
    // The first run warms up, unless it has taken all the time there is.
    if (round >= 0 || end - began > budgetMs) times.push(end - start);
    if (end - began > budgetMs) break;
  }
  return times;
}
