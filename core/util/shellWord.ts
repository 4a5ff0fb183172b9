// browser-safe
/**
 * A path as one word of a command line: as it is where nothing in it means anything to a shell, else in quotes; control
 * characters by their codes (`$'a\u001bb'`).
 */
export function shellWord(path: string, shell: 'posix' | 'windows' = 'posix'): string {
  if (shell === 'windows') return /^[\p{L}\p{M}\p{N}\\/:._-]+$/u.test(path) ? path : `"${path}"`;
  if (/\p{Cc}/u.test(path)) return `$'${path.replace(/['\\\p{Cc}]/gu, codeInShell)}'`;
  return /^[\p{L}\p{M}\p{N}/:._+@-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function codeInShell(char: string): string {
  if (char === "'" || char === '\\') return `\\${char}`;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
