// A stage that edits parts: what is done to a message is a list that grows and shrinks; the message is made again when its
// list changes.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { PAUSE, PAUSE_EVERY, type Pausing } from '../../../view/types.ts';
import { Editor, type LiveEdit, type Why } from './editor.ts';
import { LiveDecisions } from './liveDecisions.ts';

/** The part that editing stages share. */
export abstract class LiveEdits extends LiveDecisions {
  protected readonly editor: Editor;
  #edits: (LiveEdit[] | undefined)[] = [];
  readonly #touched = new Set<number>();

  constructor(given: IncrementalContext, placeholder = '') {
    super(given);
    this.editor = new Editor(given, { placeholder });
  }

  protected reset(): void {
    this.#edits = new Array<LiveEdit[] | undefined>(this.reader.length).fill(undefined);
    this.#touched.clear();
  }

  /** From now on the message is gone, whatever else is done to it. It comes back when the view begins again. */
  protected drop(position: number, why: () => Why): void {
    this.#edits[position] = undefined;
    this.#touched.delete(position);
    this.decide(position, this.editor.drop(this.reader.item(position), why));
  }

  /** From now on this is done. */
  protected add(edit: LiveEdit): void {
    const { message } = edit.place;
    const known = this.#edits[message];
    if (known === undefined) this.#edits[message] = [edit];
    else known.push(edit);
    this.#touched.add(message);
  }

  /** From now on it is not; the same object as was added. */
  protected take(edit: LiveEdit): void {
    const { message } = edit.place;
    const known = this.#edits[message];
    const at = known?.indexOf(edit) ?? -1;
    if (known === undefined || at < 0) return;
    known.splice(at, 1);
    if (known.length === 0) this.#edits[message] = undefined;
    this.#touched.add(message);
  }

  /** The message was given in another wording. */
  protected reword(position: number): void {
    if (this.#edits[position] !== undefined) this.#touched.add(position);
  }

  /** Makes again what changed. Call it at the end of settle(). */
  protected *show(): Pausing<void> {
    let done = 0;
    for (const position of this.#touched) {
      if (++done % PAUSE_EVERY === 0) yield PAUSE;
      const edits = this.#edits[position];
      this.decide(position, edits === undefined ? null : this.editor.edit(this.reader.item(position), edits));
    }
    this.#touched.clear();
  }
}

/** A reason that many edits share: made when it is first asked for, and again when what it says has changed. */
export class SharedWhy {
  readonly #make: () => Why;
  #why: Why | null = null;

  constructor(make: () => Why) {
    this.#make = make;
  }

  /** For LiveEdit.why. */
  readonly get = (): Why => {
    this.#why ??= this.#make();
    return this.#why;
  };

  /** What it says may be different from now on. */
  change(): void {
    this.#why = null;
  }
}

/** Lists of edits one behind the other, of which a first number is done. */
export class EditSequence {
  readonly #lists: (readonly LiveEdit[])[] = [];
  #done = 0;

  get length(): number {
    return this.#lists.length;
  }

  /** Adds a list at the end. */
  push(edits: readonly LiveEdit[]): void {
    this.#lists.push(edits);
  }

  /** Takes lists off the end. */
  truncate(length: number, take: (edit: LiveEdit) => void): void {
    this.doFirst(Math.min(this.#done, length), () => {}, take);
    this.#lists.length = Math.min(this.#lists.length, length);
  }

  /** From now on the first `count` lists are done, and no other. */
  doFirst(count: number, add: (edit: LiveEdit) => void, take: (edit: LiveEdit) => void): void {
    const wanted = Math.max(0, Math.min(count, this.#lists.length));
    for (; this.#done < wanted; this.#done++) for (const edit of this.#lists[this.#done] ?? []) add(edit);
    for (; this.#done > wanted; this.#done--) for (const edit of this.#lists[this.#done - 1] ?? []) take(edit);
  }

  clear(): void {
    this.#lists.length = 0;
    this.#done = 0;
  }
}
