// A slider of 300 px cannot stand on each of 10,000 values, and the small ones matter more. So it moves over marks: every
// whole number where the range is short, else numbers of two digits (1, 2, … 99, 100, 110, … 1,000, 1,100, …).

/** The values a slider stops at, ascending, from `min` to `max`. */
export function sliderMarks(min: number, max: number): readonly number[] {
  if (max - min <= 120) return Array.from({ length: Math.max(1, max - min + 1) }, (_, step) => min + step);
  const marks: number[] = [];
  for (let value = min; value < max; value += stepAt(value)) marks.push(value);
  return [...marks, max];
}

/** Position of the mark nearest to a value; the last for all beyond. */
export function markOf(marks: readonly number[], value: number): number {
  let best = 0;
  for (const [position, mark] of marks.entries()) {
    if (Math.abs(mark - value) <= Math.abs((marks[best] ?? 0) - value)) best = position;
  }
  return best;
}

/** A typed whole number, thousands separators allowed; null if it is none or below `min`. */
export function parseWhole(text: string, min: number): number | null {
  const digits = text.trim().replaceAll(/[,_\s]/g, '');
  if (!/^\d{1,15}$/.test(digits)) return null;
  const value = Number(digits);
  return Number.isSafeInteger(value) && value >= min ? value : null;
}

function stepAt(value: number): number {
  if (value < 20) return 1;
  if (value < 100) return 5;
  return 10 ** (Math.floor(Math.log10(value)) - 1);
}
