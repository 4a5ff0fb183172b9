// How much of the same a test goes through: the one place that decides where all of it runs and where a part. What differs in
// kind (stages, presets, formats, shapes, screens) is always all there. Of random cases of one kind a run takes a part; of a
// matrix of screens the browser has every one, and the desktop a few that are named. PARALLAX_CASES=full = all of it.

/** Whether all cases are gone through. */
export const ALL_CASES = process.env.PARALLAX_CASES === 'full';

/** `all` of them, or in a usual run `some`. */
export function cases(all: number, some: number): number {
  return ALL_CASES ? all : some;
}

/**
 * Whether something of a matrix is gone through: in the `whole` of it all, elsewhere what is `named`. The page is the same on both
 * hosts, so the browser has the whole; the desktop's few hold its window, and how it serves the page, to the same.
 */
export function isTaken(whole: boolean, name: string, named: readonly string[]): boolean {
  return ALL_CASES || whole || named.includes(name);
}
