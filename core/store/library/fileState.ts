// What can be known of a library's file before SQLite opens it.

import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import type { Problem } from '../../model/problem.ts';
import { grouped } from '../../util/counts.ts';

const HEADER_BYTES = 100;

/** Whether there is a file, and what is known to be wrong with it. */
export type FileState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'there' }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Looks at the file of a library. Throws what the system says if it may not be looked at. */
export function fileState(path: string): FileState {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    const isLink = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    return isLink ? refused(path, 'store.unopenable', `${path} is a link to nothing.`) : { kind: 'missing' };
  }
  if (stats.isDirectory()) {
    return refused(path, 'store.unopenable', `${path} is a folder; a library has a file there. Move the folder away.`);
  }
  if (!stats.isFile()) return refused(path, 'store.unopenable', `${path} is not a regular file.`);
  return cutShort(path, stats) ?? { kind: 'there' };
}

/** SQLite says how many pages the file has; without a write-ahead log they must all be there. https://sqlite.org/fileformat.html */
function cutShort(path: string, { size }: Stats): FileState | null {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (size === 0 || (log !== undefined && log.size > 0)) return null;
  const header = headerOf(path);
  if (header === null || header.toString('latin1', 0, 15) !== 'SQLite format 3') return null;
  const page = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const bytes = page * header.readUInt32BE(28);
  if (size >= bytes) return null;
  const text = `The library file is cut short: ${grouped(size)} of ${grouped(bytes)} bytes are there. Put ${path} aside, take a copy of it from a backup, or import the transcripts again.`;
  return refused(path, 'store.corrupt', text);
}

function headerOf(path: string): Buffer | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    return readSync(file, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : null;
  } finally {
    closeSync(file);
  }
}

/** Why nothing can be written to a library that is there; null if the system would let it be written. */
export function whyUnwritable(dir: string, path: string): Problem | null {
  for (const place of [dir, realpathSync(path)]) {
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code !== 'EROFS' && code !== 'EACCES' && code !== 'EPERM') throw error;
      const why = code === 'EROFS' ? 'its disk is mounted read-only' : 'you may not write there';
      const text = `The library ${dir} can only be read: ${why}.`;
      return { code: 'store.readonly', severity: 'warning', text, where: { file: place } };
    }
  }
  return null;
}

function refused(file: string, code: string, text: string): FileState {
  return { kind: 'refused', problem: { code, severity: 'error', text, where: { file } } };
}
