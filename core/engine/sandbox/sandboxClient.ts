// Runs user code on a separate thread, under a clock: some work inside the VM (a huge string operation) is one step
// however long it takes, and only ending the thread ends it.

import { Worker } from 'node:worker_threads';
import { err, type Result } from '../../util/result.ts';
import { threadEnv } from '../threadEnv.ts';
import type { SandboxRequest } from './sandboxWorker.ts';
import type { SandboxError, SandboxLimits, SandboxResult, SandboxValue, WallError } from './types.ts';

/** Limits of one guarded run; `wallMs` (10,000 if not given) counts from handing it to the thread, whose start counts too. */
export interface GuardOptions {
  readonly limits?: Partial<SandboxLimits>;
  readonly wallMs?: number;
}

/** The outcome of a guarded run. */
export type GuardedResult = Result<SandboxValue, SandboxError | WallError>;

/** A sandbox on its own thread. The thread starts with the first run and does not keep the process alive. */
export interface SandboxClient {
  /** Runs a source (see Sandbox.run); runs wait for each other. Rejects if the client is disposed or the worker is broken. */
  runGuarded(source: string, messagesJson: string, options?: GuardOptions): Promise<GuardedResult>;
  /** Ends the thread; runs under way or waiting reject. */
  dispose(): Promise<void>;
}

// The VM's own stack limit is to be met before the thread's, which would depend on the machine.
const THREAD_STACK_MB = 32;
const DEFAULT_WALL_MS = 10_000;

/** Makes a client. `workerUrl` is where sandboxWorker.ts, or what a bundler made of it, is found. */
export function createSandboxClient(workerUrl: URL = new URL('./sandboxWorker.ts', import.meta.url)): SandboxClient {
  let worker: Worker | null = null;
  let disposed = false;
  let last: Promise<unknown> = Promise.resolve();

  const spawn = (): Worker => {
    const spawned = new Worker(workerUrl, {
      env: threadEnv(workerUrl),
      resourceLimits: { stackSizeMb: THREAD_STACK_MB },
    });
    spawned.unref();
    // A thread that dies while idle is nobody's failure: the next run starts another, and rejects if that dies too.
    const forget = (): void => {
      if (worker === spawned) worker = null;
    };
    spawned.on('error', forget).on('exit', forget);
    return spawned;
  };

  const runNow = async (request: SandboxRequest, wallMs: number): Promise<GuardedResult> => {
    if (disposed) throw new Error('the sandbox is closed');
    const current = worker ?? spawn();
    worker = current;
    try {
      const result = await askWorker(current, request, wallMs);
      if (result === 'wall') {
        worker = null;
        await current.terminate();
        return err({ code: 'wall', message: `it was still running after ${wallMs} ms and was stopped` });
      }
      return result;
    } catch (error) {
      worker = null;
      await current.terminate();
      throw error;
    }
  };

  return {
    runGuarded(source, messagesJson, { limits = {}, wallMs = DEFAULT_WALL_MS } = {}) {
      const run = last.then(() => runNow({ source, messagesJson, limits }, wallMs));
      last = run.catch(() => undefined); // a failed run is its caller's; the next one goes ahead
      return run;
    },
    async dispose() {
      disposed = true;
      await worker?.terminate();
    },
  };
}

function askWorker(worker: Worker, request: SandboxRequest, wallMs: number): Promise<SandboxResult | 'wall'> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      worker.unref();
      settle();
    };
    const onMessage = (result: SandboxResult): void => finish(() => resolve(result));
    const onError = (error: unknown): void => finish(() => reject(error));
    const onExit = (code: number): void =>
      finish(() => reject(new Error(`the sandbox's thread ended (exit code ${code})`)));
    const timer = setTimeout(() => finish(() => resolve('wall')), wallMs);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(request);
  });
}
