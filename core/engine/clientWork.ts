import type { Task } from './session/workQueue.ts';

interface Asked {
  readonly question: string;
  end(): void;
}

/** Background work of one kind, begun for clients: what is asked about something else ends what was asked before. */
export class ClientWork {
  readonly #asked = new Map<number, Set<Asked>>();

  /** Takes a client's newest work. What it asked before of another question ends; of the same one it continues beside it. */
  begin<T>(clientId: number, question: string, begin: () => Task<T>): Task<T> {
    // Begun before the others end: work that both share continues.
    const task = begin();
    const asked: Asked = { question, end: task.end };
    this.end(clientId, (older) => older.question !== question);
    const all = this.#asked.get(clientId) ?? new Set();
    this.#asked.set(clientId, all.add(asked));
    const forget = (): void => {
      all.delete(asked);
      if (all.size === 0 && this.#asked.get(clientId) === all) this.#asked.delete(clientId);
    };
    task.done.then(forget, forget);
    return task;
  }

  /** Ends what a client has begun, all of it or what fits. */
  end(clientId: number, fits: (asked: { readonly question: string }) => boolean = () => true): void {
    for (const asked of [...(this.#asked.get(clientId) ?? [])]) {
      if (!fits(asked)) continue;
      this.#asked.get(clientId)?.delete(asked);
      asked.end();
    }
  }
}
