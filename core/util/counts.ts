// How whole numbers are written in words: everywhere the same, in core, on screen and on the command line.

/** A whole number with its thousands set off: `52,310`. The same on every machine, unlike toLocaleString. */
export function grouped(value: number): string {
  const digits = String(value);
  if (digits.length <= 3) return digits;
  // Sentences of every result of a long session hold such numbers: six digits are what most have at most.
  if (value >= 1_000 && value < 1_000_000 && Number.isInteger(value))
    return `${digits.slice(0, -3)},${digits.slice(-3)}`;
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 message`, `1,204 messages`: the plural is the singular with an s. */
export function countOf(value: number, singular: string): string {
  return `${grouped(value)} ${singular}${value === 1 ? '' : 's'}`;
}
