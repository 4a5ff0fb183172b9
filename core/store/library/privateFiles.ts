// Transcripts hold source code and keys, and the tools that write them keep them to their user: so does a library,
// however it was made. On Windows the folders of a user are the user's alone already.
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** Name of the one file of a library. */
export const LIBRARY_FILE = 'library.sqlite';

const DATABASE_FILES = [LIBRARY_FILE, `${LIBRARY_FILE}-wal`, `${LIBRARY_FILE}-shm`, `${LIBRARY_FILE}-journal`];
const FOLDERS = ['exports', 'uploads', 'sample'];
/** What the web host gives a browser to open. */
const OPENING = /^open-[\w-]+\.html$/;
const OTHERS = 0o077;

/**
 * Makes the folder of a library and its file readable and writable by their owner alone; what an earlier version, or a
 * copy, left open to others is closed. A folder that holds more than a library is left as it is, the files in it are not.
 */
export function makePrivateLibrary(dir: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  // SQLite gives its journals the mode of the file they belong to.
  const file = join(dir, LIBRARY_FILE);
  if (statOf(file) === null) closeSync(openSync(file, 'a', 0o600));
  for (const name of DATABASE_FILES) close(join(dir, name), 0o600);
  for (const name of FOLDERS) close(join(dir, name), 0o700);
  if (isOpen(statOf(dir)) && holdsOnlyALibrary(dir)) close(dir, 0o700);
}

function close(path: string, mode: number): void {
  if (isOpen(statOf(path))) chmodSync(path, mode);
}

/** Open to others, and one's own to close: what belongs to somebody else, or is a link, is left alone. */
function isOpen(stats: Stats | null): boolean {
  const user = process.getuid?.();
  if (stats === null || user === undefined || stats.uid !== user) return false;
  return (stats.isFile() || stats.isDirectory()) && (stats.mode & OTHERS) !== 0;
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function holdsOnlyALibrary(dir: string): boolean {
  const names = readdirSync(dir);
  return names.every((name) => DATABASE_FILES.includes(name) || FOLDERS.includes(name) || OPENING.test(name));
}
