/** A prefix hash made when first asked for: for those who wait for it, and for those who take what is there. */
export class PendingHash {
  readonly #make: (isAwaited: boolean) => Promise<string>;
  readonly #end: () => void;
  #ready: Promise<string> | null = null;
  #known: string | null = null;
  #waiting = 0;

  /**
   * `make` hears whether somebody waits for it until it is there; if not, it need not begin at once. `end` ends what `make`
   * began, which then rejects.
   */
  constructor(make: (isAwaited: boolean) => Promise<string>, end: () => void = () => undefined) {
    this.#make = make;
    this.#end = end;
  }

  /** The hash if it is there. */
  get known(): string | null {
    return this.#known;
  }

  /** The hash. Those who waited get a failure; who asks after that has it made again. */
  async ready(): Promise<string> {
    this.#waiting++;
    try {
      return await this.#begun(true);
    } finally {
      this.#waiting--;
    }
  }

  /**
   * The hash if it is there within `ms` milliseconds, else null; it keeps being made. Rejects as `ready` does. With 0 the
   * caller continues before the first slice of it is made.
   */
  async within(ms: number): Promise<string | null> {
    if (ms <= 0) return this.until(Promise.resolve(null));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms);
    });
    try {
      return await this.until(tooLate);
    } finally {
      clearTimeout(timer);
    }
  }

  /** The hash if it is there before that, else null; it keeps being made. */
  async until(tooLate: Promise<null>): Promise<string | null> {
    if (this.#known !== null) return this.#known;
    this.#waiting++;
    try {
      return await Promise.race([this.#begun(false), tooLate]);
    } finally {
      this.#waiting--;
    }
  }

  /** Ends the making if nobody waits for it. What was ended fails a little later: nobody may join it any more. */
  abandon(): void {
    if (this.#waiting > 0) return;
    this.#ready = null;
    this.#end();
  }

  #begun(isAwaited: boolean): Promise<string> {
    if (this.#ready !== null) return this.#ready;
    const ready = this.#make(isAwaited).then((hash) => {
      this.#known = hash;
      return hash;
    });
    this.#ready = ready;
    ready.catch(() => {
      if (this.#ready === ready) this.#ready = null;
    });
    return ready;
  }
}
