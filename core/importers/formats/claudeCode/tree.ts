// The uuid tree of a session: where a record is in the conversation. The conversation is the path to its last
// message. Kept as numbers (fingerprints), because a long session has hundreds of thousands of records.
//
// What only looks like a fork: results of parallel calls (each names its own call's line as parent), lines of one
// answer, an answer written again after an API error, notes. So a record goes back only if it speaks, and if
// something that speaks stands after its parent. Of two readings the one with fewer branches is taken.

import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { NumberMap } from '../../../util/numberMap.ts';
import { ownAt } from '../../../util/unknown.ts';
import { fingerprintNumber } from '../../fingerprint.ts';
import { BranchPath, type Move, ROOT } from '../../reading/branchPath.ts';

/**
 * What a message is to the tree: an `answer`, what a `person` wrote, a `command` a person gave, tool `result`s, or a
 * `note` (injected text, a summary, an API error).
 */
export type NodeKind = 'answer' | 'person' | 'command' | 'result' | 'note';

/** What the tree needs to know of a record. */
export interface Placed {
  readonly uuid: string | undefined;
  /** The record before it: its uuid, null = it says there is none, undefined = it says nothing. */
  readonly parentUuid: string | null | undefined;
  readonly session: string | undefined;
  readonly kind: NodeKind;
  /** What a person wrote in it, for a title. */
  readonly words: string | undefined;
  readonly origin: Origin;
}

/** Values a scrubber left where an id was: they name nothing. */
export const SCRUBBED = /^(<.*>|REDACTED|\[.*\])$/i;

/** Distinguishes records written twice from new ones. */
export class KnownUuids {
  readonly #contents = new NumberMap();

  /** `new`, `same` (this uuid with this content was seen before) or `changed` (this uuid with other content was). */
  seen(uuid: string, contentText: string): 'new' | 'same' | 'changed' {
    const id = fingerprintNumber(uuid);
    const content = fingerprintNumber(contentText);
    const before = this.#contents.get(id);
    if (before === undefined) this.#contents.set(id, content);
    return before === undefined ? 'new' : before === content ? 'same' : 'changed';
  }
}

/** One chain's records by uuid, and its path. */
export class SessionTree {
  readonly path: BranchPath;
  readonly #mayFork: boolean;
  readonly #nodes = new NumberMap();
  readonly #kinds: NodeKind[] = [];
  readonly #keys = new Set<string>();
  // The path's last message; its uuid names the branch that ends there.
  #leaf: Placed | null = null;

  constructor(key: string, mayFork: boolean) {
    this.path = new BranchPath(key);
    this.#mayFork = mayFork;
  }

  /** The message that a record is part of, or hangs below; -1 = it stands before the first; undefined = not known. */
  nodeOf(uuid: string): number | undefined {
    return this.#nodes.get(fingerprintNumber(uuid));
  }

  /** Puts a new message on the path; `move` = where the sink has to go before. `meta`: of what is left. */
  place(record: Placed, meta: () => Partial<TranscriptMeta>): { readonly node: number; readonly move: Move | null } {
    const target = this.#mayFork ? this.#target(record) : null;
    const goesBack = target !== null && record.kind !== 'note';
    const known = goesBack || !this.path.isHome ? meta() : {};
    const move = goesBack ? this.#goBack(target) : this.path.comeHome(false);
    const node = this.path.append(record.words);
    this.#kinds.push(record.kind);
    this.#name(record.uuid, target === null || goesBack ? node : target);
    const { uuid, parentUuid, session, kind, words, origin } = record;
    this.#leaf = { uuid, parentUuid, session, kind, words, origin };
    return { node, move: move && knowing(move, known) };
  }

  #goBack(target: number): Move | null {
    return this.path.goTo(target, this.#branchKey(), (node) => this.#kinds[node] === 'result');
  }

  /** One more record of a message. */
  also(node: number, uuid: string | undefined): void {
    this.#name(uuid, node);
  }

  /** A note (attachment, progress, system line): what hangs below it hangs below its parent, else below the last message. */
  note(uuid: string | undefined, parentUuid: string | null | undefined): void {
    const parent = typeof parentUuid === 'string' ? this.nodeOf(parentUuid) : undefined;
    this.#name(uuid, parent ?? this.path.tip);
  }

  // Where the record goes back to; null = it follows what is there. Results and notes that come late follow as well,
  // unless they belong to a branch that was left (results) or what hangs below them goes back (notes).
  #target(record: Placed): number | null {
    const parent = this.#parentOf(record);
    if (parent === null) return null;
    if (!this.path.isOnPath(parent)) return parent;
    if (record.kind === 'result') return null;
    return this.#speaksAfter(parent) ? parent : null;
  }

  // A parent that is not in the file says nothing. None at all, in the middle: the first message was edited; but only a
  // person does that, and neither another session nor a file whose records never name a parent says so.
  #parentOf({ parentUuid, kind, session }: Placed): number | null {
    if (typeof parentUuid === 'string') return this.nodeOf(parentUuid) ?? null;
    const edits = parentUuid === null && kind === 'person' && this.#leaf?.session === session;
    return edits && typeof this.#leaf?.parentUuid === 'string' ? ROOT : null;
  }

  #speaksAfter(node: number): boolean {
    for (let at = this.path.indexOf(node) + 1; at < this.path.length; at++) {
      const kind = this.#kinds[this.path.nodeAt(at)];
      if (kind === 'answer' || kind === 'person') return true;
    }
    return false;
  }

  #name(uuid: string | undefined, node: number): void {
    if (uuid !== undefined) this.#nodes.set(fingerprintNumber(uuid), node);
  }

  #branchKey(): string {
    const { uuid, origin } = this.#leaf ?? { uuid: undefined, origin: { byteStart: 0 } };
    const named = uuid === undefined || SCRUBBED.test(uuid) ? undefined : `branch ${uuid}`;
    const key = named === undefined || this.#keys.has(named) ? `branch at byte ${origin.byteStart}` : named;
    this.#keys.add(key);
    return key;
  }
}

/** What a record says of the one before it, as {@link Placed} has it. */
export function parentOf(fields: Readonly<Record<string, unknown>>): string | null | undefined {
  const parent = ownAt(fields, 'parentUuid');
  return parent === null || typeof parent === 'string' ? parent : undefined;
}

/** A move that says what is left: all that is known of the transcript, and more. */
export function knowing(move: Move, known: Partial<TranscriptMeta>): Move {
  const { rewind } = move;
  if (!rewind) return move;
  return { ...move, rewind: { ...rewind, leave: { ...rewind.leave, meta: { ...known, ...rewind.leave.meta } } } };
}
