import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ProtocolError } from '../../protocol/methods.ts';
import { inPieces } from '../../util/pieces.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { failure } from '../engine.ts';
import { writeWhole } from './writeWhole.ts';

/** Writes texts in a row to a file, see {@link writeWhole}, and makes its folder. Error: `export.not_written`. */
export async function writeChunks(
  path: string,
  chunks: Iterable<string>,
): Promise<Result<{ readonly path: string; readonly bytes: number }, ProtocolError>> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return ok({ path, bytes: await writeWhole(path, politely(inPieces(chunks))) });
  } catch (error) {
    return fileFailure('export.not_written', path, error);
  }
}

/** Others are answered between the pieces. */
async function* politely(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

/** What the file system refuses is the user's to repair; anything else is a bug. */
export function fileFailure(code: string, path: string, error: unknown): Result<never, ProtocolError> {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
  return err(failure(code, `${path}: ${error.message}`, String(error.code)));
}
