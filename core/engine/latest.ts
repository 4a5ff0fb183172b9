/** One running piece of work a client, of a kind whose older answers nobody looks at any more. */
export class Latest {
  readonly #turns = new Map<number, number>();

  /** Begins work for a client; the function returns whether newer work has begun since. */
  begin(clientId: number): () => boolean {
    const turn = (this.#turns.get(clientId) ?? 0) + 1;
    this.#turns.set(clientId, turn);
    return () => this.#turns.get(clientId) !== turn;
  }

  /** A client that has left: its work is overtaken. */
  forget(clientId: number): void {
    this.#turns.delete(clientId);
  }
}

/** Wakes those who wait on behalf of a client for something that the client asks for again. */
export class Newer {
  readonly #waiting = new Map<number, { readonly promise: Promise<null>; readonly wake: () => void }>();

  /** Resolves when the client asks for something newer. */
  of(clientId: number): Promise<null> {
    const known = this.#waiting.get(clientId);
    if (known !== undefined) return known.promise;
    let wake: () => void = () => undefined;
    const promise = new Promise<null>((resolve) => {
      wake = () => resolve(null);
    });
    this.#waiting.set(clientId, { promise, wake });
    return promise;
  }

  notify(clientId: number): void {
    this.#waiting.get(clientId)?.wake();
    this.#waiting.delete(clientId);
  }
}
