// The entry of the job thread: its own connection to the library, one job at a time, told and telling by messages.

import { parentPort, workerData } from 'node:worker_threads';
import { Library } from '../../store/index.ts';
import { executeJob } from './execute.ts';
import type { JobEnd } from './types.ts';
import type { FromJobWorker, JobWorkerData, ToJobWorker } from './workerTypes.ts';

const port = parentPort;
if (port === null) throw new Error('the job worker was not started as a thread');

const { dir }: JobWorkerData = workerData;
const opened = Library.open(dir);
let running: { readonly run: number; readonly abort: AbortController } | null = null;

function answer(message: FromJobWorker): void {
  port?.postMessage(message);
}

async function run({ run, request }: Extract<ToJobWorker, { kind: 'run' }>): Promise<void> {
  const abort = new AbortController();
  running = { run, abort };
  const end: JobEnd = opened.ok
    ? await executeJob(opened.value, request, (progress) => answer({ kind: 'progress', run, progress }), abort.signal)
    : { state: 'failed', error: { code: opened.error.code, message: opened.error.text } };
  running = null;
  answer({ kind: 'end', run, end });
}

port.on('message', (message: ToJobWorker) => {
  switch (message.kind) {
    case 'run':
      void run(message);
      break;
    case 'cancel':
      if (running?.run === message.run) running.abort.abort();
      break;
    case 'close':
      if (opened.ok) opened.value.close();
      port.close();
  }
});
