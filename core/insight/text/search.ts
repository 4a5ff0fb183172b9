// Where a text, and the anchors in it, are in the messages of a transcript and of a view.

import { decodedFields, parseMessage } from '../../model/decode.ts';
import type { PartPlace } from '../../model/exchanges.ts';
import type { MessageFacts } from '../../model/message.ts';
import { readMessage } from '../../model/readMessage.ts';
import { type PartHits, searchPart } from '../../model/searchPart.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { TextPattern } from '../../util/textPattern.ts';
import type { AnchorFinder } from '../anchors/finder.ts';

/** What a message says of a text. `anchors` = which of the finder's are in it, once for each part that names them. */
export interface MessageHits {
  readonly parts: readonly PartHits[];
  readonly anchors: readonly number[];
}

/** A message that says nothing of it. */
export const NO_HITS: MessageHits = { parts: [], anchors: [] };

/** A text to be looked for, with its anchors; null = it has too few to prove anything. */
export interface TextQuery {
  readonly pattern: TextPattern;
  readonly finder: AnchorFinder | null;
}

/** Looks through one message. `facts` absent = they are read from the text. Linear in its length. */
export function searchMessage(json: string, facts: MessageFacts | null, { pattern, finder }: TextQuery): MessageHits {
  const maySay = pattern.mayStandIn(json);
  const mayName = finder?.mayStandIn(json) ?? false;
  if (!maySay && !mayName) return NO_HITS;
  const message = parseMessage(json);
  const parts: PartHits[] = [];
  const anchors: number[] = [];
  for (const [part, each] of (facts ?? readMessage(message)).parts.entries()) {
    const found = maySay ? searchPart(message, each, pattern) : null;
    if (found !== null) parts.push({ part, spans: found.spans, count: found.count });
    if (mayName) anchors.push(...namedIn(decodedFields(message, each), finder));
  }
  return parts.length === 0 && anchors.length === 0 ? NO_HITS : { parts, anchors };
}

/** Which anchors are in the strings of one part, each once. */
export function namedIn(fields: readonly string[], finder: AnchorFinder | null): Iterable<number> {
  const found = new Set<number>();
  for (const field of fields) finder?.addFound(field, found);
  return found;
}

/** What a whole transcript says of a text. */
export interface RawHits {
  /** By source index; messages that say neither text nor anchors are left out. */
  readonly messages: ReadonlyMap<number, MessageHits>;
  /** The part that first says the text. */
  readonly first: PartPlace | null;
  /** Parts that name each anchor of the finder, and all parts. */
  readonly named: readonly number[];
  readonly parts: number;
}

/** Characters of text between two pauses: a few milliseconds, whatever is looked for. */
const PAUSE_EVERY = 20_000;

/**
 * The search of a text through all messages of a transcript. It keeps how far it came: whoever asks again, after an asker
 * who left or with another policy, continues from there.
 */
export class TranscriptSearch {
  readonly #source: TranscriptSource;
  readonly #query: TextQuery;
  readonly #messages = new Map<number, MessageHits>();
  readonly #named: number[];
  #first: RawHits['first'] = null;
  #parts = 0;
  #next = 0;

  constructor(source: TranscriptSource, query: TextQuery) {
    this.#source = source;
    this.#query = query;
    this.#named = new Array<number>(query.finder?.anchors.length ?? 0).fill(0);
  }

  /** Looks through what was not looked through yet. Pauses often; several may take turns. */
  *finish(): Generator<void, RawHits, void> {
    let sincePause = 0;
    while (this.#next < this.#source.length) {
      const index = this.#next++;
      const text = this.#source.text(index);
      this.#take(index, text);
      sincePause += text.length;
      if (sincePause < PAUSE_EVERY) continue;
      sincePause = 0;
      yield;
    }
    return { messages: this.#messages, first: this.#first, named: this.#named, parts: this.#parts };
  }

  #take(index: number, text: string): void {
    const facts = this.#source.facts(index);
    this.#parts += facts.parts.length;
    const hits = searchMessage(text, facts, this.#query);
    if (hits === NO_HITS) return;
    this.#messages.set(index, hits);
    const [said] = hits.parts;
    if (this.#first === null && said !== undefined) this.#first = { message: index, part: said.part };
    for (const anchor of hits.anchors) this.#named[anchor] = (this.#named[anchor] ?? 0) + 1;
  }
}
