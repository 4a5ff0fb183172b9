import { writeWhole } from '../../core/engine/files/writeWhole.ts';
import { inPieces } from '../../core/util/pieces.ts';
import { inputFailure } from './failure.ts';
import { writeErrorText } from './readError.ts';

/** Writes texts in a row to a file, see {@link writeWhole}. Bytes written. */
export async function writeChunks(path: string, chunks: Iterable<string>, what: string): Promise<number> {
  try {
    return await writeWhole(path, inPieces(chunks));
  } catch (error) {
    throw inputFailure(`${what} cannot be written: ${writeErrorText(path, error)}`, 'output.unwritable');
  }
}
