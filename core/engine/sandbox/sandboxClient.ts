// Runs user code on a separate thread, under a clock: some work inside the VM (a huge string operation) is one step
// however long it takes, and only ending the thread ends it.

import { err, type Result } from '../../util/result.ts';
import { ThreadPool } from '../threads/pool.ts';
import { answerOf } from '../threads/types.ts';
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
  const pool = new ThreadPool<SandboxRequest, SandboxResult>({
    url: workerUrl,
    limits: { stackSizeMb: THREAD_STACK_MB },
    most: 1,
  });
  return {
    async runGuarded(source, messagesJson, { limits = {}, wallMs = DEFAULT_WALL_MS } = {}) {
      const outcome = await pool.ask({ source, messagesJson, limits }, { milliseconds: wallMs });
      if (outcome.kind === 'late') {
        return err({ code: 'wall', message: `it was still running after ${wallMs} ms and was stopped` });
      }
      if (outcome.kind === 'stopped') throw new Error('the sandbox is closed');
      return answerOf(outcome, 'The thread of the sandbox');
    },
    dispose: () => pool.close(),
  };
}
