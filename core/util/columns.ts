// browser-safe
// Records that are alike as columns. Thousands of points of a chart name the same members thousands of times in JSON, which
// takes longer to write and to read than all their figures; as columns each member is named once. What is packed is JSON,
// and is unpacked to what JSON would have brought over.

/** Values of one kind as one value of JSON, and back. What is unpacked was packed by the same version of the program. */
export interface Column<T> {
  pack(values: readonly T[]): unknown;
  /** `count` = how many values were packed. */
  unpack(packed: unknown, count: number): readonly T[];
}

/** Values without an `undefined` among them, one after the other; one that all share is written once. */
export function plain<T>(): Column<T> {
  return {
    pack: (values) => (isOneValue(values) ? { all: values[0] } : values),
    unpack: (packed, count) =>
      Array.isArray(packed) ? packed : new Array<T>(count).fill((packed as { readonly all: T }).all),
  };
}

// Objects that are the same one would be shared by those who unpack them.
function isOneValue(values: readonly unknown[]): boolean {
  const [first] = values;
  return typeof first !== 'object' && values.length > 1 && values.every((value) => value === first);
}

/** Lists of numbers, mostly of as many each. */
export function lists(): Column<readonly number[]> {
  return {
    pack: (values) => {
      const width = values[0]?.length ?? 0;
      return values.every(({ length }) => length === width) ? { width, values: values.flat() } : values;
    },
    unpack: (packed, count) => {
      if (Array.isArray(packed)) return packed;
      const { width, values } = packed as { readonly width: number; readonly values: readonly number[] };
      return Array.from({ length: count }, (_, at) => values.slice(at * width, (at + 1) * width));
    },
  };
}

/** Values of which some are null. */
export function nullable<T>(column: Column<T>): Column<T | null> {
  return sparse<T, null>(column, null);
}

/** Values of which some are absent. */
export function optional<T>(column: Column<T>): Column<T | undefined> {
  return sparse<T, undefined>(column, undefined);
}

/** Packed: the lengths of the runs of values and of what is none, in turn, and the values that are left. */
interface Sparse {
  readonly runs: readonly number[];
  readonly values: unknown;
}

function sparse<T, N extends null | undefined>(column: Column<T>, none: N): Column<T | N> {
  return {
    pack: (values): Sparse => {
      let nones = 0;
      for (const value of values) if (value === none) nones++;
      if (nones === values.length) return { runs: [0, nones], values: 0 };
      if (nones === 0) return { runs: [values.length], values: column.pack(values as readonly T[]) };
      const left = values.filter((value): value is T => value !== none);
      return { runs: runsOf(values, none), values: column.pack(left) };
    },
    unpack: (packed, count) => {
      const { runs, values } = packed as Sparse;
      const left = runs.reduce((sum, run, nth) => (nth % 2 === 0 ? sum + run : sum), 0);
      const all = new Array<T | N>(count).fill(none);
      if (left === 0) return all;
      const there = column.unpack(values, left);
      if (left === count) return there;
      let [at, next] = [0, 0];
      for (const [nth, run] of runs.entries()) {
        if (nth % 2 === 0) for (let i = 0; i < run; i++) all[at + i] = there[next++]!;
        at += run;
      }
      return all;
    },
  };
}

// Begins with values: the first run may be 0.
function runsOf(values: readonly unknown[], none: null | undefined): readonly number[] {
  const runs: number[] = [];
  let [run, isNone] = [0, false];
  for (const value of values) {
    if ((value === none) !== isNone) {
      runs.push(run);
      [run, isNone] = [0, !isNone];
    }
    run++;
  }
  runs.push(run);
  return runs;
}

/** A column for each member; those that may be absent are `optional`. */
type Members<T> = { readonly [K in keyof T]-?: Column<T[K]> };

/** Records, member by member. */
export function records<T extends object>(members: Members<T>): Column<T> {
  const names = Object.keys(members) as (keyof T)[];
  return {
    pack: (values) => {
      const packed: Partial<Record<keyof T, unknown>> = {};
      for (const name of names) {
        const column = new Array<T[typeof name]>(values.length);
        for (let at = 0; at < values.length; at++) column[at] = values[at]![name];
        packed[name] = members[name].pack(column);
      }
      return packed;
    },
    unpack: (packed, count) => {
      const made = Array.from({ length: count }, () => ({}) as { -readonly [K in keyof T]: T[K] });
      for (const name of names) {
        const values = members[name].unpack((packed as { readonly [K in keyof T]: unknown })[name], count);
        for (let at = 0; at < count; at++) {
          const value = values[at];
          if (value !== undefined) made[at]![name] = value;
        }
      }
      return made;
    },
  };
}
