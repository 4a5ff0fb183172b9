// Which of two recorded times is earlier. ISO-8601 texts order as texts only where they have one form.

/**
 * Whether the time `a` is before `b`: ISO-8601, with or without fractions and zones. A text that no time can be read
 * from is ordered as a text.
 */
export function isBefore(a: string, b: string): boolean {
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a < b;
  const [first, second] = [Date.parse(a), Date.parse(b)];
  // Fractions below a millisecond are lost by parsing.
  return first === second || Number.isNaN(first) || Number.isNaN(second) ? a < b : first < second;
}

/** The earlier of two recorded times; null = none. */
export function earlier(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && isBefore(b, a)) ? b : a;
}

/** The later of two recorded times; null = none. */
export function later(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && isBefore(a, b)) ? b : a;
}
