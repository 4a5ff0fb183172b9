import { join } from 'node:path';
import type { Handlers } from '../../protocol/serve.ts';
import { SAMPLE, sampleSession } from '../../sample/index.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { writeChunks } from '../files/writeFile.ts';

/** The sample session: written into the library's folder and imported like any other file. */
export function sampleHandlers(engine: Engine): Pick<Handlers, 'sample.import'> {
  return {
    async 'sample.import'() {
      await engine.writable();
      const written = await writeChunks(join(engine.library.dir, 'sample', SAMPLE.file), [sampleSession()]);
      if (!written.ok) return written;
      const jobId = engine.jobs.start({ kind: 'import', paths: [written.value.path] });
      engine.imports.add(jobId);
      return ok({ jobId });
    },
  };
}
