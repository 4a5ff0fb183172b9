// Records on their way into the library. A record waits until the batch after the one it was read in, because a
// message joined of several records comes when its last one has been read.

import type { SourceRecord } from '../../model/importSink.ts';
import type { Origin } from '../../model/transcript.ts';
import { extractPayloads, without } from '../transcript/payloads.ts';
import {
  type BlockedText,
  disjoint,
  indexAfter,
  type SharedStretch,
  sharedStretches,
} from '../transcript/recordSlices.ts';
import type { PreparedRecord, RecordSlice } from '../transcript/records.ts';

/** A message as the records see it: its exact text, and its content's id once it is written. */
export interface ClaimingMessage {
  text: BlockedText;
  contentId: number | null;
}

interface Waiting {
  readonly origin: Origin;
  readonly text: string;
  readonly bytes: Uint8Array | null;
  ignored: string | null;
  readonly claims: ClaimingMessage[];
  /** An event or a message or the reader's `ignored` has taken it. */
  settled: boolean;
  /** Has been passed over by a batch before. */
  old: boolean;
  /** Where the last event was found: the next one mostly stands after it, and a record may hold thousands. */
  cursor: number;
}

/** A record that is complete but for the ids of contents, which exist only inside the batch's transaction. */
export interface CutRecord {
  /** The rows to write; call when the claiming messages have been written. */
  prepare(source: number): PreparedRecord;
}

/** Records read and not yet written, by place. */
export class PendingRecords {
  readonly #waiting = new Map<number, Waiting>();
  #chars = 0;

  /** Characters of text held. */
  get chars(): number {
    return this.#chars;
  }

  /** Where the first record begins that is not written yet; null if there is none. */
  get from(): number | null {
    let from: number | null = null;
    for (const byteStart of this.#waiting.keys()) from = from === null ? byteStart : Math.min(from, byteStart);
    return from;
  }

  add({ text, bytes, line, byteStart, byteEnd }: SourceRecord): void {
    const origin = { line, byteStart, byteEnd };
    this.#waiting.set(byteStart, {
      origin,
      text,
      bytes: bytes ?? null,
      ignored: null,
      claims: [],
      settled: false,
      old: false,
      cursor: 0,
    });
    this.#chars += text.length;
  }

  ignore(record: SourceRecord, reason: string): void {
    const waiting = this.#waiting.get(record.byteStart);
    if (waiting === undefined) return;
    waiting.ignored = reason;
    waiting.settled = true;
  }

  claim(origins: readonly Origin[], message: ClaimingMessage): void {
    for (const origin of origins) {
      const waiting = this.#waiting.get(origin.byteStart);
      if (waiting === undefined) continue;
      if (!waiting.claims.includes(message)) waiting.claims.push(message);
      waiting.settled = true;
    }
  }

  /** Where an event's JSON is in its record; null if the record is not at hand or does not hold it. */
  locate(origin: Origin, json: string): number | null {
    const waiting = this.#waiting.get(origin.byteStart);
    if (waiting === undefined || waiting.origin.byteEnd !== origin.byteEnd) return null;
    const start = waiting.text === json ? 0 : indexAfter(waiting.text, json, waiting.cursor);
    if (start < 0) return null;
    waiting.cursor = start;
    waiting.settled = true;
    return start;
  }

  /** Takes out the records that are due: settled, or passed over once before; all of them at the end. */
  take(all: boolean): CutRecord[] {
    const due: CutRecord[] = [];
    for (const [key, waiting] of this.#waiting) {
      if (!all && !waiting.settled && !waiting.old) {
        waiting.old = true;
        continue;
      }
      this.#waiting.delete(key);
      this.#chars -= waiting.text.length;
      due.push(cut(waiting));
    }
    return due;
  }
}

function cut({ origin, text, bytes, ignored, claims }: Waiting): CutRecord {
  const claimed: (SharedStretch & { readonly message: ClaimingMessage })[] = [];
  for (const message of claims) {
    // Messages come in the order they are in.
    const last = claimed.at(-1);
    const found = sharedStretches(text, message.text, last === undefined ? 0 : last.start + last.length);
    claimed.push(...found.map((stretch) => ({ ...stretch, message })));
  }
  const stretches = disjoint(claimed);
  const { rest, payloads } = extractPayloads(without(text, stretches));
  const slices = (): RecordSlice[] =>
    stretches.map(({ start, length, message, messageStart }) => {
      if (message.contentId === null) throw new Error('a record was written before the message it shares text with');
      return [start, length, message.contentId, messageStart];
    });
  return { prepare: (source) => ({ source, origin, ignored, payloads, rest, bytes, slices: slices() }) };
}
