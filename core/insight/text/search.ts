// Where a text, and the anchors in it, stand in the messages of a transcript and of a view.
import type { PartPlace } from '../../model/exchanges.ts';
import type { MessageFacts } from '../../model/message.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { AnchorFinder } from '../anchorFinder.ts';
import { decodedFields, FIELD_BREAK } from './decode.ts';
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
    const fields = decodedFields(message, each);
    const hits = maySay ? searchFields(fields, pattern) : null;
    if (hits !== null) parts.push({ part, ...hits });
    if (mayName) anchors.push(...namedIn(fields, finder));
  }
  return parts.length === 0 && anchors.length === 0 ? NO_HITS : { parts, anchors };
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

/** Messages between two pauses. */
const PAUSE_EVERY = 64;

/** Looks through all messages of a transcript. Pauses often. */
export function* searchTranscript(source: TranscriptSource, query: TextQuery): Generator<void, RawHits, void> {
  const messages = new Map<number, MessageHits>();
  const named = new Array<number>(query.finder?.anchors.length ?? 0).fill(0);
  let first: RawHits['first'] = null;
  let parts = 0;
  for (let index = 0; index < source.length; index++) {
    if (index % PAUSE_EVERY === 0) yield;
    const facts = source.facts(index);
    parts += facts.parts.length;
    const hits = searchMessage(source.text(index), facts, query);
    if (hits === NO_HITS) continue;
    messages.set(index, hits);
    const [said] = hits.parts;
    if (first === null && said !== undefined) first = { message: index, part: said.part };
    for (const anchor of hits.anchors) named[anchor] = (named[anchor] ?? 0) + 1;
  }
  return { messages, first, named, parts };
}
