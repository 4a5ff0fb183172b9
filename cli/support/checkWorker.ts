// A thread of `parallax check`: checks one file after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { type CheckedWithRecords, type CheckSetup, checkFile } from './checking.ts';
import { countPlainly } from './counting.ts';
import { CliFailure } from './failure.ts';
import { Projector } from './projecting.ts';

/** A file to check. */
export interface FileToCheck {
  readonly path: string;
  readonly isNamed: boolean;
}

/** What became of it. `failure` = the command ends with it. */
export interface FileChecked {
  readonly found: readonly CheckedWithRecords[] | null;
  readonly failure: { readonly exit: number; readonly code: string; readonly message: string } | null;
}

/** What a thread is started with. */
export interface CheckWorkerData {
  readonly setup: CheckSetup;
  readonly plain: boolean;
}

const port = parentPort;
if (port === null) throw new Error('the thread of a check was not started as a thread');
const { setup, plain }: CheckWorkerData = workerData;
countPlainly(plain);
const projector = new Projector();

async function check(file: FileToCheck): Promise<FileChecked> {
  try {
    return { found: await checkFile(projector, file, setup), failure: null };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    return { found: null, failure: { exit: error.exit, code: error.code, message: error.message } };
  }
}

port.on('message', (file: FileToCheck | null) => {
  if (file === null) void projector.close().then(() => port.close());
  else void check(file).then((answer) => port.postMessage(answer));
});
