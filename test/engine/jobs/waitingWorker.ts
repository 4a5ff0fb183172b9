// A job thread that says how many it sees waiting for the engine: each job fails with the number.
import { parentPort, workerData } from 'node:worker_threads';
import type { FromJobWorker, JobWorkerData, ToJobWorker } from '../../../core/engine/jobs/workerTypes.ts';

const { waits }: JobWorkerData = workerData;

parentPort?.on('message', ({ kind }: ToJobWorker) => {
  if (kind === 'close') parentPort?.close();
  if (kind !== 'run') return;
  const error = { code: 'test.waiting', message: String(new Int32Array(waits)[0]) };
  const end: FromJobWorker = { kind: 'answer', answer: { state: 'failed', error } };
  parentPort?.postMessage(end);
});
