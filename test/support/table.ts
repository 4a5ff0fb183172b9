/** Rows in columns: the first column to the left, the columns in `left` too, all others to the right. */
export function tableText(rows: readonly (readonly string[])[], left: readonly number[] = [0]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const cell = (text: string, at: number): string =>
    left.includes(at) ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0);
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
}
