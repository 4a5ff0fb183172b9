import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { usageFailure } from './failure.ts';
import { note } from './output.ts';

/** The files of paths: of a folder all regular files in it, however deep, by name. Error: a path is not there. */
export async function filesIn(paths: readonly string[]): Promise<readonly { path: string; isNamed: boolean }[]> {
  const found: { path: string; isNamed: boolean }[] = [];
  for (const path of paths) {
    if (path === '') throw usageFailure('a path is empty: name a file or a folder (`.` is the current one)');
    const isFolder = path !== '-' && (await stat(path).catch(() => null))?.isDirectory() === true;
    if (!isFolder) {
      found.push({ path, isNamed: true });
      continue;
    }
    const entries = await readdir(path, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    if (files.length === 0) note(`${path}: the folder holds no file`);
    for (const file of files.sort()) found.push({ path: file, isNamed: false });
  }
  return found;
}
