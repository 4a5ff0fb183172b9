import type { Command } from 'commander';
import { GENERIC } from '../../core/importers/formats/generic/format.ts';
import { formats } from '../../core/importers/formats/index.ts';
import { RECOVERED } from '../../core/importers/types.ts';
import { table, write, writeJson } from '../support/output.ts';

/** `parallax formats`. */
export function addFormats(program: Command): void {
  program
    .command('formats')
    .description('list the transcript formats that are recognised, by what, and what is recovered of each')
    .option('--json', 'as JSON')
    .action(async (options: { readonly json?: boolean }) => {
      const known = [
        ...formats.all.map(({ id, title, looksFor, recovers }) => ({ id, title, looksFor, recovers })),
        GENERIC,
      ];
      if (options.json) {
        await writeJson(known);
        return;
      }
      await write(table(known.map(({ id, title, looksFor }) => [id, title, looksFor])));
      const marks = known.map(({ id, recovers }) => [
        id,
        ...RECOVERED.map((what) => (recovers.includes(what) ? 'x' : '')),
      ]);
      await write(`\nRecovered where a file has it:\n${table([['', ...RECOVERED], ...marks])}`);
    });
}
