/** What is copied for a bug report: what failed, where, and the way there. No text of a transcript is added. */
export function failureText(thrown: unknown, where: string, components = ''): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const lines = [
    `Parallax: ${error.name}: ${error.message}`,
    `where: ${where}`,
    `page: ${navigator.userAgent}`,
    error.stack ?? 'no stack',
    ...(components === '' ? [] : [`components:${components}`]),
  ];
  return lines.join('\n');
}

/** Browsers report these as errors although nothing failed: a layout that settles one frame later, an editor's request that was withdrawn. */
export function isHarmless(thrown: unknown, message: string): boolean {
  return /^ResizeObserver loop/.test(message) || (thrown instanceof Error && thrown.name === 'Canceled');
}
