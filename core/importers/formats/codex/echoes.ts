// Codex shows on its screen what it has also written as response items: the same text comes twice, in either order. An
// echo is passed over once the item with its text is seen; one that stays alone is an event.

import type { SourceRecord } from '../../../model/importSink.ts';
import { fingerprintNumber } from '../../fingerprint.ts';

/** Texts remembered in both directions. */
const MAX_TEXTS = 64;

/** Matches echoes with items. Each echo is settled once, by `matched` or by `alone`. */
export class Echoes {
  readonly #matched: (record: SourceRecord) => void;
  readonly #alone: (record: SourceRecord) => void;
  #texts: number[] = [];
  #waiting: { readonly text: number; readonly record: SourceRecord }[] = [];

  constructor(matched: (record: SourceRecord) => void, alone: (record: SourceRecord) => void) {
    this.#matched = matched;
    this.#alone = alone;
  }

  echo(text: string, record: SourceRecord): void {
    const print = fingerprintNumber(text.trim());
    if (this.#texts.includes(print)) {
      this.#matched(record);
      return;
    }
    this.#waiting.push({ text: print, record });
    const oldest = this.#waiting.length > MAX_TEXTS ? this.#waiting.shift() : undefined;
    if (oldest) this.#alone(oldest.record);
  }

  /** The texts of an item that became part of a message. */
  said(texts: readonly string[]): void {
    for (const text of texts) {
      const print = fingerprintNumber(text.trim());
      this.#texts.push(print);
      const found = this.#waiting.filter((one) => one.text === print);
      if (found.length > 0) this.#waiting = this.#waiting.filter((one) => one.text !== print);
      for (const one of found) this.#matched(one.record);
    }
    if (this.#texts.length > MAX_TEXTS) this.#texts = this.#texts.slice(-MAX_TEXTS);
  }

  /** What waits now stays alone. */
  end(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) this.#alone(one.record);
  }
}
