import type { Command } from 'commander';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { grouped, oneLine, table, write, writeLine } from '../support/output.ts';

interface LsOptions extends LibraryOptions {
  readonly json?: boolean;
}

/** `parallax ls`. */
export function addLs(program: Command): void {
  program
    .command('ls')
    .description('list the transcripts of the library')
    .option('--library <dir>', 'folder of the library')
    .option('--json', 'one line of JSON a transcript')
    .action(async (options: LsOptions) => {
      const { transcripts } = await withEngine(options, (engine) => engine.call('library.list', {}));
      if (options.json) for (const transcript of transcripts) await writeLine(JSON.stringify(transcript));
      else await write(table(transcripts.map(rowOf), [2, 3]));
    });
}

function rowOf({ id, format, messages, tokens, tokensProvenance, startedAt, title }: TranscriptSummary): string[] {
  const counted = tokens === null ? '' : `${tokensProvenance === 'exact' ? '' : '~'}${grouped(tokens)} tok`;
  return [id, format, `${grouped(messages)} msg`, counted, startedAt?.slice(0, 10) ?? '', oneLine(title, 60)];
}
