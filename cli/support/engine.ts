import { resolve } from 'node:path';
import { spawnEngine } from '../../core/engine/client.ts';
import { createClient, type EngineClient, EngineError } from '../../core/protocol/channel.ts';
import { defaultLibrary } from '../library.ts';
import { inputFailure } from './failure.ts';
import { makeFolder } from './makeFolder.ts';

/** The option of commands that need a library. */
export interface LibraryOptions {
  readonly library?: string;
}

/** Runs something with an engine on the library, which is closed in order afterwards. */
export async function withEngine<T>(options: LibraryOptions, run: (engine: EngineClient) => Promise<T>): Promise<T> {
  const dir = resolve(options.library ?? defaultLibrary());
  await makeFolder(dir, 'the library');
  const engine = spawnEngine({ dir });
  let crash = '';
  engine.onCrash(({ message }) => {
    crash = message;
  });
  const client = createClient(engine.connect());
  try {
    return await run(client);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'protocol.closed' && crash !== '') {
      throw inputFailure(`the library ${dir} could not be opened: ${crash}`, 'library.unreadable');
    }
    throw error;
  } finally {
    await engine.dispose();
  }
}
