// What Node compiled is run as it is found, without a look at its source. So it is kept where nobody but the user can
// write: never in the shared folder for temporary files, and in no folder that somebody else made.
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

let found: string | null | undefined;

/** The folder for what Node compiled: in the checkout, else in the user's cache; null if neither is the user's own. */
export function compileCacheFolder(): string | null {
  found ??= places().find(makeOwnFolder) ?? null;
  return found;
}

function places(): readonly string[] {
  return [join(import.meta.dirname, '..', '..', '.cache', 'compile'), join(cacheHome(), 'parallax', 'compile')];
}

function cacheHome(): string {
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches');
  if (process.platform === 'win32') return process.env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local');
  return process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
}

/**
 * Makes a folder that only this user can enter. False if it cannot be made, or could be changed by somebody else: it, or a
 * folder above it, belongs to another user (root aside) or is open for others to write.
 */
export function makeOwnFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const user = process.getuid?.();
    if (user === undefined) return true; // Windows: a user's folders are the user's
    const stats = lstatSync(path);
    if (!stats.isDirectory() || stats.uid !== user || (stats.mode & OTHERS_WRITE) !== 0) return false;
    if (!isSafe(dirname(path), user)) return false;
    chmodSync(path, 0o700);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false; // what the system refuses is not to be had
    throw error;
  }
}

/** Whether what lies in a folder can be moved away by nobody but `user` and root, all the way up. */
function isSafe(path: string, user: number): boolean {
  const { uid, mode } = lstatSync(path);
  const isOurs = uid === user || uid === 0;
  const isClosed = (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0;
  if (!isOurs || !isClosed) return false;
  return dirname(path) === path || isSafe(dirname(path), user);
}
