import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { threadEnv } from '../../core/engine/threadEnv.ts';
import { type CheckedWithRecords, type CheckSetup, checkFile } from './checking.ts';
import type { CheckWorkerData, FileChecked, FileToCheck } from './checkWorker.ts';
import { countsPlainly } from './counting.ts';
import { CliFailure } from './failure.ts';
import { withProjector } from './projecting.ts';

/** Files below which a thread costs more than it saves. */
const FILES_A_THREAD = 8;

/** Checks files in up to `jobs` threads; the answers in the order of the files. */
export async function checkFiles(
  files: readonly FileToCheck[],
  setup: CheckSetup,
  jobs: number,
): Promise<readonly (readonly CheckedWithRecords[] | null)[]> {
  const threads = Math.min(jobs, Math.ceil(files.length / FILES_A_THREAD));
  if (threads > 1) return inThreads(files, setup, threads);
  return withProjector(async (projector) => {
    const found: (readonly CheckedWithRecords[] | null)[] = [];
    for (const file of files) found.push(await checkFile(projector, file, setup));
    return found;
  });
}

async function inThreads(files: readonly FileToCheck[], setup: CheckSetup, threads: number) {
  const found = new Array<readonly CheckedWithRecords[] | null>(files.length).fill(null);
  let next = 0;
  const url = new URL('./checkWorker.ts', import.meta.url);
  const workerData: CheckWorkerData = { setup, plain: countsPlainly() };
  await Promise.all(
    Array.from({ length: threads }, async () => {
      const worker = new Worker(url, { workerData, env: threadEnv(url) });
      // A thread that fails rejects what waits for its next message.
      for (let at = next++; at < files.length; at = next++) {
        worker.postMessage(files[at]);
        const [answer]: [FileChecked] = (await once(worker, 'message')) as [FileChecked];
        const { failure } = answer;
        if (failure !== null) {
          next = files.length;
          await worker.terminate();
          throw new CliFailure(failure.exit, failure.code, failure.message);
        }
        found[at] = answer.found;
      }
      worker.postMessage(null);
      await once(worker, 'exit');
    }),
  );
  return found;
}
