import { resolve } from 'node:path';
import { type EngineCrash, spawnEngine } from '../../core/engine/client.ts';
import type { EngineClient } from '../../core/protocol/client.ts';
import { createClient } from '../../core/protocol/createClient.ts';
import { defaultLibrary } from '../library.ts';
import { makeFolder } from './makeFolder.ts';

/** The option of commands that need a library. */
export interface LibraryOptions {
  readonly library?: string;
}

/** The engine ended by itself: what it said last, with its stack. */
export class EngineCrashError extends Error {
  override readonly name = 'EngineCrashError';

  constructor({ message, stack }: EngineCrash) {
    super(message);
    if (stack !== '') this.stack = stack;
  }
}

/** Runs something with an engine on the library, which is closed in order afterwards. Throws the engine's answer if the library cannot be opened. */
export async function withEngine<T>(options: LibraryOptions, run: (engine: EngineClient) => Promise<T>): Promise<T> {
  const dir = resolve(options.library ?? defaultLibrary());
  await makeFolder(dir, 'the library');
  const engine = spawnEngine({ dir });
  let crash: EngineCrash | null = null;
  engine.onCrash((why) => {
    crash = why;
  });
  const client = createClient(engine.connect());
  try {
    return await run(client);
  } catch (error) {
    throw crash === null ? error : new EngineCrashError(crash);
  } finally {
    await engine.dispose();
  }
}
