import type { Problem } from '../model/problem.ts';
import { createClient, type EngineClient, inProcessPair, type Transport } from '../protocol/channel.ts';
import { Library } from '../store/index.ts';
import { ok, type Result } from '../util/result.ts';
import { inlineRunner, resumeUnfinished, threadRunner } from './jobs/index.ts';
import { createSandboxClient } from './sandbox/sandboxClient.ts';
import { createService } from './service.ts';

/** How an engine is opened in this thread. Worker files are for bundled hosts; the defaults are the sources. */
export interface OpenEngineOptions {
  /** Jobs run in this thread too (commands, tests); otherwise in one of their own. */
  readonly inline?: boolean;
  readonly jobWorkerUrl?: URL;
  readonly sandboxWorkerUrl?: URL;
}

/** An engine in this thread. */
export interface OpenEngine {
  /** A new connection in this thread. */
  connect(): EngineClient;
  /** Serves a transport that leads elsewhere. */
  serve(transport: Transport): void;
  dispose(): Promise<void>;
}

/**
 * Opens the library in `dir` (made if it is not there) and an engine over it. Imports a dead process left unfinished
 * are taken up. Error: the library is of a newer version, or cannot be opened.
 */
export function openEngine(dir: string, options: OpenEngineOptions = {}): Result<OpenEngine, Problem> {
  const library = Library.open(dir);
  if (!library.ok) return library;
  const { inline, jobWorkerUrl, sandboxWorkerUrl } = options;
  const jobs = inline
    ? inlineRunner(library.value)
    : threadRunner({ dir, ...(jobWorkerUrl ? { workerUrl: jobWorkerUrl } : {}) });
  const makeSandbox = () => (sandboxWorkerUrl ? createSandboxClient(sandboxWorkerUrl) : createSandboxClient());
  const parts = { library: library.value, jobs, sandbox: makeSandbox(), backgroundSandbox: makeSandbox() };
  const service = createService(parts);
  const ending = new AbortController();
  void resumeUnfinished(library.value, jobs, ending.signal);
  if (library.value.needsUpkeep()) jobs.start({ kind: 'upkeep' });
  if (library.value.needsIndexing()) jobs.start({ kind: 'index' });
  return ok({
    connect() {
      const [mine, theirs] = inProcessPair();
      service.serve(theirs);
      return createClient(mine, { clock: () => performance.now() });
    },
    serve: (transport) => void service.serve(transport),
    dispose() {
      ending.abort();
      return service.dispose();
    },
  });
}
