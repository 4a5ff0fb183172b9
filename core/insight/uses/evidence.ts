// What uses rely on, and which messages of the transcript say it. Texts are found by their words wherever they stand
// (whole words, letter case counts: what `trace --text T --case --word` says); a result also by its place.
import type { PartPlace } from '../../model/exchanges.ts';
import { Ints } from '../../util/ints.ts';
import { PagedLists } from '../../util/pagedLists.ts';
import { StringMap } from '../../util/stringMap.ts';
import { isCommon } from '../anchors/table.ts';
import { type Needle, type TakeHit, TextHunt } from './hunt.ts';
import type { Pace } from './pace.ts';
import { placedFields, type SaidMessage } from './said.ts';
import type { UseSource } from './types.ts';

/** Places kept of one text; all parts that say it are counted. */
const PLACES_MOST = 8;
const NEEDLES_PER_PAUSE = 200;

/** Something that has to be in the request. */
export interface Evidence {
  readonly id: number;
  /** The part of the transcript that says it first; null = none does. */
  readonly first: PartPlace | null;
  /** The first places, in order. */
  readonly places: readonly UseSource[];
  /** Parts of the transcript that say it. */
  readonly parts: number;
  /** A result, by its parts: an edited message says it only if such a part is in it as it was. */
  readonly isResult: boolean;
  /** The last use of it that is known; behind that nobody asks. */
  readonly lastUse: number;
}

/** Numbers kept of a place. */
const PLACE_INTS = 4;
const NOWHERE = -1;
/** In place of infinity. */
const FOREVER = 0x7fffffff;

interface Added {
  readonly id: number;
  readonly needles: readonly Needle[];
}

/** The texts and results that uses rely on, by number. */
export class EvidenceTexts {
  /** By number: the part that says it first, and the one of the last place taken. */
  readonly #first = { message: new Ints(), part: new Ints() };
  readonly #last = { message: new Ints(), part: new Ints() };
  readonly #parts = new Ints();
  readonly #isResult = new Ints();
  readonly #lastUse = new Ints();
  /** Four numbers a place. */
  readonly #places = new PagedLists();
  readonly #byKey = new StringMap<number>();
  /** Of each message the numbers of what it says. */
  readonly #saidIn = new PagedLists();
  readonly #resultsAt = new Map<number, (readonly [id: number, part: number])[]>();
  /** By message: the version of what is known by which `#saidIn` has its order. */
  readonly #sorted = new Ints();
  #version = 1;
  readonly #hunt = new TextHunt();
  /** Not looked for yet. */
  #added: Added[] = [];

  get length(): number {
    return this.#parts.length;
  }

