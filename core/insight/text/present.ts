// Whether the words of some places are in one request: by text, not by message. A place is `here` if its words are in
// the part itself, or where that part was merged or moved to.

import { decodedFields, parseMessage } from '../../model/decode.ts';
import type { PartPlace } from '../../model/exchanges.ts';
import { readMessage } from '../../model/readMessage.ts';
import { searchFields } from '../../model/searchPart.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { TextPattern } from '../../util/textPattern.ts';
import { originOf } from '../../view/origins.ts';
import { itemText } from '../../view/reader.ts';
import { isUnrendered } from '../../view/tokens.ts';
import type { View, ViewItem } from '../../view/types.ts';
import { holdsWords } from './holdsWords.ts';
import { searchMessage } from './search.ts';
import type { PlacePresence } from './types.ts';

/** A part of the transcript; null = the whole message. */
export interface AskedPlace {
  readonly index: number;
  readonly part: number | null;
}

/** What is asked of which request. `pattern` null = all that the places say. */
export interface PresenceQuestion {
  readonly source: TranscriptSource;
  readonly view: View;
  readonly at: number;
  readonly places: readonly AskedPlace[];
  readonly pattern: TextPattern | null;
  /** What is in front of the messages says the pattern. */
  readonly inFront: boolean;
}

/** Longer words are not looked for elsewhere. Unit: UTF-16 units. */
const WORDS_MOST = 4000;
const PAUSE_EVERY = 64;

/** The answers, in the order of the places. Pauses often. */
export function* presenceSteps(question: PresenceQuestion): Generator<void, readonly PlacePresence[], void> {
  const { places, at, pattern, source, inFront } = question;
  const request = new Request(question);
  const answers: PlacePresence[] = [];
  let isSaid: boolean | null = inFront ? true : null;
  for (const place of places) {
    yield;
    if (place.index >= Math.min(at, source.length)) answers.push('after');
    else if (request.isHere(place)) answers.push('here');
    else if (pattern === null) answers.push(request.isQuoted(place) ? 'elsewhere' : 'gone');
    else {
      isSaid ??= yield* anySays(question, pattern);
      answers.push(isSaid ? 'elsewhere' : 'gone');
    }
  }
  return answers;
}

function* anySays({ source, view }: PresenceQuestion, pattern: TextPattern): Generator<void, boolean, void> {
  for (const [position, item] of view.items.entries()) {
    if (position % PAUSE_EVERY === 0) yield;
    if (isUnrendered(item)) continue;
    const facts = item.kind === 'source' && item.text === undefined ? source.facts(item.index) : null;
    if (searchMessage(itemText(item, source), facts, { pattern, finder: null }).parts.length > 0) return true;
  }
  return false;
}

interface Carrier {
  readonly item: ViewItem;
  readonly part: number;
}

/** A request by the parts of the transcript in it. */
class Request {
  readonly #source: TranscriptSource;
  readonly #pattern: TextPattern | null;
  /** Messages as they are. */
  readonly #raw = new Set<number>();
  /** Parts that are in edited and made messages, as `message.part`. */
  readonly #carried = new Map<string, Carrier[]>();
  readonly #made: ViewItem[] = [];
  readonly #read = new Map<ViewItem, readonly (readonly string[])[]>();

  constructor({ source, view, pattern }: PresenceQuestion) {
    this.#source = source;
    this.#pattern = pattern;
    const summaries = new Set(source.compactions().map(({ summaryIndex }) => summaryIndex));
    for (const item of view.items) {
      if (isUnrendered(item)) continue;
      const isRaw = item.kind === 'source' && item.text === undefined;
      if (isRaw) this.#raw.add(item.index);
      if (!isRaw || summaries.has(item.index)) this.#made.push(item);
    }
    for (const item of this.#made) {
      for (const part of this.#fields(item).keys())
        for (const raw of originOf(item, part)) this.#carry(raw, { item, part });
    }
  }

  isHere({ index, part }: AskedPlace): boolean {
    const parts = part === null ? this.#filledParts(index) : [part];
    const standing = parts.map((each) => this.#stands(index, each));
    // Of a message one part that says the text will do; of all its words every part has to be there.
    return this.#pattern === null ? standing.every(Boolean) : standing.some(Boolean);
  }

  // Blank ones are left out, unless there are no others.
  #filledParts(index: number): readonly number[] {
    const own = this.#own(index);
    const all = [...own.keys()];
    const filled = all.filter((part) => own[part]?.some((field) => /\S/.test(field)));
    return filled.length > 0 ? filled : all;
  }

  /** True if a summary, or another message that a stage made or edited, quotes a text word for word. */
  isQuoted({ index, part }: AskedPlace): boolean {
    const own = this.#own(index);
    const words = (part === null ? own.flat() : (own[part] ?? [])).filter((field) => field.length <= WORDS_MOST);
    if (words.length !== 1) return false;
    const [said = ''] = words;
    return said.trim() !== '' && this.#made.some((item) => this.#fields(item).some((f) => holdsWords(f, said)));
  }

  #stands(index: number, part: number): boolean {
    const own = this.#own(index)[part] ?? [];
    const pattern = this.#pattern;
    if (pattern !== null && searchFields(own, pattern) === null) return false;
    if (this.#raw.has(index)) return true;
    const carriers = this.#carried.get(`${index}.${part}`) ?? [];
    const says = (fields: readonly string[]): boolean =>
      pattern === null ? own.every((field) => holdsWords(fields, field)) : searchFields(fields, pattern) !== null;
    return carriers.some((carrier) => says(this.#fields(carrier.item)[carrier.part] ?? []));
  }

  #own(index: number): readonly (readonly string[])[] {
    return this.#fields({ kind: 'source', index });
  }

  #fields(item: ViewItem): readonly (readonly string[])[] {
    const known = this.#read.get(item);
    if (known !== undefined) return known;
    const message = parseMessage(itemText(item, this.#source));
    const fields = readMessage(message).parts.map((part) => decodedFields(message, part));
    this.#read.set(item, fields);
    return fields;
  }

  #carry({ message, part }: PartPlace, carrier: Carrier): void {
    const key = `${message}.${part}`;
    const known = this.#carried.get(key);
    if (known === undefined) this.#carried.set(key, [carrier]);
    else known.push(carrier);
  }
}
