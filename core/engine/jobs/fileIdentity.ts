import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/** Bytes read at once. */
export const CHUNK_BYTES = 1024 * 1024;
/** Up to this size a file is hashed before it is read in, so that a known one is answered at once. */
export const HASH_FIRST_BYTES = 64 * 1024 * 1024;
const PROBE_BYTES = 8 * 1024 * 1024;

/** The file became shorter, or was rewritten, while it was read. */
export class FileChangedError extends Error {}

/**
 * Chunks of the first `size` bytes in order, each the reader's to keep. Lets other work through between
 * chunks. Throws the signal's reason when aborted, FileChangedError if the file ends early.
 */
export async function* chunks(file: FileHandle, from: number, size: number, signal: AbortSignal) {
  // Plain bytes, not a Buffer: whoever keeps a part copies it with slice(), which a Buffer's does not do.
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(1, size - from)));
  let at = from;
  while (at < size) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at);
    await setImmediate();
    signal.throwIfAborted();
    if (bytesRead === 0) throw new FileChangedError('the file became shorter while it was read');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** SHA-256 of the first `size` bytes. */
export async function hashFile(file: FileHandle, size: number, signal: AbortSignal): Promise<Buffer> {
  const sha = createHash('sha256');
  for await (const chunk of chunks(file, 0, size, signal)) sha.update(chunk);
  return sha.digest();
}

/** What identifies the file's content before it is read in; `whole` = it is the SHA-256 of all bytes. */
export async function probeFile(
  file: FileHandle,
  size: number,
  signal: AbortSignal,
): Promise<{ readonly probe: Buffer; readonly whole: boolean }> {
  if (size <= HASH_FIRST_BYTES) return { probe: await hashFile(file, size, signal), whole: true };
  const sha = createHash('sha256').update(`head and tail of ${size} bytes\n`);
  for await (const chunk of chunks(file, 0, PROBE_BYTES, signal)) sha.update(chunk);
  for await (const chunk of chunks(file, size - PROBE_BYTES, size, signal)) sha.update(chunk);
  return { probe: sha.digest(), whole: false };
}
