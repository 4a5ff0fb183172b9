/** What the user's other programs make files with. */
let usual: number | null = null;

/** From here on what this process writes can be read by its user alone: transcripts hold source code and keys. */
export function keepPrivate(): void {
  usual ??= process.umask(0o077);
}

/** Starts something that makes files of the program itself, which others may read. */
export function asUsual<T>(start: () => T): T {
  if (usual === null) return start();
  const own = process.umask(usual);
  try {
    return start();
  } finally {
    process.umask(own);
  }
}
