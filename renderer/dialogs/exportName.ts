/** A file name from the transcript's title and the call point: letters, digits and dashes, at most 60 of the title. */
export function exportName(title: string, at: number): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '');
  return `${words === '' ? 'transcript' : words}-at-${at}.parallax.json`;
}
