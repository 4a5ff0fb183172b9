import { resolve } from 'node:path';
import type { EngineClient } from '../../core/protocol/client.ts';
import { defaultLibrary } from '../library.ts';
import { makeFolder } from './makeFolder.ts';

/** The option of commands that need a library. */
export interface LibraryOptions {
  readonly library?: string;
}

const LONG_MS = 1_000_000;

/**
 * Runs something with an engine on the library, which is closed in order afterwards. It is in this thread: another
 * thread would load the program a second time, which takes longer than most commands. Throws the engine's answer if the library
 * cannot be opened.
 */
export async function withEngine<T>(options: LibraryOptions, run: (engine: EngineClient) => Promise<T>): Promise<T> {
  const dir = resolve(options.library ?? defaultLibrary());
  await makeFolder(dir, 'the library');
  // Most commands need no engine, and a worker is not to hold what it does not run.
  const { openForCommand } = await import('../../core/engine/inProcess.ts');
  const engine = openForCommand(dir);
  // Threads of jobs keep no process alive: whoever waits for them does.
  const waiting = setInterval(() => {}, LONG_MS);
  try {
    return await run(engine.client);
  } finally {
    await engine.dispose();
    clearInterval(waiting);
  }
}
