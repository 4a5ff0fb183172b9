import { failure } from './engine.ts';

/** One running piece of work a client, of a kind whose older answers nobody looks at any more. */
export class Latest {
  readonly #turns = new Map<number, number>();

  /** Begins work for a client; the function tells whether newer work has begun since. */
  begin(clientId: number): () => boolean {
    const turn = (this.#turns.get(clientId) ?? 0) + 1;
    this.#turns.set(clientId, turn);
    return () => this.#turns.get(clientId) !== turn;
  }
}

/** The answer of work that was overtaken: the client asked for the same thing about something else. */
export const SUPERSEDED = failure('request.superseded', 'A newer request has taken the place of this one.');
