// The worker thread of sandboxClient.ts: one request at a time, each in a separate WebAssembly instance, so that
// memory verdicts don't depend on what ran before. The next instance is made while nobody waits.

import { parentPort } from 'node:worker_threads';
import type { FromThread } from '../threads/types.ts';
import { createSandbox, type Sandbox, USUAL_ROOM } from './sandbox.ts';
import { completeLimits, type SandboxLimits, type SandboxResult } from './types.ts';

/** What the client posts; the worker answers each with a SandboxResult, or dies of it. */
export interface SandboxRequest {
  readonly source: string;
  readonly messagesJson: string;
  readonly limits: Partial<SandboxLimits>;
}

const port = parentPort;
if (port === null) throw new Error('sandboxWorker.ts is to be started as a worker thread');

/** The one at hand is for the usual; anything larger, or with its own limit, is made for it. */
function roomFor({ messagesJson, limits }: SandboxRequest): Promise<Sandbox> {
  const { memoryBytes } = completeLimits(limits);
  const isUsual = memoryBytes === USUAL_ROOM.memoryBytes && messagesJson.length <= USUAL_ROOM.messageChars;
  return isUsual ? next : createSandbox({ memoryBytes, messageChars: messagesJson.length });
}

let next = createSandbox();
port.on('message', async (request: SandboxRequest) => {
  const sandbox = await roomFor(request);
  const result = sandbox.run(request.source, request.messagesJson, request.limits);
  port.postMessage({ kind: 'answer', answer: result } satisfies FromThread<SandboxResult>);
  next = createSandbox();
});
