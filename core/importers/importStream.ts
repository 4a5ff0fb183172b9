// The way in: bytes → head → format → reading → sink. The bytes are held until the format is known.

import type { ImportSink } from '../model/importSink.ts';
import type { Problem } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import { ByteCollector } from './reading/byteText.ts';
import { type ImportCounts, Reading, ZERO } from './reading/reading.ts';
import type { Detected, FormatRegistry } from './registry.ts';
import { HEAD_BYTES, MAX_FIRST_LINE_BYTES, MAX_HEAD_BYTES, sniff } from './sniff.ts';
import type { Format, Sniff } from './types.ts';
import type { Unpack } from './zip/unpack.ts';

export type { ImportCounts } from './reading/reading.ts';

/** Choices for an import. `format` skips detection. */
export interface ImportOptions {
  readonly registry: FormatRegistry;
  readonly format?: string;
  /** How members of zip archives are unpacked; without it only those that are not packed are read. */
  readonly unpack?: Unpack | undefined;
  /** Called once, when the format is known. */
  readonly onDetected?: (format: Format, why: string) => void;
}

/** A format with this score is one whatever the lines to come say. */
const SURE = 0.7;

/** How the reading of a file began: what it takes to read it again just so. */
export interface StreamStart {
  readonly format: string;
  /** Bytes that detection saw. */
  readonly headBytes: number;
  /** Records are lines: what is appended continues the file. A document is another one with every change. */
  readonly lines: boolean;
}

/**
 * Imports one file: push its bytes in order, then end(). Findings go to the sink; nothing is thrown for a bad file.
 * A file that is not recognised gives one problem that says what it is, and nothing else.
 */
export class ImportStream {
  readonly #sink: ImportSink;
  readonly #options: ImportOptions;
  readonly #head = new ByteCollector();
  #reading: Reading | null = null;
  #problems = 0;
  #wanted = HEAD_BYTES;
  #inkSeen = false;
  #newlineSeen = false;
  #firstLineEnded = false;
  #refused = false;
  #ended = false;
  #begun: StreamStart | null = null;

  constructor(sink: ImportSink, options: ImportOptions) {
    this.#options = options;
    this.#sink = sink;
  }

