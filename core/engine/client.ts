import { randomBytes } from 'node:crypto';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { FileUse } from '../protocol/files.ts';
import { inProcessPair, portTransport, type Transport } from '../protocol/transports.ts';
import { createFileHandles } from './files/fileHandles.ts';
import type { ClientKind } from './service.ts';
import { threadEnv } from './threadEnv.ts';

/** Where the engine's library is, and the worker's entry (a bundled host passes its own). */
export interface SpawnOptions {
  /** Folder of the library; made if it is not there. */
  readonly dir: string;
  readonly workerUrl?: URL;
  /** The built page that takes a transcript (see core/engine/page); absent = this host writes no pages. */
  readonly pageShell?: string;
}

/** How an engine ended that was not asked to. */
export interface EngineCrash {
  readonly message: string;
  /** The stack of what was thrown, for whoever repairs it; empty where nothing was. */
  readonly stack: string;
  readonly exitCode: number | null;
}

/** An engine in a worker thread. */
export interface EngineHandle {
  /** A new connection; several at a time. After a crash this starts a new worker. Names files by path. */
  connect(): Transport;
  /** The same for a page, which names files by handles alone. */
  connectPage(): Transport;
  /** What a page may name a file by that a person gave it; good until this handle is disposed of, also after a crash. */
  giveFile(path: string, use: FileUse): string;
  /** Called when the worker died; all its connections close just after. */
  onCrash(listener: (crash: EngineCrash) => void): void;
  /** Kills the worker at once, as a crash would (for tests and the "restart engine" command). */
  kill(): Promise<void>;
  /** Ends it in order: jobs are cancelled, the library closed. */
  dispose(): Promise<void>;
}

/** What is sent to the worker thread. */
export type WorkerMessage =
  | {
      readonly kind: 'connect';
      readonly client: ClientKind;
      readonly port: import('node:worker_threads').MessagePort;
    }
  | { readonly kind: 'dispose' };

const WORKER_URL = new URL('./worker.ts', import.meta.url);

interface Running {
  readonly worker: Worker;
  readonly transports: Set<Transport>;
  readonly exited: Promise<void>;
}

/** Starts an engine in a worker thread at the first connect. Its calls fail with `protocol.closed` if it dies. */
export function spawnEngine(options: SpawnOptions): EngineHandle {
  const crashListeners: ((crash: EngineCrash) => void)[] = [];
  let running: Running | null = null;
  let disposed = false;
  const key = randomBytes(32);
  const files = createFileHandles(key);
  const crashed = (dead: Running, crash: EngineCrash) => {
    if (running === dead) running = null;
    if (!disposed) for (const listener of crashListeners) listener(crash);
    for (const transport of [...dead.transports]) transport.close();
  };
  const connect = (client: ClientKind): Transport => {
    if (disposed) return closedTransport();
    running ??= startWorker(options, key, crashed);
    return connectTo(running, client);
  };
  return {
    connect: () => connect('command'),
    connectPage: () => connect('page'),
    giveFile: (path, use) => files.give(path, use),
    onCrash: (listener) => void crashListeners.push(listener),
    async kill() {
      const target = running;
      await target?.worker.terminate();
      await target?.exited;
    },
    async dispose() {
      disposed = true;
      running?.worker.postMessage({ kind: 'dispose' } satisfies WorkerMessage);
      await running?.exited;
    },
  };
}

function startWorker(
  options: SpawnOptions,
  key: Uint8Array,
  crashed: (dead: Running, crash: EngineCrash) => void,
): Running {
  const url = options.workerUrl ?? WORKER_URL;
  const worker = new Worker(url, {
    workerData: { dir: options.dir, key, pageShell: options.pageShell },
    env: threadEnv(url),
    // Answers live for a moment only; with V8's own limits the thread would hold 50 MB of them.
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
  });
  let message = 'The engine stopped.';
  let stack = '';
  worker.on('error', (error) => {
    message = error instanceof Error ? error.message : String(error);
    stack = error instanceof Error ? (error.stack ?? '') : '';
  });
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', (exitCode) => {
      crashed(running, { message, stack, exitCode });
      resolve();
    });
  });
  const running: Running = { worker, transports: new Set(), exited };
  return running;
}

function connectTo(running: Running, client: ClientKind): Transport {
  const { port1, port2 } = new MessageChannel();
  running.worker.postMessage({ kind: 'connect', client, port: port2 } satisfies WorkerMessage, [port2]);
  const port = portTransport(port1);
  const closing: (() => void)[] = [];
  let isClosed = false;
  const closed = (): void => {
    if (isClosed) return;
    isClosed = true;
    running.transports.delete(transport);
    for (const listener of closing) listener();
  };
  const transport: Transport = {
    ...port,
    onClose: (listener) => (isClosed ? listener() : void closing.push(listener)),
    close() {
      port.close();
      closed();
    },
  };
  // The port of a thread that dies closes before the thread says why: whoever hears of the end gets the reason first.
  port.onClose(() => void running.exited.then(closed));
  running.transports.add(transport);
  return transport;
}

function closedTransport(): Transport {
  const [transport] = inProcessPair();
  transport.close();
  return transport;
}
