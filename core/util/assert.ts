/** Throws if an invariant of the program is broken: a bug, never a fault of the input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${message}`);
}
