// One file on its way into the library: from its first byte or from where an earlier reading stopped, and then, if it
// is followed, as it grows. The reading continues where the mark says, after the bytes before it were read once more
// (see core/store/import/feeds.ts); only what is new is written.

import type { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { ImportStream } from '../../importers/importStream.ts';
import type { Problem } from '../../model/problem.ts';
import {
  type FeedMark,
  type FeedRow,
  type ImportWriter,
  ReplaySink,
  SwitchSink,
  type WholeFile,
  type WrittenTranscript,
} from '../../store/index.ts';
import { unpackZlib } from '../files/unpackZlib.ts';
import { chunks, HASH_FIRST_BYTES } from './fileIdentity.ts';
import { type MappedReading, probeBy, registryFor } from './mapped.ts';

/** How a reading is watched and stopped. */
export interface FeedWatch {
  readonly signal: AbortSignal;
  /** Called after each batch, and now and then while a file is read once more up to its mark. */
  readonly onBatch: (bytes: number) => void;
}

/** A file at the moment when all of it was read. `probe` (of a large file) null = not found out. */
export interface FileAsRead {
  readonly mtimeMs: number;
  readonly probe: Buffer | null;
}

/** The bytes before the mark are others than those that were read then. */
export class FileRewrittenError extends Error {}

/** The file gives something else than what the library has of it: the program that read it then was another one. */
export class ReadingChangedError extends Error {}

/** Bytes before the end of what was read that are compared before the reading continues. */
const LAST_BYTES = 4096;
const REPLAY_REPORT_BYTES = 16 * 1024 * 1024;

/** The reading of one file. */
export class Feed {
  readonly path: string;
  readonly writer: ImportWriter;
  readonly #sink: SwitchSink;
  readonly #stream: ImportStream;
  readonly #reading: MappedReading | null;
  readonly #sha: Hash = createHash('sha256');
  #last: Uint8Array = new Uint8Array(0);
  #bytes = 0;
  #settledAt: number | null = null;

  /** `mark` = where an earlier reading stopped: call `replay` then. `reading`: by this mapping. */
  constructor(path: string, writer: ImportWriter, mark: FeedRow | null, reading: MappedReading | null = null) {
    this.path = path;
    this.writer = writer;
    this.#sink = new SwitchSink(writer);
    this.#reading = reading;
    const format = mark?.format ?? reading?.format.id;
    const known = format === undefined ? {} : { format };
    this.#stream = new ImportStream(this.#sink, { registry: registryFor(reading), unpack: unpackZlib, ...known });
  }

  /** Bytes read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes read that wait for the rest of their line. */
  get waitingBytes(): number {
    return this.#stream.heldBytes;
  }

  /** Whether the format is known, and there is something to continue with. */
  get begun(): boolean {
    return this.#stream.begun !== null;
  }

  /** Whether what is appended to the file continues with it. */
  get growsByLines(): boolean {
    return this.#stream.begun?.lines === true;
  }

  /** False once the file is known to be no transcript. */
  get wantsMore(): boolean {
    return this.#stream.wantsMore;
  }

  get transcripts(): readonly WrittenTranscript[] {
    return this.writer.transcripts;
  }

  get problems(): readonly Problem[] {
    return this.writer.problems;
  }

  get counts(): { readonly records: number; readonly ignored: number } {
    return this.#stream.counts;
  }

  /** SHA-256 of the bytes read. */
  sha256(): Buffer {
    return this.#sha.copy().digest();
  }

  /** Whether the bytes just before the end of what was read still are there. */
  async stillThere(file: FileHandle): Promise<boolean> {
    const now = new Uint8Array(this.#last.length);
    const { bytesRead } = await file.read(now, 0, now.length, this.#bytes - now.length);
    return bytesRead === now.length && now.every((byte, i) => byte === this.#last[i]);
  }

  /** Reads up to the mark without writing. Throws FileRewrittenError, ReadingChangedError; the library is as it was. */
  async replay(file: FileHandle, mark: FeedRow, watch: FeedWatch): Promise<void> {
    const { writer } = this;
    const replaying = new ReplaySink(mark.recordsFrom, (hash) => writer.contentId(hash));
    this.#sink.target = replaying;
    // Detection sees the same bytes, and the reader settles at the same place.
    const head = new Uint8Array(mark.headBytes);
    await file.read(head, 0, head.length, 0);
    this.#push(head);
    if (!this.begun) this.#stream.settle();
    if (mark.settledAt !== null) {
      await this.#skim(file, mark.settledAt, watch);
      this.settle();
    }
    await this.#skim(file, mark.bytesDone, watch);
    if (!this.sha256().equals(mark.sha256)) throw new FileRewrittenError('the beginning of the file was rewritten');
    if (!writer.resume(replaying)) throw new ReadingChangedError('the file reads differently than it did');
    this.#sink.target = writer;
  }

  async #skim(file: FileHandle, to: number, { signal, onBatch }: FeedWatch): Promise<void> {
    let reportedAt = this.#bytes;
    for await (const chunk of chunks(file, this.#bytes, to, signal)) {
      this.#push(chunk);
      if (this.#bytes - reportedAt < REPLAY_REPORT_BYTES) continue;
      reportedAt = this.#bytes;
      onBatch(this.#bytes);
    }
  }

  /** Reads on to byte `size` and writes batches. */
  async read(file: FileHandle, size: number, { signal, onBatch }: FeedWatch): Promise<void> {
    for await (const chunk of chunks(file, this.#bytes, size, signal)) {
      const first = this.#bytes === 0;
      this.#push(chunk);
      if (!this.wantsMore) return;
      // The first batch is written early: its rows can be shown while the rest is read.
      if (!first && !this.writer.full) continue;
      this.flush();
      onBatch(this.#bytes);
    }
  }

  /** Takes in bytes that are at hand. For files read in one go, within a transaction of the caller's. */
  take(chunk: Uint8Array): void {
    this.#push(chunk);
    if (this.writer.full) this.flush();
  }

  #push(chunk: Uint8Array): void {
    this.#sha.update(chunk);
    this.#stream.push(chunk);
    this.#bytes += chunk.length;
    this.#last = chunk.length >= LAST_BYTES ? chunk.slice(-LAST_BYTES) : lastOf(this.#last, chunk);
  }

  /** The file has no more for now: the reader hands over what it holds back. */
  settle(): void {
    this.#stream.settle();
    this.#settledAt = this.#bytes;
  }

  /** Writes what was collected. */
  flush(): void {
    const mark = this.#mark();
    if (mark !== null) this.writer.flush(this.#bytes, mark);
  }

  /** The file has no more for now: writes all of it that is whole. Nothing, if the format is not known yet. */
  rest(file: FileAsRead): void {
    this.settle();
    const mark = this.#mark();
    if (mark !== null) this.writer.flush(this.#bytes, mark, this.#whole(file));
  }

  /** Ends the reading: the last line, whole or not, and what the reader reports at the end. Then finish or abandon it. */
  end(): void {
    this.settle();
    this.flush();
    if (this.begun) this.writer.beginTail();
    this.#stream.end();
  }

  /** Writes what the reader reported at the end; the library has all of the file. */
  finish(file: FileAsRead): void {
    this.writer.finish(this.#whole(file));
  }

  #mark(): FeedMark | null {
    const begun = this.#stream.begun;
    if (begun === null) return null;
    const { format, headBytes, lines } = begun;
    return {
      ...{ bytesDone: this.#bytes, settledAt: this.#settledAt, format, headBytes, lines },
      ...{ sha256: this.sha256(), heldBytes: this.waitingBytes },
    };
  }

  #whole({ mtimeMs, probe }: FileAsRead): WholeFile {
    const sha256 = this.sha256();
    const known = this.#bytes <= HASH_FIRST_BYTES ? probeBy(this.#reading, sha256) : probe;
    return { sha256, bytes: this.#bytes, probe: known, path: this.path, mtimeMs };
  }
}

function lastOf(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  const joined = new Uint8Array(before.length + chunk.length);
  joined.set(before);
  joined.set(chunk, before.length);
  return joined.slice(-LAST_BYTES);
}
