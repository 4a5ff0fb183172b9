// A job thread that dies at every second run, in the way its job is named.
import { parentPort } from 'node:worker_threads';
import type { FromJobWorker, ToJobWorker } from '../../../core/engine/jobs/workerTypes.ts';

parentPort?.on('message', (message: ToJobWorker) => {
  if (message.kind === 'close') parentPort?.close();
  if (message.kind !== 'run') return;
  const name = message.request.kind === 'import' ? message.request.paths[0] : '';
  if (name === 'throw') throw new Error('out of luck');
  if (name === 'exit') process.exit(3);
  const end: FromJobWorker = { kind: 'answer', answer: { state: 'done', outcomes: [] } };
  parentPort?.postMessage(end);
});
