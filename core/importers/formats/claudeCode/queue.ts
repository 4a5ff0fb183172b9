// What a person types while the agent works is in a queue. `dequeue` begins a turn with it, in a separate record;
// `remove` takes it out: into the request after the results (then most releases write an attachment, those of January
// and February 2026 nothing), or back to the person who wants to change it.

import { type Fields, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';

/** So many texts are remembered. */
const MOST = 1000;
const TAKEN_UP = 'absorbed_mid_turn';

/** The queue of one session, as its records give it. */
export class PromptQueue {
  #waiting: string[] = [];
  // Texts whose attachment came before the record that removes them.
  #attached: string[] = [];
  // Releases that write an attachment for what they take up.
  readonly #attaching = new Set<string>();
  #version = '';

  /** Notes which release writes. */
  see(fields: Fields): void {
    const version = stringAt(fields, 'version');
    if (version === undefined) return;
    this.#version = version;
    const type = stringAt(recordAt(fields, 'attachment') ?? {}, 'type');
    if (type !== undefined && !type.startsWith('hook_')) this.#attaching.add(version);
  }

  /** An attachment says a text of the queue. */
  attach(text: string): void {
    this.#attached.push(text);
    if (this.#attached.length > MOST) this.#attached.shift();
  }

  /** Follows a `queue-operation`; the text that it took up into the request, null = none. */
  operate(fields: Fields): string | null {
    const content = stringAt(fields, 'content');
    switch (stringAt(fields, 'operation')) {
      case 'enqueue':
        this.#waiting.push(content ?? '');
        if (this.#waiting.length > MOST) this.#waiting.shift();
        return null;
      case 'dequeue':
        this.#take(content);
        return null;
      case 'popAll':
        this.#waiting = [];
        return null;
      case 'remove':
        return this.#removed(this.#take(content) ?? content ?? '', fields, content !== undefined);
      default:
        return null;
    }
  }

  #removed(text: string, fields: Fields, isNamed: boolean): string | null {
    const at = this.#attached.indexOf(text);
    if (at >= 0) {
      this.#attached.splice(at, 1);
      return null;
    }
    const reason = ownAt(fields, 'reason');
    const isWithdrawn = reason === undefined ? isNamed && this.#attaching.has(this.#version) : reason !== TAKEN_UP;
    // The client's own task, as data: what the model was sent of it is not recorded.
    return isWithdrawn || text.trim() === '' || /^\s*\{/.test(text) ? null : text;
  }

  // The one that is named, else the oldest.
  #take(content: string | undefined): string | undefined {
    const at = content === undefined ? 0 : this.#waiting.indexOf(content);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0];
  }
}
