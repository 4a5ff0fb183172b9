import { randomBytes } from 'node:crypto';
import type { Problem } from '../model/problem.ts';
import type { EngineClient } from '../protocol/client.ts';
import { createClient } from '../protocol/createClient.ts';
import { refuse } from '../protocol/serve.ts';
import { inProcessPair, type Transport } from '../protocol/transports.ts';
import { Library, storeProblem } from '../store/index.ts';
import { err, ok, type Result } from '../util/result.ts';
import { problemFailure } from './failures.ts';
import { createFileHandles } from './files/fileHandles.ts';
import { NO_LIMIT, type WalkListener } from './garbageLimit.ts';
import { inlineRunner, type JobRunner, refusingRunner, resumeUnfinished, threadRunner } from './jobs/index.ts';
import { createSandboxClient } from './sandbox/sandboxClient.ts';
import { type ClientKind, createService } from './service.ts';
import { Waits } from './threads/waits.ts';

/** How an engine is opened in this thread. Worker files are for bundled hosts; the defaults are the sources. */
export interface OpenEngineOptions {
  /** Jobs run in this thread too (commands, tests); otherwise in a separate one. */
  readonly inline?: boolean;
  readonly jobWorkerUrl?: URL;
  readonly sandboxWorkerUrl?: URL;
  /** Seals what pages name files by; 32 bytes. Of a host, which makes such handles too; else one of the engine's own. */
  readonly key?: Uint8Array;
  /** The built page that takes a transcript; absent = this engine writes no pages. */
  readonly pageShell?: string;
  /** Called when a long walk along call points begins and ends; absent = the process collects as V8 likes. */
  readonly garbage?: WalkListener;
}

/** An engine in this thread. */
export interface OpenEngine {
  /** A new connection in this thread. */
  connect(): EngineClient;
  /** Serves a transport that leads elsewhere. */
  serve(transport: Transport, kind?: ClientKind): void;
  /** Drops what can be read or made again: for a pause in the work. */
  trim(): void;
  dispose(): Promise<void>;
}

/**
 * Opens the library in `dir` (made if it is not there) and an engine over it. Imports a dead process left unfinished
 * are taken up. Where nothing can be written the engine reads, and refuses the rest. Error: see {@link Library.open}.
 */
export function openEngine(dir: string, options: OpenEngineOptions = {}): Result<OpenEngine, Problem> {
  const library = Library.open(dir);
  if (!library.ok) return library;
  try {
    return ok(openedEngine(library.value, options));
  } catch (error) {
    const found = storeProblem(error);
    if (found === null) throw error;
    library.value.close();
    return err({ ...found, severity: 'error', where: { file: dir } });
  }
}

/** An engine of one command: it is gone with the command. */
export interface CommandEngine {
  readonly client: EngineClient;
  dispose(): Promise<void>;
}

/** The same for a command. Where the library cannot be opened, each call is answered with the reason. */
export function openForCommand(dir: string): CommandEngine {
  const opened = openEngine(dir);
  if (opened.ok) return { client: opened.value.connect(), dispose: () => opened.value.dispose() };
  const [mine, theirs] = inProcessPair();
  refuse(theirs, problemFailure(opened.error));
  return { client: createClient(mine), dispose: () => Promise.resolve() };
}

function openedEngine(library: Library, options: OpenEngineOptions): OpenEngine {
  const { sandboxWorkerUrl, key = randomBytes(32), pageShell = null, garbage = NO_LIMIT } = options;
  const waits = new Waits();
  const jobs = jobsOf(library, waits, options);
  const makeSandbox = () => (sandboxWorkerUrl ? createSandboxClient(sandboxWorkerUrl) : createSandboxClient());
  const files = createFileHandles(key);
  const sandboxes = { sandbox: makeSandbox(), backgroundSandbox: makeSandbox() };
  const service = createService({ library, jobs, ...sandboxes, files, pageShell, waits, garbage });
  const ending = new AbortController();
  if (library.unwritable === null) takeUp(library, jobs, ending.signal);
  return {
    connect() {
      const [mine, theirs] = inProcessPair();
      service.serve(theirs);
      return createClient(mine, { clock: () => performance.now() });
    },
    serve: (transport, kind) => void service.serve(transport, kind),
    trim: () => service.trim(),
    dispose() {
      ending.abort();
      return service.dispose();
    },
  };
}

function jobsOf(library: Library, waits: Waits, { inline, jobWorkerUrl }: OpenEngineOptions): JobRunner {
  if (library.unwritable !== null) return refusingRunner(library.unwritable);
  if (inline) return inlineRunner(library);
  return threadRunner({ dir: library.dir, waits, ...(jobWorkerUrl ? { workerUrl: jobWorkerUrl } : {}) });
}

/** What an earlier process left to be done. A damaged page must not keep the rest from being read: the jobs report it. */
function takeUp(library: Library, jobs: JobRunner, signal: AbortSignal): void {
  // What cannot be read of earlier imports is said by what reads them next.
  resumeUnfinished(library, jobs, signal).catch((error: unknown) => {
    if (storeProblem(error) === null) throw error;
  });
  if (unlessDamaged(() => library.needsUpkeep())) jobs.start({ kind: 'upkeep' });
  if (unlessDamaged(() => library.needsIndexing())) jobs.start({ kind: 'index' });
}

/** Where nobody can know whether there is work, the job tries, and says what is wrong. */
function unlessDamaged(isNeeded: () => boolean): boolean {
  try {
    return isNeeded();
  } catch (error) {
    if (storeProblem(error) === null) throw error;
    return true;
  }
}
