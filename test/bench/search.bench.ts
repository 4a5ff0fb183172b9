/** Search over a made-up library: times of 50 queries of all kinds, the size of the index, and how fast it is made. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine } from '../../core/engine/inProcess.ts';
import { runIndex } from '../../core/engine/jobs/runIndex.ts';
import type { LibrarySearch } from '../../core/protocol/types.ts';
import { Library } from '../../core/store/index.ts';
import { median, quantile } from './measure.ts';
import { makeLibrary, queriesFor } from './searchLibrary.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'search';
/** Messages of the library; PARALLAX_BENCH_SEARCH=1000000 for the whole measure (some ten minutes, 4 GB of disk). */
const MESSAGES = 100_000;
const P95_MS = 150;

function openIn(dir: string): Library {
  const opened = Library.open(dir);
  if (!opened.ok) throw new Error(opened.error.text);
  return opened.value;
}

/** Bytes of the library's file that are in use. */
function usedBytes(library: Library): number {
  const { db } = library.tables;
  db.pragma('wal_checkpoint(TRUNCATE)');
  const of = (name: string) => Number(db.pragma(name, { simple: true }));
  return (of('page_count') - of('freelist_count')) * of('page_size');
}

interface Timed {
  readonly kind: string;
  readonly text: string;
  /** The first time it was asked, and the middle of all times. */
  readonly first: number;
  readonly ms: number;
  /** The middle of the processor's time it took: what it takes where nothing else runs. */
  readonly cpu: number;
  readonly result: LibrarySearch;
}

const ROUNDS = 3;

/** Asks all queries in turn, and that several times: what else the machine does hits them all alike. */
async function timeQueries(dir: string, samples: readonly string[]): Promise<readonly Timed[]> {
  const opened = openEngine(dir, { inline: true });
  if (!opened.ok) throw new Error(opened.error.text);
  const client = opened.value.connect();
  const queries = queriesFor(samples);
  const times = queries.map((): number[] => []);
  const cpus = queries.map((): number[] => []);
  const results: LibrarySearch[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [number, { text }] of queries.entries()) {
      const params = { query: text, sort: number % 2 === 0 ? 'relevance' : 'time', limit: 50 } as const;
      const before = process.cpuUsage();
      const started = performance.now();
      results[number] = await client.call('library.search', params);
      times[number]?.push(performance.now() - started);
      const { user, system } = process.cpuUsage(before);
      cpus[number]?.push((user + system) / 1000);
    }
  }
  await opened.value.dispose();
  return queries.map(({ kind, text }, i) => ({
    kind,
    text,
    first: times[i]![0]!,
    ms: median(times[i]!),
    cpu: median(cpus[i]!),
    result: results[i]!,
  }));
}

/** What there is without an index: a look at every text. */
function plainScan(library: Library): number {
  const started = performance.now();
  library.tables.db.prepare(`SELECT count(*) FROM contents WHERE instr(text, 'zzyzx') > 0`).get();
  return performance.now() - started;
}

function rowsOf(timed: readonly Timed[], name: string, scanMs: number): readonly BenchRow[] {
  const times = timed.map(({ ms }) => ms);
  const p95 = quantile(times, 0.95);
  const slowest = timed.reduce((a, b) => (a.ms >= b.ms ? a : b));
  const hits = (one: Timed) => `${one.result.total.toLocaleString('en')}${one.result.exact ? '' : '+'} hits`;
  const kinds = [...new Set(timed.map(({ kind }) => kind))];
  const ofKind = (kind: string): BenchRow => {
    const same = timed.filter((one) => one.kind === kind);
    const worst = same.reduce((a, b) => (a.ms >= b.ms ? a : b));
    return {
      group: GROUP,
      name: `  ${kind}`,
      value: worst.ms,
      unit: 'ms',
      note: `slowest of ${same.length}, ${Math.round(worst.cpu)} ms of processor: ${hits(worst)}`,
    };
  };
  return [
    {
      ...{ group: GROUP, name: `${name}: ${timed.length} queries, p50`, value: median(times), unit: 'ms' },
      ...{ ratio: scanMs / median(times), against: `plain scan of all texts, ${Math.round(scanMs)} ms` },
    },
    {
      ...{ group: GROUP, name: `${name}: ${timed.length} queries, p95`, value: p95, unit: 'ms' },
      ...{
        aim: `< ${P95_MS} ms`,
        ok: p95 < P95_MS,
        note: `middle of ${ROUNDS} times; slowest: ${slowest.text}, ${Math.round(slowest.ms)} ms`,
      },
    },
    {
      ...{ group: GROUP, name: `${name}: asked for the first time, p95`, unit: 'ms' },
      value: quantile(
        timed.map(({ first }) => first),
        0.95,
      ),
    },
    {
      ...{ group: GROUP, name: `${name}: time of the processor alone, p95`, unit: 'ms' },
      value: quantile(
        timed.map(({ cpu }) => cpu),
        0.95,
      ),
      note: 'what p95 is where nothing else runs',
    },
    ...kinds.map(ofKind),
  ];
}

/** A library of 100,000 messages, or as many as PARALLAX_BENCH_SEARCH says; 10,000 if quick. */
export async function benchSearch({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const messages = Number(process.env.PARALLAX_BENCH_SEARCH ?? (quick ? MESSAGES / 10 : MESSAGES));
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-search-'));
  try {
    const library = openIn(dir);
    const began = performance.now();
    const { samples, textBytes } = makeLibrary(library, messages);
    const before = usedBytes(library);
    const made = performance.now();
    await runIndex(library);
    const indexed = performance.now();
    const indexBytes = usedBytes(library) - before;
    const scanMs = plainScan(library);
    library.close();
    const name = `${messages.toLocaleString('en')} messages`;
    const timed = await timeQueries(dir, samples);
    return [
      {
        group: GROUP,
        name: `${name}: library made in`,
        value: (made - began) / 1000,
        unit: 's',
        note: `${Math.round(textBytes / 1e6)} MB of text`,
      },
      { group: GROUP, name: `${name}: indexing`, value: textBytes / 1e6 / ((indexed - made) / 1000), unit: 'MB/s' },
      {
        group: GROUP,
        name: `${name}: index size a text byte`,
        value: indexBytes / textBytes,
        unit: 'bytes',
        note: `${Math.round(indexBytes / 1e6)} MB`,
      },
      ...rowsOf(timed, name, scanMs),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
