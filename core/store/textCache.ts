/** Keeps the texts used last, up to a number of characters. One text larger than that is kept until the next comes. */
export class TextCache {
  readonly #limit: number;
  readonly #texts = new Map<number, string>();
  #chars = 0;

  constructor(limitChars: number) {
    this.#limit = limitChars;
  }

  get(key: number): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    // A Map keeps the order of insertion: putting it in again makes it the youngest.
    this.#texts.delete(key);
    this.#texts.set(key, text);
    return text;
  }

  has(key: number): boolean {
    return this.#texts.has(key);
  }

  put(key: number, text: string): void {
    const old = this.#texts.get(key);
    if (old !== undefined) {
      this.#chars -= old.length;
      this.#texts.delete(key);
    }
    this.#texts.set(key, text);
    this.#chars += text.length;
    for (const [oldest, victim] of this.#texts) {
      if (this.#chars <= this.#limit || oldest === key) break;
      this.#texts.delete(oldest);
      this.#chars -= victim.length;
    }
  }
}
