// The pieces in the file, decoded when they are first needed; the last few stay.
import { bytesOfText } from '../../core/page/byteText.ts';
import { isRecord } from '../../core/util/unknown.ts';

/** Decoded pieces that are held. */
const HELD = 12;

/** Reads the pieces of the page's own document. */
export class Pieces {
  readonly #held = new Map<string, Promise<unknown>>();

  /** A piece by its name. The page's writer made it, so that its shape is known; an Error if there is none. */
  async read<T>(name: string): Promise<T> {
    const known = this.#held.get(name) ?? decoded(name);
    this.#held.delete(name);
    this.#held.set(name, known);
    for (const oldest of this.#held.keys()) {
      if (this.#held.size <= HELD) break;
      this.#held.delete(oldest);
    }
    const value = await known;
    if (!isRecord(value) && !Array.isArray(value)) throw new Error(`the piece ${name} of this page is damaged`);
    return value as T;
  }
}

async function decoded(name: string): Promise<unknown> {
  const text = document.querySelector(`script[data-piece="${name}"]`)?.textContent;
  if (!text) throw new Error(`this page has no piece ${name}`);
  const stream = new Blob([bytesOfText(text)]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}
