// browser-safe
// Pieces of a filter as text, without its fields: what a click on a value offers.

/** A value as a filter has it: in quotes where it would be read as something else. */
export function valueText(value: string): string {
  return /^[^\s"()*]+$/.test(value) ? value : `"${value}"`;
}

/** A value of a field as a filter, as a click on it offers it. A filter cannot hold a quotation mark. */
export function valueFilter(field: string, value: string): string {
  return `${field}:${valueText(value.replaceAll('"', ''))}`;
}

/** Puts a piece behind a filter: both have to hold. What is there already is not said twice. */
export function withPiece(filter: string, piece: string): string {
  const trimmed = filter.trim();
  if (trimmed === '') return piece;
  return trimmed.split(/\s+/).includes(piece) ? trimmed : `${trimmed} ${piece}`;
}
