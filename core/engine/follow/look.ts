// A look into a place where a tool keeps sessions, so that some of them can be chosen. Of each file the first bytes are
// read: enough for a title and a project, whatever its size.
import { basename } from 'node:path';
import { type ImportedTranscript, importText } from '../../importers/memory.ts';
import { partText } from '../../model/partText.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { FoundSession } from '../../protocol/types.ts';
import { openRegular } from '../files/regularFile.ts';
import { filesOf } from './places.ts';

const HEAD_BYTES = 96 * 1024;
const LISTED = 60;
const WORDS_CHARS = 160;

/** The sessions of a known place, newest first; `more` = how many are not listed. Any other path has none. */
export async function lookInside(
  path: string,
  signal: AbortSignal,
): Promise<{ readonly sessions: readonly FoundSession[]; readonly more: number }> {
  const files = (await filesOf(path, signal)).toSorted((a, b) => b.mtimeMs - a.mtimeMs);
  const sessions: FoundSession[] = [];
  for (const { path: file, bytes, mtimeMs } of files.slice(0, LISTED)) {
    const said = await aboutFile(file);
    sessions.push({ path: file, bytes, modifiedAt: new Date(mtimeMs).toISOString(), ...said });
  }
  return { sessions, more: Math.max(0, files.length - LISTED) };
}

/** A file that cannot be read is listed by its name: its import says what is wrong with it. */
async function aboutFile(path: string): Promise<Pick<FoundSession, 'title' | 'project'>> {
  const head = await headOf(path).catch(() => null);
  const read = head === null ? undefined : importText(wholeLines(head)).transcripts[0];
  const title = read && (read.meta.title ?? describeFirst(read));
  return { title: title ?? basename(path), project: read?.meta.project ?? read?.meta.cwd ?? null };
}

/** The first words that a person wrote. */
function describeFirst({ messages }: ImportedTranscript): string | undefined {
  for (const { text, meta } of messages) {
    if (meta.injected === true || meta.compactSummary === true) continue;
    const message: unknown = JSON.parse(text);
    const { role, parts } = readMessage(message);
    const said = role === 'user' ? parts.find(({ kind }) => kind === 'text') : undefined;
    const words = said && partText(message, said).slice(0, WORDS_CHARS).replace(/\s+/g, ' ').trim();
    if (words && !words.startsWith('<')) return words;
  }
  return undefined;
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await openRegular(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Without the line that the end of the head cuts. */
function wholeLines(head: Uint8Array): Uint8Array {
  return head.length < HEAD_BYTES ? head : head.subarray(0, head.lastIndexOf(0x0a) + 1);
}
