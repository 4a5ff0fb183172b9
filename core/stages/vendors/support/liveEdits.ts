// Edits of parts along the call points: what is done to a message is a list that grows and shrinks; the message is made
// anew when its list changes.
import type { PartPlace } from '../../../model/exchanges.ts';
import type { Fate } from '../../../view/types.ts';
import { Edits, type Why } from './edits.ts';
import { LiveDecisions } from './liveDecisions.ts';

/** One thing that is done to a message. `why` is asked when somebody wants to know. */
export interface LiveEdit {
  readonly place: PartPlace;
  readonly op: 'result' | 'input' | 'remove' | 'drop' | 'append';
  readonly why: () => Why;
  /** `append`: the text. */
  readonly text?: string;
}

/** The part that live forms of editing stages share. */
export abstract class LiveEdits extends LiveDecisions {
  protected placeholder = '';
  readonly #edits = new Map<number, LiveEdit[]>();
  readonly #touched = new Set<number>();

  protected reset(): void {
    this.#edits.clear();
    this.#touched.clear();
  }

  /** From now on this is done. */
  protected add(edit: LiveEdit): void {
    const { message } = edit.place;
    const known = this.#edits.get(message);
    if (known === undefined) this.#edits.set(message, [edit]);
    else known.push(edit);
    this.#touched.add(message);
  }

  /** From now on it is not; the same object as was added. */
  protected take(edit: LiveEdit): void {
    const { message } = edit.place;
    const known = this.#edits.get(message);
    const at = known?.indexOf(edit) ?? -1;
    if (known === undefined || at < 0) return;
    known.splice(at, 1);
    if (known.length === 0) this.#edits.delete(message);
    this.#touched.add(message);
  }

  /** The message was given in another wording. */
  protected reword(position: number): void {
    if (this.#edits.has(position)) this.#touched.add(position);
  }

  /** Makes anew what changed. Call it at the end of settle(). */
  protected show(): void {
    for (const position of this.#touched) this.#decideAnew(position);
    this.#touched.clear();
  }

  /** Edits to which nothing is done yet, for their counts. */
  protected emptyEdits(): Edits {
    return new Edits(this.reader, this.context, { placeholder: this.placeholder });
  }

  #decideAnew(position: number): void {
    const outcome = this.#outcome(position);
    if (outcome === null) this.decide(position, null);
    else this.decide(position, { item: outcome.item, kind: outcome.kind, fate: () => this.#fateAt(position) });
  }

  #fateAt(position: number): Fate {
    const outcome = this.#outcome(position);
    if (outcome === null) throw new Error(`nothing is done to position ${position}`);
    return outcome.fate();
  }

  #outcome(position: number) {
    const list = this.#edits.get(position);
    if (list === undefined) return null;
    const edits = this.emptyEdits();
    for (const { place, op, why, text } of list) {
      if (op === 'result') edits.clearResult(place, why());
      else if (op === 'input') edits.clearInput(place, why());
      else if (op === 'remove') edits.remove(place, why());
      else if (op === 'drop') edits.drop(place.message, why());
      else edits.append(place.message, text ?? '');
    }
    return edits.at(position);
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
