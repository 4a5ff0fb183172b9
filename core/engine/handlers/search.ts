import type { Handlers } from '../../protocol/serve.ts';
import type { LibraryHit, LibrarySearch, SearchGroup } from '../../protocol/types.ts';
import { isRunnable, parseQuery } from '../../search/parseQuery.ts';
import { err, ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { SUPERSEDED } from '../failures.ts';
import { Latest } from '../latest.ts';
import { startIndexing } from '../library/indexing.ts';
import { summaryOf } from '../library/summary.ts';
import { hitDetail } from '../librarySearch/hitDetail.ts';
import { RecentRuns } from '../librarySearch/recentRuns.ts';
import { HITS_MAX, SearchRun } from '../librarySearch/run.ts';
import { filterValues } from '../librarySearch/values.ts';
import { createSlicer, type Slicer } from '../slicer.ts';

/** Full-text search over the library. */
export function searchHandlers(engine: Engine): Pick<Handlers, 'library.search' | 'search.values'> {
  const turns = new Latest();
  engine.whenLeft((clientId) => turns.forget(clientId));
  const runs = new RecentRuns();
  return {
    async 'library.search'(params, client) {
      const started = performance.now();
      const overtaken = turns.begin(client.clientId);
      const slicer = createSlicer();
      const query = parseQuery(params.query, { time: Date.now(), zoneMinutes: -new Date().getTimezoneOffset() });
      startIndexing(engine);
      const base = { problems: query.problems, coverage: engine.library.searchCoverage() };
      if (!isRunnable(query)) return ok({ ...base, ...NOTHING, sort: params.sort, ms: performance.now() - started });
      const known = runs.continued(params, client.clientId);
      const { searchQueries } = engine.library.tables;
      const run = known?.run ?? new SearchRun(searchQueries, query, params.sort);
      const from = known?.from ?? 0;
      if (!(await run.ensure(from + params.limit, slicer, overtaken))) return err(SUPERSEDED);
      const hits = await readHits(
        engine,
        run,
        { from, to: Math.min(from + params.limit, HITS_MAX) },
        slicer,
        overtaken,
      );
      if (hits === null) return err(SUPERSEDED);
      return ok({
        ...base,
        ...resultOf(engine, run, hits),
        cursor: runs.cursor(run, params, client.clientId, from + hits.length),
        ms: performance.now() - started,
      });
    },
    'search.values': ({ filter, text }) => ok({ values: filterValues(engine, filter, text) }),
  };
}

const NOTHING = { hits: [], groups: [], total: 0, exact: true, transcripts: 0, cursor: null } as const;

function resultOf(
  engine: Engine,
  run: SearchRun,
  hits: readonly LibraryHit[],
): Pick<LibrarySearch, 'hits' | 'groups' | 'total' | 'exact' | 'transcripts' | 'sort'> {
  const shown = new Set(hits.map(({ transcriptId }) => transcriptId));
  const groups: SearchGroup[] = [];
  for (const [transcript, count] of run.counts) {
    const id = run.uid(transcript);
    if (shown.has(id)) groups.push(groupOf(engine, id, count, run.isCounted(transcript)));
  }
  const { hits: total, exact } = run.total;
  return { hits, groups, total, exact, transcripts: run.counts.size, sort: run.sort };
}

function groupOf({ library }: Engine, transcriptId: string, hits: number, exact: boolean): SearchGroup {
  const row = library.get(transcriptId);
  const summary = row === null ? null : summaryOf(row, null);
  return {
    transcriptId,
    title: summary?.title ?? transcriptId,
    format: summary?.format ?? '',
    project: summary?.project ?? null,
    model: summary?.model ?? null,
    startedAt: summary?.startedAt ?? null,
    endedAt: summary?.endedAt ?? null,
    hits,
    exact,
  };
}

/** The hits [from, to) in full; null = overtaken. */
async function readHits(
  { library }: Engine,
  run: SearchRun,
  { from, to }: { readonly from: number; readonly to: number },
  slicer: Slicer,
  overtaken: () => boolean,
): Promise<LibraryHit[] | null> {
  const { searchQueries } = library.tables;
  const read: LibraryHit[] = [];
  for (const { transcript, idx, content } of run.hits.slice(from, to)) {
    const json = searchQueries.text(content);
    const mark = searchQueries.marksOf(transcript)(idx);
    const { time } = mark;
    const meta = mark.failed ? searchQueries.meta(transcript, idx) : {};
    read.push({
      transcriptId: run.uid(transcript),
      index: idx,
      timestamp: time === null ? null : new Date(time).toISOString(),
      ...(json === null ? GONE : hitDetail(json, run.query, mark, meta)),
    });
    const pause = slicer.pause();
    if (pause === null) continue;
    await pause;
    if (overtaken()) return null;
  }
  return read;
}

/** A message that was removed between being found and being read. */
const GONE = {
  part: 0,
  label: 'removed',
  origin: null,
  role: '',
  tool: null,
  isError: false,
  occurrences: 0,
  snippet: { text: '', marks: [], cutBefore: false, cutAfter: false },
} as const;
