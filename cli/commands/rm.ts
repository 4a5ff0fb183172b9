import type { Command } from 'commander';
import { countOf } from '../../core/util/counts.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { inputFailure } from '../support/failure.ts';
import { note } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

/** `parallax rm`. */
export function addRm(program: Command): void {
  program
    .command('rm')
    .description('remove transcripts from the library, for good; the files they came from stay')
    .argument('<ids...>', 'transcripts, as ls names them')
    .option(...LIBRARY)
    .action(async (ids: readonly string[], options: LibraryOptions) => {
      const { removed } = await withEngine(options, (engine) => engine.call('library.remove', { ids, forGood: true }));
      const missing = ids.filter((id) => !removed.includes(id));
      if (missing.length > 0) throw inputFailure(`the library has no ${missing.join(', ')}`, 'transcript.unknown');
      note(`${countOf(removed.length, 'transcript')} removed`);
    });
}
