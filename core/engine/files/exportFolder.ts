// The library's folder of exports, from which the web host serves them as downloads.
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProtocolError } from '../../protocol/methods.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { failure } from '../engine.ts';
import { fileFailure, writeChunks } from './writeFile.ts';

/** Of one name: somebody who exports more often does not look for them by name. */
const MOST_OF_A_NAME = 1000;

/**
 * Writes texts in a row to `path`, or (null) into the folder of exports under `nameOf(n)` for the first n that is free:
 * nothing that was exported before is written over. Error: `export.not_written`.
 */
export async function writeExport(
  dir: string,
  path: string | null,
  nameOf: (nth: number) => string,
  chunks: Iterable<string>,
): Promise<Result<{ readonly path: string; readonly bytes: number }, ProtocolError>> {
  if (path !== null) return writeChunks(path, chunks);
  const place = await reserve(join(dir, 'exports'), nameOf);
  if (!place.ok) return place;
  const written = await writeChunks(place.value, chunks);
  if (!written.ok) await rm(place.value, { force: true });
  return written;
}

async function reserve(folder: string, nameOf: (nth: number) => string): Promise<Result<string, ProtocolError>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let nth = 1; nth <= MOST_OF_A_NAME; nth++) {
      const path = join(folder, nameOf(nth));
      if (await isMadeNow(path)) return ok(path);
    }
    return err(failure('export.not_written', `${folder} holds ${MOST_OF_A_NAME} exports of this name: remove some.`));
  } catch (error) {
    return fileFailure('export.not_written', folder, error);
  }
}

async function isMadeNow(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
