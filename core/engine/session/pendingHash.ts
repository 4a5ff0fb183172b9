/** A prefix hash made when first asked for: for those who wait for it, and for those who take what is there. */
export class PendingHash {
  readonly #make: () => Promise<string>;
  #ready: Promise<string> | null = null;
  #known: string | null = null;

  constructor(make: () => Promise<string>) {
    this.#make = make;
  }

  /** The hash if it is there. */
  get known(): string | null {
    return this.#known;
  }

  /** The hash. A failure is told to those who waited; who asks after that has it made anew. */
  ready(): Promise<string> {
    this.#ready ??= this.#begin();
    return this.#ready;
  }

  /** The hash if it is there within `ms` milliseconds, else null; it goes on being made. Rejects as `ready` does. */
  async within(ms: number): Promise<string | null> {
    if (this.#known !== null) return this.#known;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    try {
      return await Promise.race([this.ready(), tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #begin(): Promise<string> {
    try {
      this.#known = await this.#make();
      return this.#known;
    } catch (error) {
      this.#ready = null;
      throw error;
    }
  }
}
