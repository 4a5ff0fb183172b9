// Long strings of a sample stand once, under their hash, and elsewhere as "attachment://<hash>" (in the first logs
// "tc://<hash>"). Put back in, a text is made of the file's own literals alone.

import { isRecord, recordAt } from '../../../util/unknown.ts';
import { eachMember, spanAt } from '../../reading/slices.ts';

// A reference is a whole string; the character before it rules out quoted quotes inside of one.
const REFERENCE = /(?<=^|[:,[\s])"(?:attachment|tc):\/\/([0-9a-zA-Z]{1,64})"/g;

/** The long strings of one sample, by hash, as JSON literals. */
export class Attachments {
  readonly #literals = new Map<string, string>();
  #missing = 0;

  /** Of a sample's text. */
  constructor(text: string, sample: Readonly<Record<string, unknown>>) {
    this.#collect(text, ['attachments'], recordAt(sample, 'attachments'));
    this.#collect(text, ['transcript', 'content'], recordAt(recordAt(sample, 'transcript') ?? {}, 'content'));
  }

  /** References that had nothing to refer to, so far. */
  get missing(): number {
    return this.#missing;
  }

  /** The text with the strings it refers to; itself where it refers to none. */
  resolve(text: string): string {
    if (!text.includes('://')) return text;
    return text.replace(REFERENCE, (reference, hash: string) => {
      const literal = this.#literals.get(hash);
      if (literal === undefined) this.#missing++;
      return literal ?? reference;
    });
  }

  #collect(text: string, path: readonly string[], values: Readonly<Record<string, unknown>> | undefined): void {
    const span = isRecord(values) ? spanAt(text, path) : null;
    if (!span) return;
    eachMember(text, span.start, (hash, { start, end }) => {
      if (text.charAt(start) === '"') this.#literals.set(hash, text.slice(start, end));
    });
  }
}