  at(id: number): Evidence {
    if (id >= this.length) throw new RangeError(`no evidence ${id}`);
    const message = this.firstMessage(id);
    return {
      id,
      first: message === null ? null : { message, part: this.#first.part.at(id) },
      places: this.#placesOf(id),
      parts: this.#parts.at(id),
      isResult: this.#isResult.at(id) === 1,
      lastUse: this.lastUse(id),
    };
  }

  /** The message of the transcript that says it first; null = none does. */
  firstMessage(id: number): number | null {
    const message = this.#first.message.at(id);
    return message === NOWHERE ? null : message;
  }

  /** The last use of it that is known; behind that nobody asks. */
  lastUse(id: number): number {
    const use = this.#lastUse.at(id);
    return use === FOREVER ? Number.POSITIVE_INFINITY : use;
  }

  /** What a message of the transcript says, what is asked about longest first. The same order until more is known. */
  askedOf(index: number): Int32Array {
    const ids = this.#saidBy(index);
    if (this.#sorted.at(index) === this.#version) return ids;
    this.#sorted.fillTo(index + 1);
    this.#sorted.set(index, this.#version);
    return ids.sort((a, b) => this.#lastUse.at(b) - this.#lastUse.at(a));
  }

  #saidBy(index: number): Int32Array {
    return this.#saidIn.of(index);
  }

  /** The results that a message of the transcript holds. */
  resultsAt(index: number): readonly (readonly [id: number, part: number])[] {
    return this.#resultsAt.get(index) ?? [];
  }

  /** True if so many parts say it that it proves nothing. */
  isCommon(id: number, ofParts: number): boolean {
    return isCommon(this.#parts.at(id), ofParts);
  }

  /** The number of a text; `needles` are the ways to write it. */
  textId(needles: readonly Needle[], use: number): number {
    const key = needles.map(({ text, isWhole }) => `${isWhole} ${text}`).join('\n');
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      this.used(known, use);
      return known;
    }
    const id = this.#add(needles, false, use);
    this.#byKey.set(key, id);
    return id;
  }

  /** A result that was given at these places, each time the same; `text` null = too long or too short to stand elsewhere. */
  resultId(places: readonly UseSource[], text: string | null, use: number): number {
    const id = this.#add(text === null ? [] : [{ text, isWhole: false }], true, use);
    for (const place of places) this.addResult(id, place);
    return id;
  }

  /** The result was given at another place too. */
  addResult(id: number, place: UseSource): void {
    const known = this.#resultsAt.get(place.index);
    if (known === undefined) this.#resultsAt.set(place.index, [[id, place.part]]);
    else known.push([id, place.part]);
    this.#take(id, place);
  }

  /** Leaves no room for more, for now. */
  pack(): void {
    this.#places.pack();
    this.#saidIn.pack();
  }

  /** It is relied on there. */
  used(id: number, use: number): void {
    this.#lastUse.set(id, Math.max(this.#lastUse.at(id), Math.min(use, FOREVER)));
  }

  /**
   * Looks for what was added since the last time from now on. What it gives is to be looked for in the messages before; null =
   * nothing, or (`isFirst`) no message was searched yet. Pauses often.
   */
  *newHunt(isFirst: boolean): Generator<void, TextHunt | null, void> {
    this.#version++;
    const added = this.#added.filter(({ needles }) => needles.length > 0);
    this.#added = [];
    const hunt = isFirst || added.length === 0 ? null : new TextHunt();
    for (const [nth, { id, needles }] of added.entries()) {
      for (const needle of needles) {
        hunt?.add(needle, id);
        this.#hunt.add(needle, id);
      }
      if (nth % NEEDLES_PER_PAUSE === NEEDLES_PER_PAUSE - 1) yield;
    }
    return hunt;
  }

  /** What was ever looked for. */
  get hunt(): TextHunt {
    return this.#hunt;
  }

  /** Looks through a message of the transcript. Messages come in order. */
  *search(hunt: TextHunt, index: number, { parts }: SaidMessage, pace: Pace): Generator<void, void, void> {
    for (const said of parts) {
      for (const [field, offset] of placedFields(said)) {
        const take: TakeHit = (id, from, to) =>
          this.#take(id, { index, part: said.at, from: from + offset, to: to + offset });
        yield* hunt.searchInPieces(field, take, pace);
      }
    }
  }

  #add(needles: readonly Needle[], isResult: boolean, lastUse: number): number {
    const id = this.#parts.push(0);
    for (const { message, part } of [this.#first, this.#last]) {
      message.push(NOWHERE);
      part.push(NOWHERE);
    }
    this.#isResult.push(isResult ? 1 : 0);
    this.#lastUse.push(Math.min(lastUse, FOREVER));
    this.#added.push({ id, needles });
    return id;
  }

  #take(id: number, { index, part, from, to }: UseSource): void {
    if (id >= this.length) return;
    const [first, last] = [this.#first, this.#last];
    const [lastMessage, lastPart] = [last.message.at(id), last.part.at(id)];
    last.message.set(id, index);
    last.part.set(id, part);
    const firstMessage = first.message.at(id);
    if (firstMessage === NOWHERE || index < firstMessage || (index === firstMessage && part < first.part.at(id))) {
      first.message.set(id, index);
      first.part.set(id, part);
    }
    if (lastMessage === index && lastPart === part) return;
    const isNoted = this.#isResult.at(id) === 1 && this.#saidBy(index).includes(id);
    if (lastMessage !== index && !isNoted) this.#saidIn.push(index, id);
    this.#parts.set(id, this.#parts.at(id) + 1);
    if (this.#places.count(id) >= PLACES_MOST * PLACE_INTS) return;
    for (const each of [index, part, from, to]) this.#places.push(id, each);
  }

  #placesOf(id: number): readonly UseSource[] {
    return placesIn(this.#places, id);
  }
}

/** Places that were kept as four numbers each. */
export function placesIn(lists: PagedLists, list: number): readonly UseSource[] {
  const found: UseSource[] = [];
  const ints = lists.of(list);
  for (let at = 0; at < ints.length; at += PLACE_INTS) {
    found.push({ index: ints[at]!, part: ints[at + 1]!, from: ints[at + 2]!, to: ints[at + 3]! });
  }
  return found;
}
