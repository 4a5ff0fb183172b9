// One followed file: what was last seen of it, and the reading that is kept alive while it grows. A look at a file that
// did not change costs one stat.

import type { Stats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { HEAD_BYTES } from '../../importers/sniff.ts';
import type { Problem } from '../../model/problem.ts';
import { ImportLostError, type Library, type WrittenTranscript } from '../../store/index.ts';
import { openRegular } from '../files/regularFile.ts';
import type { Feed, FeedWatch, FileAsRead } from '../jobs/feed.ts';
import { FileChangedError, probeFile } from '../jobs/fileIdentity.ts';
import { readingOf } from '../jobs/mapped.ts';
import { type OpenedFeed, type OpenFile, openFeed } from '../jobs/openFeed.ts';

/** What a look at a file came to. */
export type Look =
  | { readonly kind: 'same' }
  | { readonly kind: 'missing' }
  /** Somebody else reads it, or it is just being written again: look again. */
  | { readonly kind: 'later' }
  | { readonly kind: 'none' }
  /** `more`: there was too much to be read in one look; look again. */
  | {
      readonly kind: 'read';
      readonly transcripts: readonly WrittenTranscript[];
      readonly note: Problem | null;
      readonly more: boolean;
    };

/** How a look is watched and stopped. */
export interface LookWatch {
  readonly signal: AbortSignal;
  /** 0..1 of a reading that takes long. */
  readonly onProgress: (progress: number, transcripts: readonly string[]) => void;
}

/** What is read in one look takes some seconds at most. */
const MOST_BYTES = 32 * 1024 * 1024;

const NOT_AS_READ: FileAsRead = { mtimeMs: 0, probe: null };

type Seen = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>;

/** A file that is followed. Not to be looked at twice at the same time. */
export class FollowedFile {
  readonly path: string;
  readonly #library: Library;
  readonly #most: number;
  #feed: Feed | null = null;
  #seen: Seen | null = null;
  /** Seen once with this, and not touched before it was seen twice so: a document that is written again. */
  #unsteady: Seen | null = null;
  /** It is not a transcript: it is not read again as long as it only grows. */
  #isNone = false;
  transcripts: readonly WrittenTranscript[] = [];
  /** When it was last found changed, by the clock of performance.now(). */
  changedAt = Number.NEGATIVE_INFINITY;

  /** `most` = bytes read in one look. */
  constructor(library: Library, path: string, most = MOST_BYTES) {
    this.#library = library;
    this.#most = most;
    this.path = path;
  }

  /** Whether its reading is kept alive. */
  get isAlive(): boolean {
    return this.#feed !== null;
  }

  get waitingBytes(): number {
    return this.#feed?.waitingBytes ?? 0;
  }

  /** Looks whether the file has changed since the last look, and reads what is new. Throws what the disk throws. */
  async look(watch: LookWatch): Promise<Look> {
    const stats = await stat(this.path).catch(noFile);
    if (stats === null || !stats.isFile()) {
      await this.rest();
      this.#seen = null;
      return { kind: 'missing' };
    }
    if (this.#seen !== null && isSame(this.#seen, stats)) return { kind: 'same' };
    if (this.#seen === null && this.#isKnown(stats)) {
      this.#seen = stats;
      return { kind: 'same' };
    }
    if (this.#isNone && this.#seen !== null && stats.ino === this.#seen.ino && stats.size >= this.#seen.size) {
      this.#seen = stats;
      return { kind: 'none' };
    }
    try {
      return await this.#read(watch);
    } catch (error) {
      // It became shorter, or went, while it was read: the next look finds what it is then.
      if (!(error instanceof FileChangedError) && !isNoFile(error)) throw error;
      await this.drop();
      return { kind: 'later' };
    }
  }

  /** The library says that it has this file as it is now. */
  #isKnown({ size, mtimeMs }: Stats): boolean {
    const state = this.#library.tables.imports.fileState(this.path);
    if (state === null || state.complete === 0 || state.bytes !== size || state.mtimeMs !== Math.trunc(mtimeMs))
      return false;
    this.transcripts = this.#library.tables.transcriptsOf(state.source);
    return true;
  }

  async #read(watch: LookWatch): Promise<Look> {
    await using file = await openRegular(this.path);
    const stats = await file.stat();
    const onBatch = (bytes: number) => {
      watch.onProgress(bytes / Math.max(1, stats.size), this.#feed?.transcripts.map(({ id }) => id) ?? []);
    };
    const feedWatch = { signal: watch.signal, onBatch };
    let note: Problem | null = null;
    if (this.#feed !== null && !(await this.#goesOn(this.#feed, file, stats))) await this.drop();
    if (this.#feed === null) {
      const opened = await this.#open({ path: this.path, file, stats }, feedWatch);
      if (opened.kind === 'busy' || opened.kind === 'later') return { kind: 'later' };
      if (opened.kind === 'existing') return this.#done(stats, opened.transcripts, null);
      this.#feed = opened.feed;
      if (opened.kind === 'renewed') return this.#renewed(opened.feed, stats);
      note = opened.note;
    }
    const feed = this.#feed;
    // Other files are waiting; a document cannot be read in parts.
    const to = feed.begun && !feed.growsByLines ? stats.size : Math.min(stats.size, feed.bytes + this.#most);
    try {
      await feed.read(file, to, feedWatch);
    } catch (error) {
      // Nothing of what is written is wrong: the next look continues.
      this.#feed = null;
      feed.writer.release();
      throw error;
    }
    if (to < stats.size && feed.growsByLines) return this.#part(feed, stats, note);
    // Awaited here, where the file is still open.
    return await this.#readRest(file, stats, note, feedWatch);
  }

  /** Writes what was read of a long stretch; the next look continues. */
  #part(feed: Feed, stats: Stats, note: Problem | null): Look {
    feed.flush();
    this.#seen = { size: feed.bytes, mtimeMs: -1, ino: stats.ino };
    this.transcripts = feed.transcripts;
    this.changedAt = performance.now();
    return { kind: 'read', transcripts: feed.transcripts, note, more: true };
  }

  async #readRest(file: FileHandle, stats: Stats, note: Problem | null, watch: FeedWatch): Promise<Look> {
    const feed = this.#feed;
    if (feed !== null && feed.bytes < stats.size) await feed.read(file, stats.size, watch);
    return this.#settled(stats, note);
  }

  async #open(open: OpenFile, watch: FeedWatch): Promise<OpenedFeed | { readonly kind: 'later' }> {
    // A file that shrank is being written again: half of it would be another conversation.
    const shrank = this.#seen !== null && open.stats.size < this.#seen.size;
    if (shrank && (this.#unsteady === null || !isSame(this.#unsteady, open.stats))) {
      this.#unsteady = open.stats;
      return { kind: 'later' };
    }
    this.#unsteady = null;
    // What was read by a mapping before is read by it on.
    const mapping = this.#library.tables.imports.mappingOf(this.path);
    const reading = mapping === null ? null : readingOf(this.#library, mapping);
    return openFeed(this.#library, { ...open, reading }, watch);
  }

  async #goesOn(feed: Feed, file: FileHandle, { ino, size }: Stats): Promise<boolean> {
    const before = this.#seen;
    if (before === null || ino !== before.ino || size < feed.bytes || !feed.growsByLines) return false;
    // The same length and another time: something in the middle may be another.
    return size > feed.bytes && feed.stillThere(file);
  }

  #settled(stats: Stats, note: Problem | null): Look {
    const feed = this.#feed;
    if (feed === null) return { kind: 'later' };
    feed.rest({ mtimeMs: stats.mtimeMs, probe: null });
    // What is not lines, or not surely known by the lines so far, is read again each time.
    if (!feed.begun || !feed.growsByLines) {
      this.#feed = null;
      feed.end();
      if (feed.transcripts.length === 0) return this.#none(feed, stats);
      feed.finish({ mtimeMs: stats.mtimeMs, probe: null });
    }
    return this.#done(stats, feed.transcripts, note);
  }

  #none(feed: Feed, stats: Stats): Look {
    feed.writer.abandon();
    this.#seen = stats;
    this.#isNone = stats.size > HEAD_BYTES;
    return { kind: 'none' };
  }

  #renewed(feed: Feed, stats: Stats): Look {
    if (!feed.growsByLines) this.#feed = null;
    return this.#done(stats, feed.transcripts, null);
  }

  #done(stats: Stats, transcripts: readonly WrittenTranscript[], note: Problem | null): Look {
    this.#seen = stats;
    this.#isNone = false;
    this.transcripts = transcripts;
    this.changedAt = performance.now();
    return { kind: 'read', transcripts, note, more: false };
  }

  /** Ends, for now, the reading that is kept alive: what the reader reports at its end is written too. */
  async rest(): Promise<void> {
    const feed = this.#feed;
    if (feed === null) return;
    this.#feed = null;
    // Half a line is nothing to complain of: it waits for the next look.
    if (feed.waitingBytes > 0) {
      feed.writer.release();
      return;
    }
    const asRead = await this.#asRead(feed.bytes);
    try {
      feed.end();
      feed.finish(asRead);
    } catch (error) {
      // Another process continued with the file.
      if (!(error instanceof ImportLostError)) throw error;
    }
  }

  /** The file as all of it was read. If it cannot be looked at, or is another by now, the next look reads it again. */
  async #asRead(bytes: number): Promise<FileAsRead> {
    try {
      await using file = await openRegular(this.path);
      const { size, mtimeMs } = await file.stat();
      if (size !== bytes) return NOT_AS_READ;
      const { probe } = await probeFile(file, size, new AbortController().signal);
      return { mtimeMs, probe };
    } catch (error) {
      if (error instanceof FileChangedError || (error instanceof Error && 'code' in error)) return NOT_AS_READ;
      throw error;
    }
  }

  /** Forgets the reading that is kept alive; the library stays as it is. */
  async drop(): Promise<void> {
    this.#feed?.writer.release();
    this.#feed = null;
  }
}

function isSame(a: Seen, b: Seen): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}

function noFile(error: unknown): null {
  if (isNoFile(error)) return null;
  throw error;
}

function isNoFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
