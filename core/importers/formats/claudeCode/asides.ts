// What the client puts beside the conversation waits here for its place. A provider takes results of calls only right
// after the calls: so what is recorded between a call and its result was sent behind that.

import { isRecord, ownAt, stringAt } from '../../../util/unknown.ts';
import type { HeldEvent, Piece } from './chain.ts';
import type { NodeKind } from './tree.ts';

/** A text that was taken out of the queue, and the event that the record is if another one says the text. */
export interface Queued {
  readonly text: string;
  readonly event: HeldEvent;
}

/** A message to be. */
interface Aside {
  readonly role: string;
  readonly piece: Piece;
  readonly queued?: Queued;
}

/** True for what comes after all results of the calls before it: those without one get none any more. */
export function endsExchange(kind: NodeKind): boolean {
  return kind === 'answer' || kind === 'person' || kind === 'command';
}

/** The waiting asides of one chain, in file order. Their place depends on the records alone, not on when it is asked. */
export class Asides {
  #waiting: Aside[] = [];
  readonly #unanswered = new Set<string>();

  hold(aside: Aside): void {
    this.#waiting.push(aside);
  }

  /** Notes the calls that a message makes, or answers. */
  read({ content }: Piece): void {
    for (const block of Array.isArray(content) ? content : []) {
      if (!isRecord(block)) continue;
      const type = ownAt(block, 'type');
      if (type === 'tool_use') this.#unanswered.add(stringAt(block, 'id') ?? '');
      if (type === 'tool_result') this.#unanswered.delete(stringAt(block, 'tool_use_id') ?? '');
    }
  }

  /** Those that need not wait, taken out: all but texts of the queue, once no call is open. */
  answered(): readonly Aside[] {
    if (this.#waiting.length === 0 || this.#unanswered.size > 0) return [];
    const ready = this.#waiting.filter(({ queued }) => queued === undefined);
    if (ready.length > 0) this.#waiting = this.#waiting.filter(({ queued }) => queued !== undefined);
    return ready;
  }

  /** All of them, taken out: an exchange has ended. */
  all(): readonly Aside[] {
    const all = this.#waiting;
    this.#waiting = [];
    this.#unanswered.clear();
    return all;
  }

  /** Takes out the first text of the queue that says the same; undefined if there is none. */
  claim(text: string): Queued | undefined {
    const at = this.#waiting.findIndex((aside) => aside.queued?.text === text);
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]?.queued;
  }
}
