// A thread of a sweep: one session open at a time, specs tried on it as they are asked for.
import { parentPort, workerData } from 'node:worker_threads';
import { userCodeAnswer } from '../effects/userCode.ts';
import { createSandboxClient } from '../sandbox/sandboxClient.ts';
import { type OpenedSession, openTried } from './openSession.ts';
import type { TriedSession, TryOptions } from './triedSession.ts';
import type { FromTuneWorker, ToTuneWorker, TuneAnswers, TuneAsk, TuneWorkerData } from './types.ts';

const port = parentPort;
if (port === null) throw new Error('the thread of a sweep was not started as a thread');

/** Nobody waits for the answer any more. */
class StoppedError extends Error {}

const { options, cells, stop }: TuneWorkerData = workerData;
const stopped = new Int32Array(stop);
const sandbox = createSandboxClient();
const trying: TryOptions = {
  answer: (effect) => userCodeAnswer(sandbox, effect),
  check: () => {
    if (Atomics.load(stopped, 0) !== 0) throw new StoppedError();
  },
  cells,
};
let open: (OpenedSession & { readonly number: number }) | null = null;

async function opened({ session, given }: ToTuneWorker): Promise<TriedSession> {
  if (open?.number === session) return open.session;
  if (given === null) throw new Error('a session was asked about that was not given');
  open?.close();
  open = null;
  open = { ...(await openTried(given, options, trying)), number: session };
  return open.session;
}

async function answerTo(session: TriedSession, ask: TuneAsk): Promise<TuneAnswers[TuneAsk['kind']]> {
  switch (ask.kind) {
    case 'try':
      return session.try(ask.specs);
    case 'signatures':
      return session.signatures(ask.specs);
    case 'proves':
      return session.proves(ask.spec, ask.found);
    case 'unsaid':
      return session.unsaid;
  }
}

async function respond(asked: ToTuneWorker): Promise<FromTuneWorker> {
  try {
    trying.check();
    return { kind: 'answer', answer: await answerTo(await opened(asked), asked.ask) };
  } catch (error) {
    if (error instanceof StoppedError) return { kind: 'stopped' };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

port.on('message', (asked: ToTuneWorker) => void respond(asked).then((answer) => port.postMessage(answer)));
