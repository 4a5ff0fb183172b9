/**
 * Keeps the texts used last, up to a number of characters. In two generations: when the young one has half the limit it
 * becomes the old one, and what was old is forgotten. (A Map emptied from its front is walked over its own holes at
 * every put, which in a scan of 100,000 texts cost more than reading them.)
 */
export class TextCache {
  readonly #half: number;
  #young = new Map<number, string>();
  #old = new Map<number, string>();
  #youngChars = 0;

  constructor(limitChars: number) {
    this.#half = limitChars / 2;
  }

  get(key: number): string | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  has(key: number): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#youngChars = 0;
  }

  put(key: number, text: string): void {
    const before = this.#young.get(key);
    this.#youngChars += text.length - (before?.length ?? 0);
    this.#young.set(key, text);
    if (this.#youngChars <= this.#half) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngChars = 0;
  }
}
