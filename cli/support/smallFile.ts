import { closeSync, openSync } from 'node:fs';
import { MOST_BYTES, readAll, readRegular, readRegularSync } from '../../core/engine/files/regularFile.ts';
import { inputFailure } from './failure.ts';
import { readErrorText } from './readError.ts';

/** Of a spec, a mapping, messages to append: what people write. Unit: bytes. */
const SMALL_BYTES = 64 * 1024 * 1024;

/** The text of a spec, a mapping and the like. Fails with what is wrong with the file. */
export function readSmallText(path: string): string {
  try {
    return (isHandedOver(path) ? readDescriptor(path) : readRegularSync(path, SMALL_BYTES)).toString('utf8');
  } catch (error) {
    throw inputFailure(readErrorText(path, error));
  }
}

/** All bytes of a file, or of what the shell handed over (`<(…)`). Throws what the system says. */
export function readWhole(path: string): Promise<Buffer> {
  return isHandedOver(path) ? Promise.resolve(readDescriptor(path, MOST_BYTES)) : readRegular(path);
}

/** A pipe that the shell opened and gives by a name, as in `--spec <(…)`: it is there, with a writer. */
function isHandedOver(path: string): boolean {
  return /^\/(?:dev\/(?:fd\/\d+|stdin)|proc\/self\/fd\/\d+)$/.test(path);
}

function readDescriptor(path: string, most = SMALL_BYTES): Buffer {
  const file = openSync(path, 'r');
  try {
    return readAll(file, most);
  } finally {
    closeSync(file);
  }
}
