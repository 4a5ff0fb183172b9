// The uuid tree of a session: records written twice, and places where the conversation was rewound. Kept as numbers
// (fingerprints), because a long session has hundreds of thousands of records.

import { fingerprintNumber } from '../../fingerprint.ts';

/** What the tree needs to know of a record. */
export interface Node {
  readonly parentUuid: string | undefined;
  /** Branching needs something to branch: the identity of an answer (its message id) or of a person's message (its uuid); null = a tool result, a note, anything that never is a branch. */
  readonly identity: string | null;
}

/** Watches records go by. */
export class UuidTree {
  readonly #contents = new Map<number, number>();
  readonly #firstChild = new Map<number, number>();
  readonly #passThrough = new Map<number, number>();
  readonly #forks = new Set<number>();

  /** Number of messages after which the conversation went on in two ways or more. */
  get forks(): number {
    return this.#forks.size;
  }

  /** `new`, `same` (this uuid with this content was seen before) or `changed` (this uuid with other content was). */
  seen(uuid: string, contentText: string): 'new' | 'same' | 'changed' {
    const id = fingerprintNumber(uuid);
    const content = fingerprintNumber(contentText);
    const before = this.#contents.get(id);
    if (before === undefined) this.#contents.set(id, content);
    return before === undefined ? 'new' : before === content ? 'same' : 'changed';
  }

  // A parallel call looks like a fork: each result's parent is its own call's line. So only answers and people's
  // messages count as children, and lines of one answer are one child. Notes in between are walked through.
  add(node: Node): void {
    if (node.parentUuid === undefined || node.identity === null) return;
    const parent = this.#resolve(fingerprintNumber(node.parentUuid));
    const identity = fingerprintNumber(node.identity);
    const first = this.#firstChild.get(parent);
    if (first === undefined) this.#firstChild.set(parent, identity);
    else if (first !== identity) this.#forks.add(parent);
  }

  /** A note (attachment, progress, system line): what hangs below it hangs below its parent. */
  addNote(uuid: string | undefined, parentUuid: string | undefined): void {
    if (uuid === undefined || parentUuid === undefined) return;
    this.#passThrough.set(fingerprintNumber(uuid), this.#resolve(fingerprintNumber(parentUuid)));
  }

  #resolve(id: number): number {
    return this.#passThrough.get(id) ?? id;
  }
}
