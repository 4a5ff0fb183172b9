/** The colour of a tag. */
export function TagDot({ color, title }: { readonly color: number; readonly title?: string }) {
  return <i className="tag-dot" style={{ background: tagColor(color) }} title={title} aria-hidden />;
}

const COLORS = [
  '--cat-user',
  '--cat-assistant',
  '--cat-tool-result',
  '--cat-system',
  '--cat-image',
  '--cat-thinking',
  '--ok',
  '--danger',
] as const;

/** The CSS colour of a tag's number. */
export function tagColor(color: number): string {
  return `var(${COLORS[color % COLORS.length] ?? COLORS[0]})`;
}
