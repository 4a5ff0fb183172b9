// An asset's file beside its transcript: the only files that a transcript can name. Whatever it says, nothing is read
// but regular files in the transcript's own folder.

import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { countOf, grouped } from '../../util/counts.ts';
import { err, ok, type Result } from '../../util/result.ts';

/** Bytes of the largest asset that is read. */
export const MOST_ASSET_BYTES = 64 * 1024 * 1024;

/** Reads a file that a transcript names. `path` is relative to the folder of `transcriptFile`. The error is a sentence's end. */
export async function readAssetFile(
  transcriptFile: string,
  path: string,
  most = MOST_ASSET_BYTES,
): Promise<Result<Uint8Array, string>> {
  const place = await placeOf(transcriptFile, path);
  return place.ok ? readRegular(place.value, path, most) : place;
}

/** Where the file is, links followed; an error if that is not inside the transcript's folder, or nothing is there. */
export async function placeOf(transcriptFile: string, path: string): Promise<Result<string, string>> {
  if (path === '' || path.includes('\0')) return err('its path is not one');
  if (isAbsolute(path) || /^[A-Za-z]:[\\/]|^\\\\/.test(path)) {
    return err(`its path ${path} is absolute; only files in the transcript's folder are opened`);
  }
  try {
    const folder = await realpath(dirname(transcriptFile));
    const file = await realpath(resolve(folder, path));
    if (file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) return ok(file);
    return err(`its path ${path} leads out of the transcript's folder`);
  } catch (error) {
    return err(`${path}: ${reasonOf(error)}`);
  }
}

async function readRegular(file: string, path: string, most: number): Promise<Result<Uint8Array, string>> {
  try {
    // A pipe would be waited for: it is opened without that, and turned away.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = await handle.stat();
    if (!stats.isFile()) return err(`${path} is not a regular file`);
    if (stats.size > most) return err(`${path} has ${countOf(stats.size, 'byte')}; the limit is ${grouped(most)}`);
    const bytes = new Uint8Array(stats.size);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
    return ok(bytes.subarray(0, bytesRead));
  } catch (error) {
    return err(`${path}: ${reasonOf(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file beside the transcript',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission was denied',
  EPERM: 'permission was denied',
  ELOOP: 'its links lead in a circle',
  ENXIO: 'it is not a regular file',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === null) throw error;
  return REASONS[code] ?? `it could not be read (${code})`;
}
