// Repairs a session file (one JSON value a line) on request: lines that are not JSON go. The file as it was is kept beside
// it; the new one is written under another name and renamed, so that there is never half a file. A file with nothing
// broken is not written. Source: hygiene facts, 5.

import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { grouped } from '../../util/counts.ts';
import { isRecord, stringAt } from '../../util/unknown.ts';
import { readRegular } from './regularFile.ts';

/** What was found and done. `reason` says why nothing was done where something was wrong. */
export interface SessionFileRepair {
  readonly repaired: boolean;
  readonly droppedLines: number;
  /** The lines dropped, from 1. */
  readonly lines: readonly number[];
  readonly backupPath?: string;
  readonly reason?: string;
  /** Sentences for people. */
  readonly warnings: readonly string[];
}

/** What the caller supplies: names of new files are unique by process and time. */
export interface RepairOptions {
  readonly now?: () => number;
  readonly pid?: number;
  /** Looks only, and writes nothing. */
  readonly dryRun?: boolean;
}

/** Repairs the file at `path`. `reason` explains an expected failure; the file is then as it was. */
export async function repairSessionFile(path: string, options: RepairOptions = {}): Promise<SessionFileRepair> {
  const nothing = { repaired: false, droppedLines: 0, lines: [], warnings: [] };
  let bytes: Buffer;
  try {
    bytes = await readRegular(path);
  } catch (error) {
    if (isMissing(error)) return { ...nothing, reason: 'missing session file' };
    const reason = `failed to read session file: ${messageOf(error)}`;
    return { ...nothing, reason, warnings: [`${path}: ${reason}`] };
  }
  const { entries, broken } = readEntries(bytes.toString('utf8'));
  const found = { ...nothing, droppedLines: broken.length, lines: broken };
  if (entries.length === 0) return { ...found, reason: 'empty session file' };
  if (!isHeader(entries[0]?.value)) {
    const reason = 'invalid session header';
    return { ...found, reason, warnings: [`${path}: ${reason}; the file was left as it is`] };
  }
  if (broken.length === 0 || options.dryRun === true) return found;
  return write(path, bytes, entries, found, options);
}

interface Entry {
  readonly value: unknown;
}

function readEntries(text: string): { readonly entries: readonly Entry[]; readonly broken: readonly number[] } {
  const entries: Entry[] = [];
  const broken: number[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    try {
      entries.push({ value: JSON.parse(line) });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      broken.push(at + 1);
    }
  }
  return { entries, broken };
}

function isHeader(value: unknown): boolean {
  return isRecord(value) && value.type === 'session' && (stringAt(value, 'id') ?? '') !== '';
}

async function write(
  path: string,
  bytes: Buffer,
  entries: readonly Entry[],
  found: SessionFileRepair,
  { now = Date.now, pid = process.pid }: RepairOptions,
): Promise<SessionFileRepair> {
  const stamp = `${pid}-${now()}`;
  const backupPath = `${path}.bak-${stamp}`;
  const temporary = join(dirname(path), `${basename(path)}.repair-${stamp}.tmp`);
  try {
    const { mode } = await stat(path);
    await writeFile(backupPath, bytes, { mode, flag: 'wx' });
    await chmod(backupPath, mode); // as the file was, whatever this process keeps from others
    const text = `${entries.map(({ value }) => JSON.stringify(value)).join('\n')}\n`;
    await writeFile(temporary, text, { mode, flag: 'wx', flush: true });
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    const reason = `repair failed: ${messageOf(error)}`;
    return { ...found, reason, warnings: [`${path}: ${reason}`] };
  }
  const lines = found.lines.length === 1 ? 'one line that was' : `${grouped(found.lines.length)} lines that were`;
  const warning = `${path}: dropped ${lines} no JSON; the file as it was is ${backupPath}`;
  return { ...found, repaired: true, backupPath, warnings: [warning] };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
