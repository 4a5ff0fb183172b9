import { type Command, Option } from 'commander';
import { beginsDescending, sortTranscripts } from '../../core/library/order.ts';
import { SORT_KEYS, type SortKey } from '../../core/library/query.ts';
import { figureSign } from '../../core/model/figureSign.ts';
import type { TranscriptSummary } from '../../core/protocol/types.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { checkLibraryFilter, fittingTranscripts } from '../support/libraryFilter.ts';
import { grouped, oneLine, table, write, writeJson } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface LsOptions extends LibraryOptions {
  readonly json?: boolean;
  readonly sort?: SortKey;
  readonly reverse?: boolean;
  readonly filter?: string;
  readonly tag?: readonly string[];
}

/** `parallax ls`. */
export function addLs(program: Command): void {
  program
    .command('ls')
    .description('list the transcripts of the library')
    .option(...LIBRARY)
    .addOption(
      new Option('--sort <by>', 'order; the newest or largest first (default: as imported)').choices(SORT_KEYS),
    )
    .option('--reverse', 'the other way round')
    .option('--filter <query>', 'only those that fit: words, project:name, finding:any, tokens>100k (docs/filter.md)')
    .option('--tag <name>', 'only those with this tag (repeatable)', (name: string, all: string[] = []) => [
      ...all,
      name,
    ])
    .option('--json', 'one line of JSON a transcript')
    .action(async (options: LsOptions) => {
      const { transcripts } = await withEngine(options, (engine) => engine.call('library.list', {}));
      const shown = arranged(transcripts, options);
      if (options.json) for (const transcript of shown) await writeJson(transcript);
      else await write(table(shown.map(rowOf), [2, 3, 4]));
    });
}

function arranged(transcripts: readonly TranscriptSummary[], options: LsOptions): readonly TranscriptSummary[] {
  const { sort, reverse = false, filter = '', tag = [] } = options;
  const wanted = tag.map((name) => name.toLowerCase());
  const tagged = transcripts.filter(({ tags }) => {
    const own = new Set(tags.map((name) => name.toLowerCase()));
    return wanted.every((name) => own.has(name));
  });
  checkLibraryFilter(filter);
  const found = fittingTranscripts(tagged, filter);
  if (sort !== undefined) return sortTranscripts(found, { sort, descending: beginsDescending(sort) !== reverse });
  return reverse ? [...found].reverse() : found;
}

function rowOf(one: TranscriptSummary): string[] {
  const { id, format, messages, tokens, tokensProvenance, errors, startedAt, title, tags, under } = one;
  const counted = tokens === null ? '' : `${figureSign(tokensProvenance)}${grouped(tokens)} tok`;
  const failed = errors ? `${grouped(errors)} err` : '';
  const mark =
    one.whatIf !== null ? ['(what-if)'] : under === null ? [] : [under.as === 'branch' ? '(branch)' : '(sub-agent)'];
  const words = [...mark, oneLine(title, 60), ...tags.map((tag) => `#${oneLine(tag, 60)}`)].join(' ');
  return [id, format, `${grouped(messages)} msg`, counted, failed, startedAt?.slice(0, 10) ?? '', words];
}
