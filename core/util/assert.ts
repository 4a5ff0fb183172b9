/** Throws if an invariant of the program is broken: a bug, never a fault of the input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}

/** Ends an exhaustive switch: does not compile while a case is left, throws if outside data slipped past its schema. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${String(value)}`);
}
