// A thread of a check: transcripts of the library, one after the other, each held against the same rules.
import { workerData } from 'node:worker_threads';
import { userCodeAnswer } from '../effects/userCode.ts';
import { RequestProjector } from '../requests/projector.ts';
import { createSandboxClient } from '../sandbox/sandboxClient.ts';
import { answerTasks, stopCheck } from '../threads/answerTasks.ts';
import { checkStored, tryStored } from './checkStored.ts';
import { readRunnable } from './rulesText.ts';
import { searchStored } from './searchStored.ts';
import type { CheckAnswers, CheckAsk, CheckProgress, CheckWorkerData } from './types.ts';

const data: CheckWorkerData = workerData;
const sandbox = createSandboxClient();
const projector = new RequestProjector((effect) => userCodeAnswer(sandbox, effect), stopCheck());
const rules = readRunnable(data.rules);

/** How often it is said how far a transcript is, at most. */
const REPORT_EVERY_MS = 100;

function reporter(onProgress: (progress: CheckProgress) => void): (done: number, total: number) => void {
  let reportedAt = performance.now();
  return (done, total) => {
    const now = performance.now();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    onProgress({ done, total });
  };
}

answerTasks((ask: CheckAsk, onProgress: (progress: CheckProgress) => void): Promise<CheckAnswers[CheckAsk['kind']]> => {
  if (!rules.ok) throw new Error(rules.error.map(({ text }) => text).join('; '));
  switch (ask.kind) {
    case 'check':
      return checkStored(projector, rules.value, ask, data, reporter(onProgress));
    case 'try':
      return tryStored(projector, rules.value, ask, data);
    case 'search':
      return searchStored(projector, rules.value, ask, data);
  }
});
