/** A prefix hash on its way: for those who wait for it, and for those who take what is there. */
export class PendingHash {
  readonly ready: Promise<string>;
  #known: string | null = null;

  constructor(ready: Promise<string>) {
    this.ready = ready;
    ready.then(
      (hash) => {
        this.#known = hash;
      },
      () => undefined, // told to those who wait
    );
  }

  /** The hash if it is there. */
  get known(): string | null {
    return this.#known;
  }

  /** The hash if it is there within `ms` milliseconds, else null. Rejects as `ready` does. */
  async within(ms: number): Promise<string | null> {
    if (this.#known !== null) return this.#known;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    try {
      return await Promise.race([this.ready, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
