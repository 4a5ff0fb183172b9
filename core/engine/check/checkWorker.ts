// A thread of a check: transcripts of the library, one after the other, each held against the same rules.
import { parentPort, workerData } from 'node:worker_threads';
import { userCodeAnswer } from '../effects/userCode.ts';
import { RequestProjector } from '../requests/projector.ts';
import { createSandboxClient } from '../sandbox/sandboxClient.ts';
import { checkStored, tryStored } from './checkStored.ts';
import { readRunnable } from './rulesText.ts';
import type { CheckAsk, CheckWorkerData, FromCheckWorker } from './types.ts';

const port = parentPort;
if (port === null) throw new Error('the thread of a check was not started as a thread');

/** Nobody waits for the answer any more. */
class StoppedError extends Error {}

const data: CheckWorkerData = workerData;
const stopped = new Int32Array(data.stop);
const sandbox = createSandboxClient();
const projector = new RequestProjector(
  (effect) => userCodeAnswer(sandbox, effect),
  () => {
    if (Atomics.load(stopped, 0) !== 0) throw new StoppedError();
  },
);
const rules = readRunnable(data.rules);

/** How often it is said how far a transcript is, at most. */
const REPORT_EVERY_MS = 100;

function reporter(): (done: number, total: number) => void {
  let reportedAt = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    post({ kind: 'progress', done, total });
  };
}

function post(answer: FromCheckWorker): void {
  port?.postMessage(answer);
}

async function respond(ask: CheckAsk): Promise<FromCheckWorker> {
  try {
    projector.check();
    if (!rules.ok) return { kind: 'failed', message: rules.error.map(({ text }) => text).join('; ') };
    const answer =
      ask.kind === 'check'
        ? await checkStored(projector, rules.value, ask, data, reporter())
        : await tryStored(projector, rules.value, ask, data);
    return { kind: 'answer', answer };
  } catch (error) {
    if (error instanceof StoppedError) return { kind: 'stopped' };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (ask: CheckAsk) => void respond(ask).then(post));
