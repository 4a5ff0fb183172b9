// Places where nothing can be written, made as this machine allows: without rights (not for root), or mounted (root alone).
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A place that holds a library, and the way to undo it. */
export interface Place {
  readonly dir: string;
  undo(): void;
}

const isRoot = process.getuid?.() === 0;

/** Takes the right to write from a folder and what is in it; null if that does not keep this user from writing. */
export function withoutRights(dir: string, names: readonly string[]): Place | null {
  if (isRoot || process.platform === 'win32') return null;
  for (const name of names) chmodSync(join(dir, name), 0o400);
  chmodSync(dir, 0o500);
  return { dir, undo: () => chmodSync(dir, 0o700) };
}

/** The folder as a disk that is mounted read-only; null where this user may not mount. */
export function mountedReadOnly(dir: string): Place | null {
  const place = `${dir} mounted`;
  mkdirSync(place);
  if (!didRun('mount', '--bind', dir, place)) return null;
  const undo = (): void => void didRun('umount', place);
  if (didRun('mount', '-o', 'remount,ro,bind', place)) return { dir: place, undo };
  undo();
  return null;
}

/** A small disk, filled by `fill`, and then to its last byte; null where this user may not mount. */
export function fullDisk(place: string, fill: (dir: string) => void): Place | null {
  mkdirSync(place);
  if (!didRun('mount', '-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', place)) return null;
  fill(place);
  for (let bytes = 1 << 20; bytes > 0; bytes >>= 1) {
    while (wrote(join(place, `ballast-${bytes}-${Math.random()}`), bytes));
  }
  return { dir: place, undo: () => void didRun('umount', place) };
}

function wrote(path: string, bytes: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(bytes));
    return true;
  } catch {
    return false;
  }
}

function didRun(command: string, ...args: readonly string[]): boolean {
  if (!isRoot || process.platform !== 'linux') return false;
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
