// The values of a number at which a policy decides otherwise somewhere in a session. Nothing is known of the stage: values
// are tried, and their requests compared. Between two values that give the same nothing is looked for, so a stage
// that takes less and then more again may have others; each value that is given was tried, and so was the one before it.

/** What is asked for: values, answered with a text for each: the same text, the same requests; null = it is not accepted. */
export type CriticalSteps = Generator<readonly number[], readonly number[], readonly (string | null)[]>;

/** The range that is looked through. */
export interface CriticalRange {
  readonly least: number;
  /** Between two values. */
  readonly step: number;
  /** Values that are given at most; where there are more, those between are spread over the range. */
  readonly most: number;
}

/** Steps are doubled so often at most. */
const DOUBLINGS = 30;

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Gives the least value, and those at which something changes against the value one step below; ascending. */
export function* criticalValues({ least, step, most }: CriticalRange): CriticalSteps {
  const known = new Map<number, string | null>();
  // In whole steps, so that decimals do not drift.
  const valueAt = (at: number): number => Number((least + at * step).toPrecision(12));
  const ask = function* (places: readonly number[]): Generator<readonly number[], void, readonly (string | null)[]> {
    const unknown = [...new Set(places)].filter((at) => !known.has(at));
    if (unknown.length === 0) return;
    const answers = yield unknown.map(valueAt);
    for (const [at, place] of unknown.entries()) known.set(place, answers[at] ?? null);
  };
  const differs = ({ from, to }: Interval): boolean => known.get(from) !== known.get(to);
  const scale = [0, ...Array.from({ length: DOUBLINGS + 1 }, (_, at) => 2 ** at)];
  yield* ask(scale);
  let open = spread(pairs(scale).filter(differs), most);
  for (;;) {
    const wide = open.filter(({ from, to }) => to - from > 1);
    if (wide.length === 0) break;
    yield* ask(wide.map(middleOf));
    const halves = open.flatMap((interval) => {
      if (interval.to - interval.from <= 1) return [[interval]];
      const middle = middleOf(interval);
      const both = [
        { from: interval.from, to: middle },
        { from: middle, to: interval.to },
      ];
      return [both.filter(differs)];
    });
    open = narrowed(halves, most);
  }
  // What is not accepted was looked towards, for the values before it.
  return [0, ...open.map(({ to }) => to)].filter((at) => known.get(at) !== null).map(valueAt);
}

function middleOf({ from, to }: Interval): number {
  return Math.floor((from + to) / 2);
}

function pairs(scale: readonly number[]): readonly Interval[] {
  return scale.slice(1).map((to, at) => ({ from: scale[at] ?? 0, to }));
}

// Both halves of an interval as long as there is room for them, then the first of each.
function narrowed(halves: readonly (readonly Interval[])[], most: number): readonly Interval[] {
  let room = most - halves.length;
  return halves.flatMap((own) => {
    if (own.length < 2) return own;
    room--;
    return room >= 0 ? own : own.slice(0, 1);
  });
}

function spread(intervals: readonly Interval[], most: number): readonly Interval[] {
  if (intervals.length <= most) return intervals;
  return intervals.filter(
    (_, at) => Math.floor((at * most) / intervals.length) !== Math.floor(((at - 1) * most) / intervals.length),
  );
}
