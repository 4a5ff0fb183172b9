// What a person names may be a pipe that nobody writes to, a device without an end, a socket: reading it would wait, or fill
// the memory. Files are opened without waiting, and only regular ones are read, up to a limit.

import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { grouped } from '../../util/counts.ts';

const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Bytes of the largest file that is read at once: what one array and one text of this machine's JavaScript hold. */
export const MOST_BYTES = 1024 ** 3;

/** What is there is not a file. `code` as the system's errors have one. */
export class OddFileError extends Error {
  override readonly name = 'OddFileError';
  readonly code: 'EISDIR' | 'ENOTREG';

  constructor(kind: Kind) {
    super(`it is ${kind}, not a file`);
    this.code = kind === 'a folder' ? 'EISDIR' : 'ENOTREG';
  }
}

/** The file is larger than what is read at once. */
export class LargeFileError extends Error {
  override readonly name = 'LargeFileError';
  readonly code = 'EFBIG';

  constructor(most: number) {
    super(`it is larger than ${grouped(most)} bytes, the most that is read at once`);
  }
}

type Kind = 'a folder' | 'a pipe' | 'a socket' | 'a device';

function kindOf(stats: Stats): Kind {
  if (stats.isDirectory()) return 'a folder';
  return stats.isFIFO() ? 'a pipe' : 'a device';
}

/** A socket cannot be opened at all. */
function asOdd(error: unknown): unknown {
  const isSocket = error instanceof Error && 'code' in error && error.code === 'ENXIO';
  return isSocket ? new OddFileError('a socket') : error;
}

/** Opens a regular file for reading. Throws OddFileError for anything else, and what the system says. */
export async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, WITHOUT_WAITING).catch((error: unknown) => {
    throw asOdd(error);
  });
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new OddFileError(kindOf(stats));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** All of a regular file. Throws as {@link openRegular}, and LargeFileError before more than `most` bytes are read. */
export async function readRegular(path: string, most = MOST_BYTES): Promise<Buffer> {
  await using file = await openRegular(path);
  const { size } = await file.stat();
  if (size > most) throw new LargeFileError(most);
  // Some files of the system say that they are empty, and are not.
  const bytes = Buffer.allocUnsafe(size === 0 ? Math.min(most, 64 * 1024) : size);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The same at once, for small files. */
export function readRegularSync(path: string, most: number): Buffer {
  const file = openedSync(path);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new OddFileError(kindOf(stats));
    return readAll(file, most);
  } finally {
    closeSync(file);
  }
}

function openedSync(path: string): number {
  try {
    return openSync(path, WITHOUT_WAITING);
  } catch (error) {
    throw asOdd(error);
  }
}

/** What an open descriptor gives until its end. Throws LargeFileError behind `most` bytes. */
export function readAll(file: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; ; ) {
    const chunk = Buffer.allocUnsafe(64 * 1024);
    const read = readSync(file, chunk, 0, chunk.length, null);
    if (read === 0) return Buffer.concat(chunks);
    length += read;
    if (length > most) throw new LargeFileError(most);
    chunks.push(chunk.subarray(0, read));
  }
}
