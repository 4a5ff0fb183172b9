import type { Command } from 'commander';
import type { EngineClient } from '../../core/protocol/client.ts';
import type { JobInfo, LibraryHit, LibrarySearch, SearchGroup } from '../../core/protocol/types.ts';
import { wholeNumber } from '../support/arguments.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { EXIT, inputFailure, usageFailure } from '../support/failure.ts';
import { grouped, note, oneLine, write, writeJson } from '../support/output.ts';
import { LIBRARY } from '../support/sharedOptions.ts';

interface SearchOptions extends LibraryOptions {
  readonly json?: boolean;
  readonly limit: number;
  readonly sort: string;
}

const PAGE = 200;
const LIMIT_MAX = 10_000;

/** `parallax search`. Exit 1 if nothing was found, as grep. */
export function addSearch(program: Command): void {
  program
    .command('search <query...>')
    .description('search the text of all transcripts of the library')
    .option(...LIBRARY)
    .option('--limit <n>', `hits to print, at most ${LIMIT_MAX}`, wholeNumber('--limit', 1, LIMIT_MAX), 50)
    .option('--sort <order>', 'relevance or time (the newest transcript first)', 'relevance')
    .option('--json', 'one line of JSON a hit')
    .addHelpText(
      'after',
      '\nThe query: words, "a phrase", begin*, -without, a OR b, role:user, tool:Bash, after:7d; see docs/search.md.',
    )
    .action(async (words: string[], options: SearchOptions) => {
      const asked = { query: words.join(' '), sort: sortOf(options.sort), limit: options.limit };
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

/** The first page, once all text of the library can be searched. Fails with the reason if it cannot be made so. */
async function searchable(engine: EngineClient, query: string, sort: Sort, limit: number): Promise<LibrarySearch> {
  let ended: () => void = () => {};
  const stop = engine.on('job', (job) => {
    if (MAKES_SEARCHABLE.includes(job.kind) && isEnded(job)) ended();
  });
  try {
    for (let before = -1; ; ) {
      // What ends between two calls must not be missed: listen before asking.
      const indexed = new Promise<void>((resolve) => {
        ended = resolve;
      });
      const found = await engine.call('library.search', { query, sort, limit });
      const [error] = found.problems.filter(({ severity }) => severity === 'error');
      if (error !== undefined)
        throw usageFailure(`${error.text} (character ${error.from + 1} of the query)`, 'query.invalid');
      const { coverage } = found;
      if (coverage.indexed >= coverage.total || (await staysAsItIs(engine, coverage))) return noted(found);
      if (before < 0) note(`making ${grouped(coverage.total - coverage.indexed)} messages searchable first…`);
      await stillIndexing(engine, coverage.indexed > before, indexed);
      before = coverage.indexed;
    }
  } finally {
    stop();
  }
}

/** What an older version read is read again first. */
const MAKES_SEARCHABLE: readonly JobInfo['kind'][] = ['index', 'upkeep'];

function isEnded({ state }: JobInfo): boolean {
  return state !== 'queued' && state !== 'running';
}

/** A library that cannot be written to is searched as far as it was made searchable before. */
async function staysAsItIs(engine: EngineClient, { indexed, total }: LibrarySearch['coverage']): Promise<boolean> {
  const { unwritable } = await engine.call('engine.info', {});
  if (unwritable === null) return false;
  note(`${unwritable} ${grouped(total - indexed)} messages were never made searchable, and are not searched`);
  return true;
}

/** Waits for the end of what makes text searchable. Fails if nothing does any more, and the last one did not get on. */
async function stillIndexing(engine: EngineClient, gotOn: boolean, ended: Promise<void>): Promise<void> {
  const { jobs } = await engine.call('job.list', {});
  if (jobs.some((job) => MAKES_SEARCHABLE.includes(job.kind) && !isEnded(job))) return ended;
  const last = jobs.findLast(({ kind }) => kind === 'index');
  if (last?.state !== 'failed' && gotOn) return;
  const why = last?.error?.message ?? 'the job that does it ended, and left some';
  throw inputFailure(`the text cannot be made searchable: ${why}`, last?.error?.code);
}

function noted(found: LibrarySearch): LibrarySearch {
  for (const { text } of found.problems) note(text);
  const { cut } = found.coverage;
  if (cut > 0) note(`of ${grouped(cut)} messages only the first 8 million characters can be found`);
  return found;
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

function lineOf({ index, label, origin, tool, occurrences, snippet }: LibraryHit): string {
  const times = occurrences > 1 ? ` (${grouped(occurrences)}×)` : '';
  const text = `${snippet.cutBefore ? '…' : ''}${oneLine(snippet.text, 240)}${snippet.cutAfter ? '…' : ''}`;
  const by = origin === null ? '' : `, ${origin}`;
  return `#${index} ${tool ?? label}${by}${times}  ${text}`;
}
