// browser-safe
/** A path as one word of a command line: as it is where nothing in it means anything to a shell, else in quotes. */
export function shellWord(path: string, shell: 'posix' | 'windows' = 'posix'): string {
  if (shell === 'windows') return /^[\p{L}\p{M}\p{N}\\/:._-]+$/u.test(path) ? path : `"${path}"`;
  return /^[\p{L}\p{M}\p{N}/:._+@-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
