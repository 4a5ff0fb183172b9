import type { ReachedPoint } from '../projection/allCallPoints.ts';
import { mergeFates, UNTOUCHED } from '../view/fates.ts';
import type { Fate } from '../view/types.ts';

/** What became of a source message at a call point reached: the fates of all stages, composed as a projection's. */
export function fateAt(stages: ReachedPoint['stages'], index: number): Fate {
  let fate = UNTOUCHED;
  for (const stage of stages) {
    const own = stage.kind(index) === null ? null : stage.fateOf(index);
    if (own !== null) fate = mergeFates(fate, own);
  }
  return fate;
}
