/** Newest version of the transcript value this program reads. */
export const HARN_VERSION = 2;

/** The version as text if it is newer than this program reads, else null; a missing version is the known one. */
export function newerThanKnown(version: unknown): string | null {
  const number = typeof version === 'string' ? Number.parseFloat(version) : version;
  return typeof number === 'number' && number >= HARN_VERSION + 1 ? String(version) : null;
}
