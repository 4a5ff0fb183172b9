import type { ProtocolError, ResultOf } from '../../protocol/methods.ts';
import type { Handlers } from '../../protocol/serve.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import type { JobEnd } from '../jobs/types.ts';
import { loadUsualVocabulary } from '../vocabularies.ts';
import { keepMapping } from './mappings.ts';

/** Imports, and jobs of every kind. */
export function jobHandlers(
  engine: Engine,
): Pick<Handlers, 'import.start' | 'import.result' | 'job.cancel' | 'job.list'> {
  const { jobs } = engine;
  return {
    async 'import.start'({ paths, mapping }) {
      if (mapping !== undefined) await engine.writable();
      const kept = mapping === undefined ? null : keepMapping(engine.library, mapping);
      if (kept !== null && !kept.ok) return kept;
      const by = kept === null ? {} : { mapping: kept.value.hash };
      const jobId = jobs.start({ kind: 'import', paths, ...by });
      engine.imports.add(jobId);
      loadUsualVocabulary();
      return ok({ jobId });
    },
    async 'import.result'({ jobId }) {
      // Of many imports the last are known.
      if (!engine.imports.has(jobId) || !jobs.list().some((job) => job.jobId === jobId))
        return err(failure('job.unknown', `There is no import ${jobId}.`));
      return outcomesOf(engine, await jobs.end(jobId));
    },
    'job.cancel': ({ jobId }) => ok({ cancelled: jobs.cancel(jobId) }),
    'job.list': () => ok({ jobs: jobs.list() }),
  };
}

function outcomesOf({ files }: Engine, end: JobEnd): Result<ResultOf<'import.result'>, ProtocolError> {
  switch (end.state) {
    case 'done':
      return ok({
        outcomes: end.outcomes.map((outcome) => ({ ...outcome, handle: files.give(outcome.file, 'read') })),
        folders: end.folders ?? [],
      });
    case 'cancelled':
      return err(failure('job.cancelled', 'The import was cancelled; nothing of the unfinished file was kept.'));
    case 'failed':
      return err(failure(end.error.code, end.error.message));
  }
}
