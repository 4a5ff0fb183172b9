// The engine's thread: opens the library at workerData.dir and serves every port the main thread sends. A library that
// cannot be opened is not a crash: each call is answered with the reason, and each new connection tries again.
import { parentPort, workerData } from 'node:worker_threads';
import { refuse } from '../protocol/serve.ts';
import { portTransport } from '../protocol/transports.ts';
import { isRecord, stringAt } from '../util/unknown.ts';
import type { WorkerMessage } from './client.ts';
import { problemFailure } from './failures.ts';
import { GarbageLimit } from './garbageLimit.ts';
import { collectWhenIdle } from './idleCollection.ts';
import { type OpenEngine, openEngine } from './inProcess.ts';

const dir = isRecord(workerData) ? stringAt(workerData, 'dir') : undefined;
const key: unknown = isRecord(workerData) ? workerData.key : undefined;
if (dir === undefined || !(key instanceof Uint8Array) || !parentPort) {
  throw new Error('the engine is started by spawnEngine');
}
const pageShell = isRecord(workerData) ? stringAt(workerData, 'pageShell') : undefined;
const given = { dir, key, garbage: new GarbageLimit(), ...(pageShell !== undefined && { pageShell }) };
let engine: OpenEngine | null = null;
collectWhenIdle(() => engine?.trim());

parentPort.on('message', (message: WorkerMessage) => {
  if (message.kind === 'connect') connect(message);
  else void (engine?.dispose() ?? Promise.resolve()).then(() => process.exit(0));
});

function connect({ port, client }: Extract<WorkerMessage, { kind: 'connect' }>): void {
  const transport = portTransport(port);
  if (engine === null) {
    const opened = openEngine(given.dir, given);
    if (!opened.ok) {
      refuse(transport, problemFailure(opened.error));
      return;
    }
    engine = opened.value;
  }
  engine.serve(transport, client);
}
