import type { Command } from 'commander';
import type { EngineClient } from '../../core/protocol/channel.ts';
import type { LibraryHit, LibrarySearch, SearchGroup } from '../../core/protocol/types.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { EXIT, usageFailure } from '../support/failure.ts';
import { grouped, note, oneLine, write, writeJson } from '../support/output.ts';

interface SearchOptions extends LibraryOptions {
  readonly json?: boolean;
  readonly limit: string;
  readonly sort: string;
}

const PAGE = 200;
const LIMIT_MAX = 10_000;

/** `parallax search`. Exit 1 if nothing was found, as grep. */
export function addSearch(program: Command): void {
  program
    .command('search <query...>')
    .description('search the text of all transcripts of the library')
    .option('--library <dir>', 'folder of the library')
    .option('--limit <n>', `hits to print, at most ${LIMIT_MAX}`, '50')
    .option('--sort <order>', 'relevance or time (the newest transcript first)', 'relevance')
    .option('--json', 'one line of JSON a hit')
    .addHelpText(
      'after',
      '\nThe query: words, "a phrase", begin*, -without, a OR b, role:user, tool:Bash, after:7d; see docs/search.md.',
    )
    .action(async (words: string[], options: SearchOptions) => {
      const asked = { query: words.join(' '), sort: sortOf(options.sort), limit: limitOf(options.limit) };
      const found = await withEngine(options, async (engine) => {
        const first = await searchable(engine, asked.query, asked.sort, Math.min(PAGE, asked.limit));
        return restOf(engine, first, asked);
      });
      await print(found, options.json === true);
      if (found.hits.length === 0) process.exitCode = EXIT.finding;
    });
}

type Sort = LibrarySearch['sort'];
type Found = Pick<LibrarySearch, 'hits' | 'groups' | 'total' | 'exact'>;

function sortOf(sort: string): Sort {
  if (sort === 'relevance' || sort === 'time') return sort;
  throw usageFailure(`--sort is relevance or time, not "${sort}"`);
}

function limitOf(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw usageFailure(`--limit is a number from 1 to ${LIMIT_MAX}, not "${text}"`);
}

/** The first page, once all text of the library can be searched. */
async function searchable(engine: EngineClient, query: string, sort: Sort, limit: number): Promise<LibrarySearch> {
  // What ends between two calls must not be missed: listen before asking.
  let ended: () => void = () => {};
  const stop = engine.on('job', (job) => {
    if (job.kind === 'index' && job.state !== 'queued' && job.state !== 'running') ended();
  });
  try {
    for (let told = false; ; told = true) {
      const indexed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const found = await engine.call('library.search', { query, sort, limit });
      const { indexed: done, total, cut } = found.coverage;
      const [error] = found.problems.filter(({ severity }) => severity === 'error');
      if (error !== undefined)
        throw usageFailure(`${error.text} (character ${error.from + 1} of the query)`, 'query.invalid');
      if (done >= total) {
        for (const { text } of found.problems) note(text);
        if (cut > 0) note(`of ${grouped(cut)} messages only the first 8 million characters can be found`);
        return found;
      }
      if (!told) note(`making ${grouped(total - done)} messages searchable first…`);
      await indexed;
    }
  } finally {
    stop();
  }
}

async function restOf(
  engine: EngineClient,
  first: LibrarySearch,
  { query, sort, limit }: { readonly query: string; readonly sort: Sort; readonly limit: number },
): Promise<Found> {
  const hits = [...first.hits];
  const groups = [...first.groups];
  let { cursor, total, exact } = first;
  while (cursor !== null && hits.length < limit) {
    const page = await engine.call('library.search', {
      query,
      sort,
      cursor,
      limit: Math.min(PAGE, limit - hits.length),
    });
    hits.push(...page.hits);
    groups.push(...page.groups);
    ({ cursor, total, exact } = page);
  }
  return { hits, groups, total, exact };
}

async function print({ hits, groups, total, exact }: Found, json: boolean): Promise<void> {
  const byId = new Map(groups.map((group) => [group.transcriptId, group]));
  let last = '';
  for (const hit of hits) {
    const group = byId.get(hit.transcriptId);
    if (json) await writeJson({ ...hit, title: group?.title, format: group?.format });
    else if (hit.transcriptId !== last) await write(`${last === '' ? '' : '\n'}${headOf(hit, group)}\n`);
    if (!json) await write(`  ${lineOf(hit)}\n`);
    last = hit.transcriptId;
  }
  const more = hits.length < total || !exact ? `, the first ${grouped(hits.length)} printed` : '';
  if (!json) note(`${grouped(total)}${exact ? '' : '+'} ${total === 1 ? 'message' : 'messages'} found${more}`);
}

function headOf({ transcriptId }: LibraryHit, group: SearchGroup | undefined): string {
  return [transcriptId, group?.format ?? '', group?.endedAt?.slice(0, 10) ?? '', oneLine(group?.title ?? '', 80)]
    .filter((part) => part !== '')
    .join('  ');
}

function lineOf({ index, label, tool, occurrences, snippet }: LibraryHit): string {
  const times = occurrences > 1 ? ` (${grouped(occurrences)}×)` : '';
  const text = `${snippet.cutBefore ? '…' : ''}${oneLine(snippet.text, 240)}${snippet.cutAfter ? '…' : ''}`;
  return `#${index} ${tool ?? label}${times}  ${text}`;
}
