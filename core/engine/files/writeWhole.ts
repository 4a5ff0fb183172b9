// A file is written under another name until it is whole: half of it is worse than none. What is not a regular file (a device,
// a pipe) cannot be replaced by one, and is written to as it is.
import { randomBytes } from 'node:crypto';
import { constants, createWriteStream, type Stats, type WriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes texts in a row to a file. The bytes written. Throws what the system says; the file is then as it was. */
export async function writeWhole(path: string, texts: Iterable<string> | AsyncIterable<string>): Promise<number> {
  const source = Readable.from(texts);
  const descriptor = descriptorOf(path);
  if (descriptor !== null) return writeTo(descriptor, source);
  const there = await statOf(path);
  if (there?.isDirectory()) throw systemError('EISDIR', 'it is a folder');
  return there === null || there.isFile() ? replace(path, source) : writeThrough(path, there, source);
}

/** Nobody can know the name beforehand, nor put a link there: it must be new. */
async function replace(path: string, source: Readable): Promise<number> {
  const partial = `${path}.partial-${randomBytes(8).toString('hex')}`;
  const out = createWriteStream(partial, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(source, out);
    await rename(partial, path);
    return out.bytesWritten;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeThrough(path: string, there: Stats, source: Readable): Promise<number> {
  // Without a reader a pipe would be waited for. One that is there stays while this end is open.
  await using reader = there.isFIFO() ? await reach(path) : null;
  const file = await open(path, constants.O_WRONLY);
  await reader?.close();
  return pipedInto(file.createWriteStream(), source);
}

async function reach(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    throw code === 'ENXIO' ? systemError('ENXIO', 'it is a pipe that nobody reads') : error;
  }
}

/** `/dev/stdout` and the like are this process's own: opened again, a file behind them would be written over. */
function descriptorOf(path: string): number | null {
  if (path === '/dev/stdout') return 1;
  if (path === '/dev/stderr') return 2;
  const found = /^\/(?:dev\/fd|proc\/self\/fd)\/(\d+)$/.exec(path)?.[1];
  return found === undefined ? null : Number(found);
}

function writeTo(fd: number, source: Readable): Promise<number> {
  return pipedInto(createWriteStream('', { fd, autoClose: false }), source);
}

async function pipedInto(out: WriteStream, source: Readable): Promise<number> {
  await pipeline(source, out);
  return out.bytesWritten;
}

async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: 'open' });
}
