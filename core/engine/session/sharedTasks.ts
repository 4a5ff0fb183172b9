import type { Task } from './workQueue.ts';

interface Shared<T, E> {
  readonly task: Task<T>;
  readonly listeners: Set<(event: E) => void>;
}

/** Background work that several ask for: done once, and ended when the last of them is gone. `E` = what it reports meanwhile. */
export class SharedTasks<T, E = never> {
  readonly #running = new Map<string, Shared<T, E>>();

  /** The work of that key, begun if it is not under way. `end` = this asker is gone. */
  ask(key: string, listen: (event: E) => void, begin: (notify: (event: E) => void) => Task<T>): Task<T> {
    const shared = this.#running.get(key) ?? this.#begin(key, begin);
    const { task, listeners } = shared;
    // A separate function: the same one may listen twice.
    const own = (event: E): void => listen(event);
    listeners.add(own);
    return {
      done: task.done,
      end: () => {
        if (!listeners.delete(own) || listeners.size > 0) return;
        task.end();
        this.#forget(key, shared);
      },
    };
  }

  #begin(key: string, begin: (notify: (event: E) => void) => Task<T>): Shared<T, E> {
    const listeners = new Set<(event: E) => void>();
    const task = begin((event) => {
      for (const listen of [...listeners]) listen(event);
    });
    const shared = { task, listeners };
    this.#running.set(key, shared);
    const forget = (): void => this.#forget(key, shared);
    task.done.then(forget, forget);
    return shared;
  }

  #forget(key: string, shared: Shared<T, E>): void {
    if (this.#running.get(key) === shared) this.#running.delete(key);
  }
}