  /** What became of the records so far; final after end(). */
  get counts(): ImportCounts {
    const counts = this.#reading?.counts ?? ZERO;
    return { ...counts, problems: counts.problems + this.#problems };
  }

  /** False once the file is known to be no transcript: there is no use in pushing more. */
  get wantsMore(): boolean {
    return !this.#refused && !this.#ended;
  }

  /** How the reading began; null until the format is known. */
  get begun(): StreamStart | null {
    return this.#begun;
  }

  /** Bytes pushed that wait for the rest of their line, or for enough to know the format by. */
  get heldBytes(): number {
    return this.#reading === null ? this.#head.length : this.#reading.heldBytes;
  }

  push(chunk: Uint8Array): void {
    if (this.#refused) return;
    if (this.#reading) {
      this.#reading.push(chunk);
      return;
    }
    this.#watch(chunk);
    this.#head.add(chunk);
    const { length } = this.#head;
    const enough = length >= this.#wanted && (this.#firstLineEnded || length >= MAX_FIRST_LINE_BYTES);
    if (enough) this.#start(this.#takeHead(), false);
  }

  // Notes that something follows the end of the first line that is not blank, so that the head is joined only once.
  #watch(chunk: Uint8Array): void {
    if (this.#firstLineEnded) return;
    let from = 0;
    if (!this.#inkSeen) {
      from = chunk.findIndex((byte) => byte > 0x20);
      if (from < 0) return;
      this.#inkSeen = true;
    }
    if (!this.#newlineSeen) {
      from = chunk.indexOf(0x0a, from);
      if (from < 0) return;
      this.#newlineSeen = true;
    }
    this.#firstLineEnded = chunk.subarray(from).some((byte) => byte > 0x20);
  }

  /**
   * The file has no more for now: hands over all whole records, and all that the reader holds back; what comes later
   * may amend it. A file shorter than what detection wants is read if its format is given, or known by its first lines.
   */
  settle(): void {
    if (this.#refused || this.#ended) return;
    if (!this.#reading) this.#startEarly();
    this.#reading?.settle();
  }

  // Only lines can be taken as they are, and only for a format that is sure of them: more lines might show another.
  #startEarly(): void {
    const head = this.#takeHead();
    const seen = sniff(head, false);
    const { registry, format } = this.#options;
    const best = seen.shape === 'jsonl' && format === undefined ? registry.detect(seen) : null;
    const sure = best?.ok === true && best.value.format.grows === true && (best.value.scores[0]?.score ?? 0) >= SURE;
    if (seen.shape === 'jsonl' && (sure || format !== undefined)) this.#start(head, false);
    else this.#head.add(head);
  }

  /** Delivers what is held back. May be called once. */
  end(): void {
    if (this.#ended) return;
    if (!this.#reading && !this.#refused) this.#start(this.#takeHead(), true);
    this.#ended = true;
    this.#reading?.end();
  }

  #takeHead(): Uint8Array {
    return this.#head.take() ?? new Uint8Array(0);
  }

  #start(head: Uint8Array, whole: boolean): void {
    const seen = this.#look(head, whole);
    const chosen = this.#choose(seen);
    if (!chosen.ok) {
      // A long system prompt or long tools may stand before what a format is known by: look again at more of the file.
      if (!whole && seen.shape === 'json' && head.length < MAX_HEAD_BYTES) {
        this.#wanted = Math.min(head.length * 8, MAX_HEAD_BYTES);
        this.#head.add(head);
        return;
      }
      this.#refused = true;
      this.#report(chosen.error);
      return;
    }
    const { format, why, faults } = chosen.value;
    this.#options.onDetected?.(format, why);
    for (const fault of faults) this.#report(fault);
    const reading = this.#open(format, seen, chosen.value.asLines);
    if (reading === null) return;
    this.#begun = { format: format.id, headBytes: head.length, lines: reading.byLines };
    this.#reading = reading;
    reading.push(head);
  }

  #open(format: Format, seen: Sniff, asLines: boolean): Reading | null {
    try {
      return new Reading(this.#sink, format, seen, { unpack: this.#options.unpack, asLines });
    } catch (error) {
      this.#refused = true;
      const text = `The reader of ${format.title} (${format.id}) could not begin, which is a fault of this program: ${String(error)}.`;
      this.#report({ code: 'import.reader_failed', severity: 'error', text });
      return null;
    }
  }

  // Of a long first line that is all there is, the beginning shows as much as the whole.
  #look(head: Uint8Array, whole: boolean): Sniff {
    const isLong = head.length > MAX_HEAD_BYTES && !this.#goesOnAfterFirst(head);
    return isLong ? sniff(head.subarray(0, MAX_HEAD_BYTES), false) : sniff(head, whole);
  }

  #goesOnAfterFirst(head: Uint8Array): boolean {
    const ink = head.findIndex((byte) => byte > 0x20);
    const newline = head.indexOf(0x0a, Math.max(0, ink));
    return newline >= 0 && head.subarray(newline, newline + 4096).some((byte) => byte > 0x20);
  }

  #report(problem: Problem): void {
    this.#problems++;
    this.#sink.problem(problem);
  }

  #choose(seen: Sniff): Result<Pick<Detected, 'format' | 'why' | 'asLines' | 'faults'>, Problem> {
    const { registry, format: id } = this.#options;
    if (id === undefined) return registry.detect(seen);
    const chosen = registry.chosen(id, seen);
    if (chosen) return ok(chosen);
    const known = registry.all.map((each) => each.id).join(', ');
    const text = `There is no transcript format "${id}"; known are ${known}.`;
    return err({ code: 'import.unknown_format', severity: 'error', text });
  }
}
