// Which files of a folder are transcripts. Content decides: the first bytes sort out most files, what is left is shown
// to the formats' detection. Nothing is opened that is not a regular file, and no folder twice.

import type { Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formats } from '../../importers/formats/index.ts';
import { HEAD_BYTES, sniff } from '../../importers/sniff.ts';
import type { Problem } from '../../model/problem.ts';
import { openRegular } from '../files/regularFile.ts';

/** A file of a folder. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** What a walk found. */
export interface Walked {
  /** In the order of their paths. */
  readonly files: readonly FoundFile[];
  /** Subfolders and files that could not be read. */
  readonly unreadable: readonly Problem[];
}

/** Folders that hold no transcripts and may hold a hundred thousand files. */
const PASSED_OVER: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const MAX_DEPTH = 32;

/** All regular files below a folder, links followed, each folder once. Throws the signal's reason when aborted. */
export async function walk(root: string, signal: AbortSignal): Promise<Walked> {
  const files: FoundFile[] = [];
  const unreadable: Problem[] = [];
  const visited = new Set<string>();
  const enter = async (folder: string, depth: number): Promise<void> => {
    signal.throwIfAborted();
    const entries = await entriesOf(folder, visited).catch((error: unknown) => {
      unreadable.push(unreadableProblem(folder, error));
      return [];
    });
    for (const { name } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, name);
      const stats = await stat(path).catch((error: unknown) => {
        unreadable.push(unreadableProblem(path, error));
        return null;
      });
      if (stats?.isFile()) files.push(foundFile(path, stats));
      else if (!stats?.isDirectory() || PASSED_OVER.has(name)) continue;
      else if (depth < MAX_DEPTH) await enter(path, depth + 1);
      else unreadable.push(leftOut(path, `it lies more than ${MAX_DEPTH} folders deep; import it by itself`));
    }
  };
  await enter(root, 0);
  return { files, unreadable };
}

async function entriesOf(folder: string, visited: Set<string>) {
  const real = await realpath(folder);
  if (visited.has(real)) return [];
  visited.add(real);
  return readdir(folder, { withFileTypes: true });
}

function foundFile(path: string, { size, mtimeMs }: Stats): FoundFile {
  return { path, bytes: size, mtimeMs };
}

/** Why a folder or file below a chosen folder was left out. */
function unreadableProblem(path: string, error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof Error && code === '') throw error;
  // The system's bytes were not UTF-8: what stands here is not the name that the disk knows.
  if (code === 'ENOENT' && path.includes('\ufffd')) return leftOut(path, 'its name is not UTF-8; give it another');
  const why = { EACCES: 'permission was denied', EPERM: 'permission was denied', ENOENT: 'it is a link to nothing' };
  const said = Object.hasOwn(why, code) ? Reflect.get(why, code) : `the system said ${code}`;
  return leftOut(path, said);
}

function leftOut(path: string, why: string): Problem {
  const text = `${path} was left out: ${why}.`;
  return { code: 'import.unreadable', severity: 'warning', text, where: { file: path } };
}

const FIRST_BYTES = 512;

/** Whether a file is a transcript of a known format, read well or not. */
export async function isTranscript(file: FoundFile): Promise<boolean> {
  return (await knownAs(file)) !== 'other';
}

/**
 * What a file of a folder is: a transcript of a known format; a `misfit`, of which the format that claims it would read
 * little; or no transcript. `other` for one that cannot be opened too: who asks looks for transcripts among many files.
 */
export async function knownAs({ path, bytes }: FoundFile): Promise<'transcript' | 'misfit' | 'other'> {
  if (bytes === 0) return 'other';
  try {
    await using file = await openRegular(path);
    const head = new Uint8Array(Math.min(HEAD_BYTES, bytes));
    const first = await file.read(head, 0, Math.min(FIRST_BYTES, head.length), 0);
    if (!mayBe(head.subarray(0, first.bytesRead))) return 'other';
    const rest = await file.read(head, first.bytesRead, head.length - first.bytesRead, first.bytesRead);
    const read = first.bytesRead + rest.bytesRead;
    const seen = sniff(head.subarray(0, read), read >= bytes);
    const known = formats.detect(seen);
    if (known.ok) return known.value.isMisfit ? 'misfit' : 'transcript';
    // A long first line or a long system prompt: more than the head decides, and that is the import's business.
    const isOpen = read < bytes && (seen.shape === 'json' || !head.subarray(0, read).includes(0x0a));
    return isOpen ? 'transcript' : 'other';
  } catch (error) {
    // What the disk says is reported where the file was asked for; the import reports anything else.
    return error instanceof Error && 'code' in error ? 'other' : 'transcript';
  }
}

/** JSON, JSON lines, server-sent events, or a zip archive, by the first bytes that are not white space. */
function mayBe(first: Uint8Array): boolean {
  const text = String.fromCharCode(...first)
    .replace(/^(\u00ef\u00bb\u00bf)/, '')
    .trimStart();
  return /^[[{]|^(data|event|id|retry): ?|^PK\u0003\u0004|^\0/.test(text) || text === '';
}
