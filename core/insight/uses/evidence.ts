// What uses rely on, and which messages of the transcript say it. Texts are found by their words wherever they stand
// (whole words, letter case counts: what `trace --text T --case --word` says); a result also by its place.
import type { PartPlace } from '../../model/exchanges.ts';
import { isCommon } from '../anchors/table.ts';
import { type Needle, TextHunt } from './hunt.ts';
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

interface Growing {
  id: number;
  first: PartPlace | null;
  places: UseSource[];
  parts: number;
  isResult: boolean;
  lastUse: number;
  needles: readonly Needle[];
  /** The last place taken. */
  last: UseSource | null;
}

const NO_IDS: readonly number[] = [];

/** The texts and results that uses rely on, by number. */
export class EvidenceTexts {
  readonly #all: Growing[] = [];
  readonly #byKey = new Map<string, number>();
  /** Of each message the numbers of what it says. */
  readonly #saidIn: (number[] | undefined)[] = [];
  readonly #resultsAt = new Map<number, (readonly [id: number, part: number])[]>();
  readonly #hunt = new TextHunt();
  /** Not looked for yet. */
  #added: Growing[] = [];

  get length(): number {
    return this.#all.length;
  }

  at(id: number): Evidence {
    const found = this.#all[id];
    if (found === undefined) throw new RangeError(`no evidence ${id}`);
    return found;
  }

  /** What a message of the transcript says. */
  saidIn(index: number): readonly number[] {
    return this.#saidIn[index] ?? NO_IDS;
  }

  /** The results that a message of the transcript holds. */
  resultsAt(index: number): readonly (readonly [id: number, part: number])[] {
    return this.#resultsAt.get(index) ?? [];
  }

  /** True if so many parts say it that it proves nothing. */
  isCommon(id: number, ofParts: number): boolean {
    return isCommon(this.at(id).parts, ofParts);
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

  /** It is relied on there. */
  used(id: number, use: number): void {
    const found = this.#all[id];
    if (found !== undefined) found.lastUse = Math.max(found.lastUse, use);
  }

  /** What was added since the last time, to be looked for in the messages before; null = nothing. Pauses often. */
  *newHunt(): Generator<void, TextHunt | null, void> {
    const added = this.#added.filter(({ needles }) => needles.length > 0);
    this.#added = [];
    if (added.length === 0) return null;
    const hunt = new TextHunt();
    for (const [nth, { id, needles }] of added.entries()) {
      for (const needle of needles) {
        hunt.add(needle, id);
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
  search(hunt: TextHunt, index: number, { parts }: SaidMessage): void {
    for (const said of parts) {
      for (const [field, offset] of placedFields(said)) {
        hunt.search(field, (id, from, to) =>
          this.#take(id, { index, part: said.at, from: from + offset, to: to + offset }),
        );
      }
    }
  }

  #add(needles: readonly Needle[], isResult: boolean, lastUse: number): number {
    const id = this.#all.length;
    const made: Growing = { id, first: null, places: [], parts: 0, isResult, lastUse, needles, last: null };
    this.#all.push(made);
    this.#added.push(made);
    return id;
  }

  #take(id: number, place: UseSource): void {
    const found = this.#all[id];
    if (found === undefined) return;
    const { last } = found;
    found.last = place;
    if (found.first === null || isBefore(place, found.first)) found.first = { message: place.index, part: place.part };
    if (last?.index === place.index && last.part === place.part) return;
    const ids = this.#saidIn[place.index] ?? [];
    this.#saidIn[place.index] = ids;
    if (last?.index !== place.index && !(found.isResult && ids.includes(id))) ids.push(id);
    found.parts++;
    if (found.places.length < PLACES_MOST) found.places.push(place);
  }
}

function isBefore({ index, part }: UseSource, first: PartPlace): boolean {
  return index < first.message || (index === first.message && part < first.part);
}
