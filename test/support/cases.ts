// How much of the same a law goes through. What differs in kind (stages, presets, formats, shapes) is always all there; of
// random cases of one kind a unit run takes a part, and PARALLAX_CASES=full as many as there were when the law was written.

/** Whether all cases are gone through. */
export const ALL_CASES = process.env.PARALLAX_CASES === 'full';

/** `all` of them, or in a unit run `some`. */
export function cases(all: number, some: number): number {
  return ALL_CASES ? all : some;
}
