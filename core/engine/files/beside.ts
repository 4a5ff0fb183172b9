// A file that belongs to another: it lies in the same folder, and its name is made of the other's.
import { basename, dirname, join } from 'node:path';
import { err, ok, type Result } from '../../util/result.ts';
import { LargeFileError, OddFileError, readRegular } from './regularFile.ts';

/** Reads the file of that name beside another; null = there is none. The error is a sentence's end. */
export async function readBeside(path: string, name: string, most: number): Promise<Result<string | null, string>> {
  if (name !== basename(name)) return err('its name is not one');
  try {
    return ok((await readRegular(join(dirname(path), name), most)).toString('utf8'));
  } catch (error) {
    if (error instanceof LargeFileError || error instanceof OddFileError) return err(error.message);
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') return ok(null);
    if (typeof code !== 'string') throw error;
    return err(code === 'EACCES' || code === 'EPERM' ? 'permission was denied' : `the system says ${code}`);
  }
}
