// Choosing several lines, by the rules people know from file lists.

/** The keys held while a line was clicked. */
export interface Held {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/**
 * What is chosen after a click with Shift (all from `anchor` to the line) or Ctrl/Cmd (the line more or less); null for
 * a plain click, which chooses nothing.
 */
export function clicked(
  order: readonly string[],
  selected: ReadonlySet<string>,
  anchor: string | null,
  id: string,
  held: Held,
): ReadonlySet<string> | null {
  if (held.shiftKey) return new Set([...(held.ctrlKey || held.metaKey ? selected : []), ...range(order, anchor, id)]);
  if (held.ctrlKey || held.metaKey) return toggled(selected, id);
  return null;
}

/** The line more, or less if it was chosen. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All lines from one to another, in either direction; of an unknown beginning only the other. */
export function range(order: readonly string[], from: string | null, to: string): readonly string[] {
  const [a, b] = [from === null ? -1 : order.indexOf(from), order.indexOf(to)];
  if (b === -1) return [];
  return a === -1 ? [to] : order.slice(Math.min(a, b), Math.max(a, b) + 1);
}
