// Where a text, and the anchors in it, stand in the messages of a transcript and of a view.
import type { PartPlace } from '../../model/exchanges.ts';
import type { MessageFacts, Part } from '../../model/message.ts';
import { partExactText } from '../../model/partText.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { AnchorFinder } from '../anchorFinder.ts';
import { decodedFields, FIELD_BREAK, parsedJson } from './decode.ts';
import type { Span, TextPattern } from './pattern.ts';

/** Ranges kept of a part; all are counted. */
const KEPT_SPANS = 100;

/** Where the text stands in one part: the first ranges of its decoded text, and how many there are. */
export interface PartHits {
  readonly part: number;
  readonly spans: readonly Span[];
  readonly count: number;
}

/** What a message says of a text. `anchors` = which of the finder's stand in it, once for each part that names them. */
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
  const message: unknown = JSON.parse(json);
  const parts: PartHits[] = [];
  const anchors: number[] = [];
  for (const [part, each] of (facts ?? readMessage(message)).parts.entries()) {
    const found = maySay ? searchPart(message, each, pattern) : null;
    if (found !== null) parts.push({ part, spans: found.spans, count: found.count });
    if (mayName) anchors.push(...namedIn(decodedFields(message, each), finder));
  }
  return parts.length === 0 && anchors.length === 0 ? NO_HITS : { parts, anchors };
}

/** Where a text stands in a part, and the text of the part in which its ranges count. */
export interface FoundInPart extends Omit<PartHits, 'part'> {
  readonly text: string;
}

/**
 * Looks through one part of a parsed message: its decoded strings, and, for a text with JSON's own signs in it, arguments and
 * results as JSON, close together or indented: somebody may have copied it from there.
 */
export function searchPart(message: unknown, part: Part, pattern: TextPattern): FoundInPart | null {
  const fields = decodedFields(message, part);
  const hits = searchFields(fields, pattern);
  if (hits !== null) return { ...hits, text: fields.join(FIELD_BREAK) };
  if (!/["{}[\]]/.test(pattern.text)) return null;
  for (const text of jsonTexts(message, part)) {
    const found = searchFields([text], pattern);
    if (found !== null) return { ...found, text };
  }
  return null;
}

function jsonTexts(message: unknown, part: Part): readonly string[] {
  if (part.kind !== 'tool_call' && part.kind !== 'tool_result' && part.kind !== 'other') return [];
  const compact = partExactText(message, part);
  const value = parsedJson(compact);
  return typeof value === 'object' && value !== null ? [compact, JSON.stringify(value, null, 2)] : [];
}

/** Which anchors stand in the strings of one part, each once. */
export function namedIn(fields: readonly string[], finder: AnchorFinder | null): Iterable<number> {
  const found = new Set<number>();
  for (const field of fields) finder?.addFound(field, found);
  return found;
}

/** Where a text stands in the strings of one part; null if it does not. */
export function searchFields(fields: readonly string[], pattern: TextPattern): Omit<PartHits, 'part'> | null {
  const spans: Span[] = [];
  let count = 0;
  let offset = 0;
  for (const field of fields) {
    for (const { from, to } of pattern.find(field)) {
      count++;
      if (spans.length < KEPT_SPANS) spans.push({ from: from + offset, to: to + offset });
    }
    offset += field.length + FIELD_BREAK.length;
  }
  return count === 0 ? null : { spans, count };
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
 * who left or with another policy, goes on from there.
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
