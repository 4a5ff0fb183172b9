import type { Stats } from 'node:fs';
import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isReadByOlder } from '../../importers/reading/olderReader.ts';
import type { Problem } from '../../model/problem.ts';
import type {
  FeedRow,
  FileIdentity,
  ImportStart,
  ImportWriter,
  Library,
  WrittenTranscript,
} from '../../store/index.ts';
import { Feed, type FeedWatch, type FileAsRead, FileRewrittenError, ReadingChangedError } from './feed.ts';
import { CHUNK_BYTES, FileChangedError, hashFile, probeFile } from './fileIdentity.ts';
import { type MappedReading, probeBy } from './mapped.ts';
import { sameConversation } from './sameConversation.ts';

/** A file as it was found, open. */
export interface OpenFile {
  readonly path: string;
  readonly file: FileHandle;
  readonly stats: Stats;
  /** The mapping to read it by; null or absent = it has a format. */
  readonly reading?: MappedReading | null;
}

/** What is to be done with a file. */
export type OpenedFeed =
  /** The library has all of it. */
  | { readonly kind: 'existing'; readonly transcripts: readonly WrittenTranscript[] }
  /** Somebody else reads it just now. */
  | { readonly kind: 'busy' }
  /**
   * To be read on from `feed.bytes`. `goesOn`: what was read before stays whatever happens now. `note` says what became
   * of an earlier content of the path.
   */
  | {
      readonly kind: 'feed';
      readonly feed: Feed;
      readonly goesOn: boolean;
      readonly note: Problem | null;
      readonly identity: FileIdentity;
    }
  /** It was read in again, in place of what it was before. */
  | { readonly kind: 'renewed'; readonly feed: Feed };

/**
 * Finds out what the library knows of a file. A file that grew is brought to where it was left; one that was rewritten
 * but carries the same conversation further is read again in its place; any other content is a new source.
 */
export async function openFeed(library: Library, open: OpenFile, watch: FeedWatch): Promise<OpenedFeed> {
  const identity = await identify(library, open, watch.signal);
  const start = library.tables.beginImport(identity);
  switch (start.kind) {
    case 'existing':
      if (start.source !== null && isStale(library, start.source))
        return renewed(library, open, identity, start.source);
      return start;
    case 'busy':
      return start;
    case 'writer':
      return { kind: 'feed', feed: feedOf(open, start.writer), goesOn: false, note: null, identity };
    case 'known':
      return rewritten(library, open, identity, start.source, watch);
    case 'resume':
      return resumed(library, open, identity, start, watch);
  }
}

async function identify(library: Library, open: OpenFile, signal: AbortSignal): Promise<FileIdentity> {
  const { path, file, stats, reading = null } = open;
  const { probe: plain, whole } = await probeFile(file, stats.size, signal);
  const probe = probeBy(reading, plain);
  const known = whole || library.tables.isProbeKnown(probe);
  const sha256 = whole ? plain : known ? await hashFile(file, stats.size, signal) : null;
  return { path, bytes: stats.size, mtimeMs: stats.mtimeMs, probe, sha256, mapping: reading?.hash ?? null };
}

function feedOf({ path, reading = null }: OpenFile, writer: ImportWriter, mark: FeedRow | null = null) {
  return new Feed(path, writer, mark, reading);
}

// A newer reader makes more of what is there than the one that read it: then it is read again in its place.
function isStale(library: Library, source: number): boolean {
  const found = library.tables.transcriptsOf(source);
  return found.some(({ id }) => {
    const row = library.tables.transcripts.get(id);
    return row !== null && isReadByOlder(row.meta);
  });
}

type Resume = Extract<ImportStart, { kind: 'resume' }>;

async function resumed(
  library: Library,
  open: OpenFile,
  identity: FileIdentity,
  start: Resume,
  watch: FeedWatch,
): Promise<OpenedFeed> {
  const { writer, mark, source, unfinished } = start;
  if (!unfinished && isStale(library, source)) {
    writer.release();
    return renewed(library, open, identity, source);
  }
  const feed = feedOf(open, writer, mark);
  try {
    await feed.replay(open.file, mark, watch);
    return { kind: 'feed', feed, goesOn: !unfinished, note: null, identity };
  } catch (error) {
    writer.release();
    if (error instanceof ReadingChangedError) return renewed(library, open, identity, source);
    const isOther = error instanceof FileRewrittenError || error instanceof FileChangedError;
    if (!isOther) throw error;
    if (!unfinished) return rewritten(library, open, identity, source, watch);
    // An import that was interrupted, of a content that is no more: nobody can finish it.
    library.tables.removePartial(source);
    return { ...begunAgain(library, open, identity), note: null };
  }
}

async function rewritten(
  library: Library,
  open: OpenFile,
  identity: FileIdentity,
  source: number,
  watch: FeedWatch,
): Promise<OpenedFeed> {
  const grew = await beganAs(library, open, source, watch.signal);
  if (grew || (await sameConversation(library, open, source, watch.signal))) {
    return renewed(library, open, identity, source);
  }
  const text = `${open.path} was rewritten: its content is another one than when it was imported. The transcripts of then are kept as they were; what is in it now is imported as new.`;
  const note: Problem = { code: 'import.file_rewritten', severity: 'info', text, where: { file: open.path } };
  return { ...begunAgain(library, open, identity), note };
}

/** Whether the file still begins with all that the source was. */
async function beganAs(library: Library, { file, stats }: OpenFile, source: number, signal: AbortSignal) {
  const { imports } = library.tables;
  const before = imports.source(source);
  const bytes = imports.bytesOf(source);
  if (before?.sha256 == null || bytes > stats.size) return false;
  return (await hashFile(file, bytes, signal)).equals(before.sha256);
}

function begunAgain(library: Library, open: OpenFile, identity: FileIdentity) {
  const { writer } = library.tables.beginAgain(identity);
  return { kind: 'feed', feed: feedOf(open, writer), goesOn: false, identity } as const;
}

/** Reads all of a file in, in the place of what its source was: one transaction, so that nobody sees it half done. */
function renewed(library: Library, open: OpenFile, { probe }: FileIdentity, source: number): OpenedFeed {
  const feed = library.tables.renew(source, (writer) => {
    const feed = feedOf(open, writer);
    for (const chunk of chunksSync(open)) feed.take(chunk);
    if (feed.growsByLines) {
      feed.rest(asRead(open, probe));
    } else {
      feed.end();
      feed.finish(asRead(open, probe));
    }
    return feed;
  });
  return { kind: 'renewed', feed };
}

/** What a file is known by once it was read. */
export function asRead({ stats }: Pick<OpenFile, 'stats'>, probe: FileIdentity['probe'] | null): FileAsRead {
  return { mtimeMs: stats.mtimeMs, probe };
}

function* chunksSync({ file, stats }: OpenFile): Generator<Uint8Array> {
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(1, stats.size)));
  for (let at = 0; at < stats.size; ) {
    const bytes = readSync(file.fd, buffer, 0, Math.min(buffer.length, stats.size - at), at);
    if (bytes === 0) throw new FileChangedError('the file became shorter while it was read');
    at += bytes;
    yield buffer.subarray(0, bytes);
  }
}
