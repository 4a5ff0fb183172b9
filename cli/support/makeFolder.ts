import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CliFailure, inputFailure } from './failure.ts';
import { writeErrorText } from './readError.ts';

/**
 * Makes a folder with those above it; one that is there is fine. Fails with what cannot be made (`what`) and why. Not
 * `recursive`: where the system has no room for folders at all (/proc), Node tries forever.
 */
export async function makeFolder(dir: string, what: string): Promise<void> {
  try {
    await makeWithParents(dir);
  } catch (error) {
    throw folderFailure(dir, what, error);
  }
}

async function makeWithParents(dir: string): Promise<void> {
  if (await isFolder(dir)) return;
  const parent = dirname(dir);
  if (parent !== dir) await makeWithParents(parent);
  await mkdir(dir).catch(async (error: unknown) => {
    // Somebody else may have made it meanwhile.
    if (!(await isFolder(dir))) throw error;
  });
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.isDirectory() === true;
}

function folderFailure(dir: string, what: string, error: unknown): CliFailure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isFileThere = code === 'EEXIST' || code === 'ENOTDIR';
  const why = isFileThere ? `${dir}: there is a file of that name; name another folder` : writeErrorText(dir, error);
  return inputFailure(`${what} cannot be made: ${why}`, 'output.unwritable');
}
