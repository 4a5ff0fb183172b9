import type { Engine } from '../engine.ts';

/** Starts the job that makes new text searchable, if there is any and no such job is under way. */
export function startIndexing({ library, jobs }: Engine): void {
  if (library.unwritable !== null) return;
  const isUnderWay = jobs
    .list()
    .some(({ kind, state }) => kind === 'index' && (state === 'queued' || state === 'running'));
  if (!isUnderWay && library.needsIndexing()) jobs.start({ kind: 'index' });
}
