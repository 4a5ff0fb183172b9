// The entry of the job thread: its own connection to the library, one job at a time, steered and reported by messages.

import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Library } from '../../store/index.ts';
import { Follower } from '../follow/follower.ts';
import { Waits } from '../threads/waits.ts';
import { executeJob, type JobProgress } from './execute.ts';
import type { JobEnd } from './types.ts';
import type { FromJobWorker, JobWorkerData, ToJobWorker } from './workerTypes.ts';

const port = parentPort;
if (port === null) throw new Error('the job worker was not started as a thread');

const { dir, waits: shared }: JobWorkerData = workerData;
const waits = new Waits(shared);
const opened = Library.open(dir);
const follower = opened.ok ? new Follower(opened.value) : null;
if (follower !== null) follower.onNews = (news) => answer({ kind: 'news', news });
let running: AbortController | null = null;

function answer(message: FromJobWorker): void {
  port?.postMessage(message);
}

async function run({ request }: Extract<ToJobWorker, { kind: 'run' }>): Promise<void> {
  if (request.kind === 'survey') giveWay();
  const abort = new AbortController();
  running = abort;
  const onProgress = (progress: JobProgress) => {
    if (running === abort) answer({ kind: 'progress', progress });
  };
  const end: JobEnd = opened.ok
    ? await executeJob(opened.value, request, onProgress, abort.signal, { follower, waits })
    : { state: 'failed', error: { code: opened.error.code, message: opened.error.text } };
  running = null;
  answer({ kind: 'answer', answer: end });
}

// The thread that looks through the library does nothing else, and nobody waits for it. Elsewhere than on Linux a priority is
// that of the whole process.
function giveWay(): void {
  if (process.platform === 'linux') os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}

async function close(): Promise<void> {
  await follower?.close();
  if (opened.ok) opened.value.close();
  port?.close();
}

port.on('message', (message: ToJobWorker) => {
  switch (message.kind) {
    case 'run':
      void run(message);
      break;
    case 'cancel':
      running?.abort();
      break;
    case 'follow':
      follower?.follow(message.paths);
      break;
    case 'close':
      void close();
  }
});
