// npm run corpus:table [-- FILE…]   Imports every file into a new library through the engine's own jobs, counts its
// tokens, and prints a table; without files the visible files of the formats that are read. Exit code 1 if a job crashed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openEngine } from '../core/engine/inProcess.ts';
import { formats } from '../core/importers/formats/index.ts';
import { type EngineClient, EngineError } from '../core/protocol/client.ts';
import type { ImportOutcome, TranscriptSummary } from '../core/protocol/types.ts';
import { corpusFiles, sharedDir } from './support/shared.ts';

interface Row {
  readonly file: string;
  readonly transcripts: number;
  readonly messages: number;
  readonly problems: Readonly<Record<'error' | 'warning' | 'info', number>>;
  readonly exact: number;
  readonly estimated: number;
  readonly seconds: number;
  /** Why nothing was imported, or what crashed. */
  readonly note: string;
  readonly crashed: boolean;
}

const EMPTY: Omit<Row, 'file'> = {
  transcripts: 0,
  messages: 0,
  problems: { error: 0, warning: 0, info: 0 },
  exact: 0,
  estimated: 0,
  seconds: 0,
  note: '',
  crashed: false,
};

const POLL_MS = 20;

/** Waits until nothing is queued or running; what failed meanwhile. */
async function settle(client: EngineClient, known: Set<string>): Promise<string[]> {
  for (;;) {
    const { jobs } = await client.call('job.list', {});
    if (jobs.every(({ state }) => state !== 'queued' && state !== 'running')) {
      const failed = jobs.filter(({ jobId, state }) => state === 'failed' && !known.has(jobId));
      for (const { jobId } of failed) known.add(jobId);
      return failed.map(({ title, error }) => `${title}: ${error?.message ?? '?'}`);
    }
    await setTimeout(POLL_MS);
  }
}

async function importOne(client: EngineClient, file: string, failures: Set<string>): Promise<Row> {
  const startedAt = performance.now();
  const outcome = await outcomeOf(client, file);
  const failed = await settle(client, failures);
  const seconds = (performance.now() - startedAt) / 1000;
  if (typeof outcome === 'string') return { ...EMPTY, file, seconds, note: outcome, crashed: true };
  const ids = new Set(outcome.transcripts.map(({ id }) => id));
  const { transcripts } = await client.call('library.list', {});
  const own = transcripts.filter(({ id }) => ids.has(id));
  const uncounted = own.filter(({ tokens, messages }) => tokens === null && messages > 0).length;
  if (uncounted > 0) failed.push(`${uncounted} transcripts were not counted`);
  return {
    file,
    transcripts: own.length,
    messages: own.reduce((sum, { messages }) => sum + messages, 0),
    problems: bySeverity(outcome),
    exact: tokensOf(own, 'exact'),
    estimated: tokensOf(own, 'estimated'),
    seconds,
    note: [...(outcome.error ? [outcome.error.code] : []), ...failed].join('; '),
    crashed: failed.length > 0,
  };
}

async function outcomeOf(client: EngineClient, file: string): Promise<ImportOutcome | string> {
  try {
    const { jobId } = await client.call('import.start', { paths: [file] });
    const { outcomes } = await client.call('import.result', { jobId });
    return outcomes[0] ?? 'the job ended without an outcome';
  } catch (error) {
    if (error instanceof EngineError) return error.message;
    throw error;
  }
}

function bySeverity({ problems }: ImportOutcome): Row['problems'] {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity]++;
  return counts;
}

function tokensOf(transcripts: readonly TranscriptSummary[], provenance: 'exact' | 'estimated'): number {
  return transcripts
    .filter(({ tokensProvenance }) => tokensProvenance === provenance)
    .reduce((sum, { tokens }) => sum + (tokens ?? 0), 0);
}

const HEAD = [
  'file',
  'transcripts',
  'messages',
  'err/warn/info',
  'tokens exact',
  'tokens estimated',
  'seconds',
  'note',
];

function cells(row: Row): string[] {
  const { error, warning, info } = row.problems;
  return [
    row.file,
    String(row.transcripts),
    String(row.messages),
    `${error}/${warning}/${info}`,
    String(row.exact),
    String(row.estimated),
    row.seconds.toFixed(2),
    row.crashed ? `CRASHED ${row.note}` : row.note,
  ];
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isText = (column: number) => column === 0 || column === HEAD.length - 1;
  for (const row of rows) {
    const padded = row.map((cell, at) => (isText(at) ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)));
    console.log(padded.join('  ').trimEnd());
  }
}

function totalOf(rows: readonly Row[]): Row {
  const sum = (read: (row: Row) => number) => rows.reduce((total, row) => total + read(row), 0);
  return {
    file: `total: ${rows.length} files, ${rows.filter(({ crashed }) => crashed).length} crashes`,
    transcripts: sum((row) => row.transcripts),
    messages: sum((row) => row.messages),
    problems: {
      error: sum((row) => row.problems.error),
      warning: sum((row) => row.problems.warning),
      info: sum((row) => row.problems.info),
    },
    exact: sum((row) => row.exact),
    estimated: sum((row) => row.estimated),
    seconds: sum((row) => row.seconds),
    note: '',
    crashed: false,
  };
}

async function main(given: readonly string[]): Promise<number> {
  const files =
    given.length > 0 ? given.map((file) => resolve(file)) : formats.all.flatMap(({ id }) => corpusFiles(id));
  if (files.length === 0) {
    console.error('usage: npm run corpus:table -- FILE…   (no corpus was found beside this checkout)');
    return 2;
  }
  const root = `${sharedDir() ?? ''}/`;
  const dir = mkdtempSync(join(tmpdir(), 'parallax-table-'));
  const opened = openEngine(dir);
  if (!opened.ok) throw new Error(opened.error.text);
  const client = opened.value.connect();
  const failures = new Set<string>();
  const rows: Row[] = [];
  for (const file of files) {
    const row = await importOne(client, file, failures);
    rows.push({ ...row, file: file.startsWith(root) ? file.slice(root.length) : file });
  }
  await opened.value.dispose();
  rmSync(dir, { recursive: true, force: true });
  printTable([HEAD, ...rows.map(cells), cells(totalOf(rows))]);
  return rows.some(({ crashed }) => crashed) ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
