// Before a format gets a file that it claims, its reader is tried on the file's head.

import type { ImportSink, Rewind } from '../model/importSink.ts';
import type { ImportedMessage } from '../model/transcript.ts';
import { isRecord } from '../util/unknown.ts';
import { Reading } from './reading/reading.ts';
import { isMisread, isSpoken } from './reading/speech.ts';
import type { Format, Sniff } from './types.ts';

/** Characters of the head that are read for the trial: some dozen messages. */
const TRIED = 128 * 1024;

/** False if a format's reader makes events of most of what is said in the head of a file, or throws. */
export function canRead(format: Format, sniff: Sniff, asLines = false): boolean {
  const { head, whole, shape } = sniff;
  if (shape === 'zip' || shape === 'other') return true;
  const isAll = whole && head.length <= TRIED;
  if (!isAll && !sniff.values.some(hasSpeech)) return true;
  try {
    const reading = new Reading(new NoSink(), format, sniff, { asLines });
    reading.push(new TextEncoder().encode(head.slice(0, TRIED)));
    if (isAll) reading.end();
    else reading.settle();
    return !isMisread(reading.heard, isAll);
  } catch {
    return false;
  }
}

// Lines, elements of a document, or of a list in it.
function hasSpeech(value: unknown): boolean {
  if (isSpoken(value)) return true;
  const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return inner.slice(0, 50).some((one) => isSpoken(one) || (Array.isArray(one) && one.slice(0, 50).some(isSpoken)));
}

/** Knows how many messages each transcript has, and nothing else. */
class NoSink implements ImportSink {
  readonly #lengths = new Map<string, number>();
  #key = '';

  begin(key: string): void {
    this.#key = key;
  }

  message(_message: ImportedMessage): number {
    const length = this.#lengths.get(this.#key) ?? 0;
    this.#lengths.set(this.#key, length + 1);
    return length;
  }

  meta(): void {}
  event(): void {}
  compaction(): void {}
  problem(): void {}
  ignored(): void {}
  amend(): void {}
  spawn(): void {}

  rewind({ at, leave, resume }: Rewind): void {
    this.#lengths.set(leave.key, this.#lengths.get(this.#key) ?? 0);
    this.#lengths.set(this.#key, resume?.to ?? at);
  }
}
