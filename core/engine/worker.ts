// The engine's thread: opens the library at workerData.dir and serves every port the main thread sends.
import { parentPort, workerData } from 'node:worker_threads';
import { portTransport } from '../protocol/transports.ts';
import { isRecord, stringAt } from '../util/unknown.ts';
import type { WorkerMessage } from './client.ts';
import { collectWhenIdle } from './idleCollection.ts';
import { openEngine } from './inProcess.ts';

const dir = isRecord(workerData) ? stringAt(workerData, 'dir') : undefined;
if (dir === undefined || !parentPort) throw new Error('the engine is started by spawnEngine');
const opened = openEngine(dir);
if (!opened.ok) throw new Error(`${opened.error.text} (${opened.error.code})`);
const engine = opened.value;
collectWhenIdle();

parentPort.on('message', (message: WorkerMessage) => {
  if (message.kind === 'connect') engine.serve(portTransport(message.port));
  else void engine.dispose().then(() => process.exit(0));
});
