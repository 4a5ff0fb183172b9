import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MemoryTranscript } from '../../core/importers/memory.ts';
import { jidoThread, type ThreadLoss } from '../../core/report/jidoThread.ts';
import { countOf, grouped } from '../../core/util/counts.ts';
import { type LibraryOptions, withEngine } from '../support/engine.ts';
import { usageFailure } from '../support/failure.ts';
import { readTranscript } from '../support/input.ts';
import { note, oneLine, writeJson, writeJsonText, writeLine } from '../support/output.ts';
import { callPointOf } from '../support/projecting.ts';
import { writeChunks } from '../support/writeChunks.ts';

/** What `parallax export --thread` is given. */
export interface ThreadOptions extends LibraryOptions {
  readonly thread: string;
  readonly at?: string;
  readonly transcript?: string;
  readonly mapping?: string;
  readonly output?: string;
  readonly json?: boolean;
}

const LISTED = 20;

/** Writes a transcript as a thread of another runtime; what it cannot carry goes to stderr, or with --json to stdout. */
export async function exportThread(from: string, options: ThreadOptions): Promise<void> {
  if (options.thread !== 'jido') throw usageFailure(`there is no thread "${options.thread}"; there is jido`);
  if (from === '-' || existsSync(from)) await fromFile(from, options);
  else await fromLibrary(from, options);
}

async function fromFile(file: string, options: ThreadOptions): Promise<void> {
  const { transcript } = await readTranscript(file, options);
  const memory = MemoryTranscript.of(transcript);
  const { length } = memory;
  const source = {
    length,
    text: (index: number) => memory.text(index),
    facts: (index: number) => memory.facts(index),
    meta: (index: number) => transcript.messages[index]?.meta ?? {},
    compactions: () => memory.compactions(),
  };
  const to = callPointOf(options.at, length);
  const { json, entries, losses } = jidoThread(
    source,
    transcript.meta,
    transcript.meta.sessionId ?? transcript.key,
    to,
  );
  if (options.output === undefined) {
    reportLosses(losses);
    await writeJsonText(json);
    return;
  }
  const path = resolve(options.output);
  const bytes = await writeChunks(path, [json], 'the thread');
  await reportWritten({ path, bytes, entries, losses }, options);
}

// A what-if is in the library alone.
async function fromLibrary(id: string, options: ThreadOptions): Promise<void> {
  if (options.mapping !== undefined) throw usageFailure(`--mapping reads a file; there is no file ${id}`);
  const { output } = options;
  if (output === undefined) {
    await toStdout(id, options);
    return;
  }
  const path = resolve(output);
  await reportWritten(await withEngine(options, (engine) => engine.call('export.thread', { id, path })), options);
}

// The engine writes files: one for a moment, of which nothing is left.
async function toStdout(id: string, options: ThreadOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'parallax-thread-'));
  try {
    const path = join(folder, 'thread.json');
    const { losses } = await withEngine(options, (engine) => engine.call('export.thread', { id, path }));
    reportLosses(losses);
    await writeJsonText(await readFile(path, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Written {
  readonly path: string;
  readonly bytes: number;
  readonly entries: number;
  readonly losses: readonly ThreadLoss[];
}

async function reportWritten(written: Written, { json = false }: ThreadOptions): Promise<void> {
  if (json) {
    await writeJson(written);
    return;
  }
  reportLosses(written.losses);
  await writeLine(
    `${written.path}  ${countOf(written.bytes, 'byte')}  ${grouped(written.entries)} ${written.entries === 1 ? 'entry' : 'entries'}`,
  );
}

function reportLosses(losses: readonly ThreadLoss[]): void {
  for (const { index, what } of losses.slice(0, LISTED)) {
    note(`not carried${index === null ? '' : `, #${index}`}: ${oneLine(what)}`);
  }
  if (losses.length > LISTED) note(`… and ${grouped(losses.length - LISTED)} more`);
}
