import { type CheckedWithRecords, type CheckSetup, checkFile, type FileToCheck } from './checking.ts';
import { withProjector } from './projecting.ts';
import { TaskThreads } from './taskThreads.ts';

/** Files below which a thread costs more than it saves. */
const FILES_A_THREAD = 8;

/** What was found in each file, in the order of the files; null = no transcript. */
type Checked = (readonly CheckedWithRecords[] | null)[];

/** Checks files in up to `jobs` threads; the answers in the order of the files. */
export async function checkFiles(files: readonly FileToCheck[], setup: CheckSetup, jobs: number): Promise<Checked> {
  const threads = Math.min(jobs, Math.ceil(files.length / FILES_A_THREAD));
  return threads > 1 ? inThreads(files, setup, threads) : inTurn(files, setup);
}

function inTurn(files: readonly FileToCheck[], setup: CheckSetup): Promise<Checked> {
  return withProjector(async (projector) => {
    const found: Checked = [];
    for (const file of files) found.push(await checkFile(projector, file, setup));
    return found;
  });
}

async function inThreads(files: readonly FileToCheck[], setup: CheckSetup, count: number): Promise<Checked> {
  const found: Checked = Array.from(files, () => null);
  const threads = new TaskThreads(count, setup);
  // One iterator for all: each takes the file that is next.
  const queue = files.entries();
  const takeFiles = async (): Promise<void> => {
    for (const [at, file] of queue) found[at] = await threads.check(file);
  };
  try {
    await Promise.all(Array.from({ length: count }, takeFiles));
    return found;
  } finally {
    await threads.close();
  }
}
