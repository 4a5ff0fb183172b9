const COLORS = ['--accent', '--cat-image', '--ok', '--warn', '--cat-system', '--danger'] as const;

/** The CSS colour of a named colour's number. */
export function filterColor(color: number): string {
  return `var(${COLORS[color % COLORS.length] ?? COLORS[0]})`;
}
