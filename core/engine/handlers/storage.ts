import { statfsSync } from 'node:fs';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';

/** What the library takes on disk, and giving back what it does not need. */
export function storageHandlers(engine: Engine): Pick<Handlers, 'storage.get' | 'storage.compact'> {
  const { library, jobs } = engine;
  return {
    'storage.get'() {
      const { fileBytes, freeBytes, removedBytes, groups } = library.tables.storage.report();
      return ok({ path: library.dir, fileBytes, freeBytes, removedBytes, diskBytes: diskBytes(library.dir), groups });
    },
    'storage.compact'() {
      const busy = jobs
        .list()
        .some(({ kind, state }) => kind === 'import' && (state === 'running' || state === 'queued'));
      if (busy) return err(failure('storage.importing', 'An import is under way; compact when it is done.'));
      const { fileBytes, walBytes, freeBytes } = library.tables.storage.report();
      if (diskBytes(library.dir) < fileBytes - freeBytes) {
        return err(failure('storage.no_room', 'The disk has too little room for a second copy of the library.'));
      }
      return ok({ jobId: jobs.start({ kind: 'compact', bytes: fileBytes - walBytes - freeBytes }) });
    },
  };
}

function diskBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize;
}
