// A thread of a sweep: one session open at a time, specs tried on it as they are asked for.
import { workerData } from 'node:worker_threads';
import { userCodeAnswer } from '../effects/userCode.ts';
import { createSandboxClient } from '../sandbox/sandboxClient.ts';
import { answerTasks, stopCheck } from '../threads/answerTasks.ts';
import { type OpenedSession, openTried } from './openSession.ts';
import type { TriedSession, TryOptions } from './triedSession.ts';
import type { ToTuneWorker, TuneAnswers, TuneAsk, TuneWorkerData } from './types.ts';

const { options, cells }: TuneWorkerData = workerData;
const sandbox = createSandboxClient();
const trying: TryOptions = {
  answer: (effect) => userCodeAnswer(sandbox, effect),
  check: stopCheck(),
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

answerTasks(async (asked: ToTuneWorker) => answerTo(await opened(asked), asked.ask));
