import type { Command } from 'commander';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { JobInfo } from '../../core/protocol/types.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { inputFailure } from '../support/failure.ts';
import { grouped, note, writeJson, writeLine } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface CompactOptions extends LibraryOptions {
  readonly json?: boolean;
}

const HELP = `
Rewrites the library's file without the space that removed transcripts left in it. Needs as much free disk as the
library takes. Nothing can be changed in it meanwhile. How far it is goes to stderr.

Exit codes: 0 done, or nothing to give back; 2 wrong usage; 3 it could not be done.`;

/** `parallax compact`. */
export function addCompact(program: Command): void {
  program
    .command('compact')
    .description('give the room of removed transcripts back to the disk')
    .option(...LIBRARY)
    .option('--json', 'what it took before and after as one line of JSON')
    .addHelpText('after', HELP)
    .action(compact);
}

async function compact(options: CompactOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    await tidied(engine);
    const before = await engine.call('storage.get', {});
    if (before.freeBytes > 0) await run(engine);
    const after = before.freeBytes > 0 ? await engine.call('storage.get', {}) : before;
    if (options.json) await writeJson({ path: after.path, before: before.fileBytes, after: after.fileBytes });
    else if (before.freeBytes === 0)
      await writeLine(`${after.path}: ${grouped(after.fileBytes)} bytes, nothing to give back`);
    else await writeLine(`${after.path}: ${grouped(before.fileBytes)} → ${grouped(after.fileBytes)} bytes`);
  });
}

/** Waits until what was removed is deleted: its room is given back too. */
async function tidied(engine: EngineClient): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const look = async () => {
    const { jobs } = await engine.call('job.list', {});
    const isOn = jobs.some(({ kind, state }) => kind === 'upkeep' && (state === 'running' || state === 'queued'));
    if (!isOn) ended.resolve();
  };
  const stop = engine.on('job', ({ kind }) => {
    if (kind === 'upkeep') look().catch(ended.reject);
  });
  try {
    await look();
    await ended.promise;
  } finally {
    stop();
  }
}

/** Compacts, and says how far it is. */
async function run(engine: EngineClient): Promise<void> {
  const ended = Promise.withResolvers<JobInfo>();
  let tenths: number | null = null;
  const stop = engine.on('job', (job) => {
    if (job.kind !== 'compact') return;
    const now = Math.floor((job.progress ?? 0) * 10);
    if (job.state === 'running' && job.message !== '' && now !== tenths) {
      tenths = now;
      note(job.message);
    }
    if (job.state === 'done' || job.state === 'failed' || job.state === 'cancelled') ended.resolve(job);
  });
  try {
    await engine.call('storage.compact', {});
    const { state, error } = await ended.promise;
    if (state !== 'done') throw inputFailure(error?.message ?? 'it was cancelled', error?.code ?? 'job.cancelled');
  } finally {
    stop();
  }
}
