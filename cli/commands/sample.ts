import { resolve } from 'node:path';
import type { Command } from 'commander';
import { sampleSession } from '../../core/sample/index.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { usageFailure } from '../support/failure.ts';
import { grouped, writeJsonText, writeLine } from '../support/output.ts';
import { writeChunks } from '../support/writeChunks.ts';

interface SampleOptions extends LibraryOptions {
  readonly out?: string;
  readonly import?: boolean;
}

/** `parallax sample`. */
export function addSample(program: Command): void {
  program
    .command('sample')
    .description('print the sample session: an agent that forgets the port (a Claude Code file)')
    .option('--out <file>', 'write it to a file instead')
    .option('--import', 'import it into the library instead')
    .option('--library <dir>', 'folder of the library, with --import')
    .action(async (options: SampleOptions) => {
      if (options.import && options.out !== undefined) throw usageFailure('give --out or --import, not both');
      if (!options.import && options.library !== undefined) throw usageFailure('--library goes with --import');
      if (options.import) await importSample(options);
      else if (options.out !== undefined) await writeSample(resolve(options.out));
      else await writeJsonText(sampleSession());
    });
}

async function writeSample(path: string): Promise<void> {
  await writeChunks(path, [sampleSession()], 'the sample');
  await writeLine(path);
}

async function importSample(options: LibraryOptions): Promise<void> {
  await withEngine(options, async (engine) => {
    const { jobId } = await engine.call('sample.import', {});
    const { outcomes } = await engine.call('import.result', { jobId });
    for (const { id, messages } of outcomes.flatMap((one) => one.transcripts)) {
      await writeLine(`${id}  ${grouped(messages)} messages  sample`);
    }
  });
}
