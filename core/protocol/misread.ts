// browser-safe

const CODES: ReadonlySet<string> = new Set(['import.no_messages', 'import.mostly_events', 'import.unknown_blocks']);

/** True for the code of a warning that a file was imported, and that a mapping may read more of it. */
export function isMisread(code: string): boolean {
  return CODES.has(code);
}
