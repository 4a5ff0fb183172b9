// What a request holds of one message or part of the transcript: where it was, or where it was merged or moved to.

import { decodedFields, parseMessage } from '../model/decode.ts';
import type { Part } from '../model/message.ts';
import { partText, valueAt } from '../model/partText.ts';
import { readMessage } from '../model/readMessage.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import { originOf } from '../view/origins.ts';
import { itemText } from '../view/reader.ts';
import type { ViewItem } from '../view/types.ts';
import { holdsWords } from './text/holdsWords.ts';
import type { TracePoint } from './types.ts';

/** What is to be found out at a call point: `part` null = the whole message. */
export interface Subject {
  readonly index: number;
  readonly part: number | null;
}

/** A message, read. */
interface ReadItem {
  readonly message: unknown;
  readonly parts: readonly Part[];
}

/** Says what items hold of a subject. Each item is read once. */
export class SubjectReader {
  readonly #source: TranscriptSource;
  readonly #subject: Subject;
  readonly #own: ReadItem;
  readonly #read = new WeakMap<ViewItem, ReadItem>();

  constructor(source: TranscriptSource, subject: Subject) {
    this.#source = source;
    this.#subject = subject;
    this.#own = this.#item({ kind: 'source', index: subject.index });
  }

  /** True if an item is the message, or holds parts of it. */
  concerns(item: ViewItem): boolean {
    const { index } = this.#subject;
    if (item.kind === 'source' && item.index === index) return true;
    return item.origins?.some((places) => places.some(({ message }) => message === index)) === true;
  }

  /** How a request shows it of which these items concern it. */
  state(items: readonly ViewItem[]): Exclude<TracePoint['state'], 'not_yet'> {
    if (items.some((item) => item.kind === 'source' && this.#isOwn(item) && item.text === undefined)) return 'visible';
    const states = this.#asked().map((part) => this.#partState(part, items));
    if (states.length > 0 && states.every((state) => state === 'visible')) return 'visible';
    if (states.some((state) => state !== 'absent')) return 'changed';
    return this.#subject.part === null && items.some((item) => this.#isOwn(item)) ? 'changed' : 'absent';
  }

  /** What these items say in its place, for people; null = none of them does. */
  shown(items: readonly ViewItem[]): string | null {
    const own = items.find((item) => this.#isOwn(item));
    if (this.#subject.part === null && own !== undefined) return this.text(own);
    const texts = this.#asked().flatMap((part) => this.#carriers(part, items).map((at) => this.#partText(at)));
    return texts.length === 0 ? null : texts.join('\n\n');
  }

  /** All that an item says, for people. */
  text(item: ViewItem): string {
    const { message, parts } = this.#item(item);
    return parts.map((part) => partText(message, part)).join('\n\n');
  }

  #isOwn(item: ViewItem): boolean {
    return item.kind === 'source' && item.index === this.#subject.index;
  }

  // Of a message the parts that say something; where none does, all.
  #asked(): readonly number[] {
    const { part } = this.#subject;
    if (part !== null) return [part];
    const all = [...this.#own.parts.keys()];
    const filled = all.filter((at) => !this.#isBlank(at));
    return filled.length > 0 ? filled : all;
  }

  #isBlank(part: number): boolean {
    const own = this.#own.parts[part];
    if (own === undefined || own.kind === 'opaque') return true;
    return own.kind === 'text' && !decodedFields(this.#own.message, own).some((field) => /\S/.test(field));
  }

  #carriers(part: number, items: readonly ViewItem[]): readonly { readonly item: ViewItem; readonly part: number }[] {
    const { index } = this.#subject;
    return items.flatMap((item) =>
      [...this.#item(item).parts.keys()]
        .filter((at) => originOf(item, at).some((raw) => raw.message === index && raw.part === part))
        .map((at) => ({ item, part: at })),
    );
  }

  #partState(part: number, items: readonly ViewItem[]): 'visible' | 'changed' | 'absent' {
    const carriers = this.#carriers(part, items);
    if (carriers.length === 0) return 'absent';
    return carriers.some((carrier) => this.#says(part, carrier.item, carrier.part)) ? 'visible' : 'changed';
  }

  // Word for word; of a picture or what is encrypted, the same value.
  #says(part: number, item: ViewItem, at: number): boolean {
    const other = this.#item(item);
    const [own, its] = [this.#own.parts[part], other.parts[at]];
    if (own === undefined || its === undefined || own.kind !== its.kind) return false;
    const words = decodedFields(this.#own.message, own);
    if (words.length === 0) {
      return JSON.stringify(valueAt(this.#own.message, own.path)) === JSON.stringify(valueAt(other.message, its.path));
    }
    const fields = decodedFields(other.message, its);
    return words.every((field) => holdsWords(fields, field));
  }

  #partText({ item, part }: { readonly item: ViewItem; readonly part: number }): string {
    const { message, parts } = this.#item(item);
    const own = parts[part];
    return own === undefined ? '' : partText(message, own);
  }

  #item(item: ViewItem): ReadItem {
    const known = this.#read.get(item);
    if (known !== undefined) return known;
    const message = parseMessage(itemText(item, this.#source));
    const read = { message, parts: readMessage(message).parts };
    this.#read.set(item, read);
    return read;
  }
}
