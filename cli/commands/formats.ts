import type { Command } from 'commander';
import { formats } from '../../core/importers/formats/index.ts';
import { table, write, writeLine } from '../support/output.ts';

/** `parallax formats`. */
export function addFormats(program: Command): void {
  program
    .command('formats')
    .description('list the transcript formats that are recognised, and by what')
    .option('--json', 'as JSON')
    .action(async (options: { readonly json?: boolean }) => {
      const known = formats.all.map(({ id, title, looksFor }) => ({ id, title, looksFor }));
      if (options.json) await writeLine(JSON.stringify(known));
      else await write(table(known.map(({ id, title, looksFor }) => [id, title, looksFor])));
    });
}
