import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inPieces } from '../../core/util/pieces.ts';
import { inputFailure } from './failure.ts';
import { writeErrorText } from './readError.ts';

/** Writes texts in a row to a file, under another name until it is whole: half of it is worse than none. Bytes written. */
export async function writeChunks(path: string, chunks: Iterable<string>, what: string): Promise<number> {
  const partial = `${path}.partial-${process.pid}`;
  const out = createWriteStream(partial);
  try {
    await pipeline(Readable.from(inPieces(chunks)), out);
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw inputFailure(`${what} cannot be written: ${writeErrorText(path, error)}`, 'output.unwritable');
  }
  return out.bytesWritten;
}
