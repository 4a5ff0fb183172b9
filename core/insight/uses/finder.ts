// The uses that a transcript shows, whatever the policy: one pass over its messages, in slices. Kept in memory with the
// open session, not in the library: what is kept of a message depends on those before it (who said a thing first, which
// grams are taken), and one pass costs less than reading as much from the library. A session that grows is gone on with.
import type { MessageFacts } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { detached } from '../../util/ints.ts';
import { ItemMap } from '../../view/itemMap.ts';
import { AnchorIndex, anchorConfidence, anchorsIn, needlesOf, type PlacedAnchor, usedAnchors } from './anchorUses.ts';
import { CallUses } from './callUses.ts';
import { EvidenceTexts } from './evidence.ts';
import type { TextHunt } from './hunt.ts';
import { Pointers } from './pointers.ts';
import { QuoteUses } from './quoteUses.ts';
import { RuleUses } from './ruleUses.ts';
import { readSaid, type SaidMessage } from './said.ts';
import type { FoundUse, ItemSays, UseSource } from './types.ts';

/** Characters of JSON read between two pauses: a few milliseconds. */
const PAUSE_EVERY = 10_000;

/** The uses of one transcript. Grow it before it is asked, and again when the transcript has grown. */
export class UseFinder {
  readonly evidence = new EvidenceTexts();
  /** What items of views say, until there is more evidence. Policies share items, so they share this. */
  itemSays = new ItemMap<ItemSays>();
  readonly #source: TranscriptSource;
  readonly #anchors = new AnchorIndex();
  readonly #quotes: QuoteUses;
  readonly #calls: CallUses;
  readonly #rules: RuleUses;
  readonly #pointers: Pointers;
  readonly #uses = new Map<number, FoundUse[]>();
  /** Until there is more evidence. */
  #firstSaid: ReadonlyMap<number, readonly number[]> | null = null;
  #next = 0;
  #searched = 0;
  #parts = 0;

  constructor(source: TranscriptSource) {
    this.#source = source;
    this.#quotes = new QuoteUses(source, this.evidence);
    this.#pointers = new Pointers(this.evidence);
    this.#calls = new CallUses(source, this.evidence, this.#pointers, (use) => this.#add(use));
    this.#rules = new RuleUses(this.evidence);
  }

  /** Messages that were looked through. */
  get length(): number {
    return this.#searched;
  }

  /** Looks through messages that were not looked through yet. Pauses often; one at a time. */
  *grow(): Generator<void, void, void> {
    let sincePause = 0;
    const { length } = this.#source;
    for (; this.#next < length; this.#next++) {
      sincePause += this.#take(this.#next);
      if (sincePause < PAUSE_EVERY) continue;
      sincePause = 0;
      yield;
    }
    this.#calls.settle(length);
    const hunt = yield* this.evidence.newHunt();
    if (hunt !== null) yield* this.#search(hunt, 0, this.#searched);
    yield* this.#search(this.evidence.hunt, this.#searched, length);
    this.#searched = length;
    this.#quotes.rest();
    this.itemSays = new ItemMap();
    this.#firstSaid = null;
  }

  /** What the assistant message relied on, without what so many parts say that it proves nothing. */
  usesAt(at: number): readonly FoundUse[] {
    const found = this.#uses.get(at) ?? [];
    return found.filter((use) => !this.#isWeak(use));
  }

  /** Of each of these uses what it relies on, by number. */
  *evidenceOf(at: number): Generator<number, void, void> {
    for (const use of this.#uses.get(at) ?? []) if (!this.#isWeak(use)) yield use.evidenceId;
  }

  /** What messages are the first to say, by message: numbers of evidence. */
  get firstSaid(): ReadonlyMap<number, readonly number[]> {
    this.#firstSaid ??= firstSaid(this.evidence);
    return this.#firstSaid;
  }

  /** What points to something that may have left the request. */
  get pointers(): Pick<Pointers, 'all' | 'undefinedTools'> {
    return this.#pointers;
  }

  /** The imperatives said so far, with where. */
  get rules(): RuleUses['rules'] {
    return this.#rules.rules;
  }

  /** The assistant messages that relied on something, ascending. */
  get users(): readonly number[] {
    return [...this.#uses.keys()].sort((a, b) => a - b);
  }

  #isWeak({ kind, evidenceId }: FoundUse): boolean {
    return (kind === 'anchor' || kind === 'quote') && this.evidence.isCommon(evidenceId, this.#parts);
  }

  #take(index: number): number {
    const facts = this.#source.facts(index);
    const said = readSaid(this.#source, index);
    const anchors = anchorsIn(index, said);
    if (facts.role === 'assistant') this.#takeUser(index, said, anchors);
    this.#calls.take(index, said, facts.role === 'assistant');
    this.#anchors.add(anchors);
    this.#quotes.add(index, said);
    if (isInstructing(facts)) this.#rules.add(index, said);
    this.#pointers.add(index, said);
    this.#parts += facts.parts.length;
    return this.#source.text(index).length;
  }

  #takeUser(index: number, said: SaidMessage, anchors: readonly PlacedAnchor[]): void {
    const quotes = this.#quotes.uses(index, said).filter((quote) => !isAnchor(quote, anchors));
    for (const use of quotes) this.#add(use);
    for (const use of this.#rules.uses(index, said, anchors)) this.#add(use);
    for (const used of usedAnchors(anchors, said.parts)) {
      const sources = this.#anchors.sources(used.key);
      if (sources.length > 0 && !isQuoted(used, sources, quotes)) this.#addAnchor(used, sources);
    }
  }

  #addAnchor({ anchor, place }: PlacedAnchor, sources: readonly UseSource[]): void {
    const evidenceId = this.evidence.textId(needlesOf(anchor), place.index);
    this.#add({
      kind: 'anchor',
      ...{ at: place.index, part: place.part, from: place.from, to: place.to },
      evidence: detached(anchor.text),
      sources: [...sources],
      changed: false,
      again: null,
      confidence: anchorConfidence(anchor.kind),
      evidenceId,
    });
  }

  #add(use: FoundUse): void {
    const known = this.#uses.get(use.at);
    if (known === undefined) this.#uses.set(use.at, [use]);
    else known.push(use);
  }

  *#search(hunt: TextHunt, from: number, to: number): Generator<void, void, void> {
    let sincePause = 0;
    for (let index = from; index < to; index++) {
      this.evidence.search(hunt, index, readSaid(this.#source, index));
      sincePause += this.#source.text(index).length;
      if (sincePause < PAUSE_EVERY) continue;
      sincePause = 0;
      yield;
    }
  }
}

function firstSaid(evidence: EvidenceTexts): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (let id = 0; id < evidence.length; id++) {
    const first = evidence.firstMessage(id);
    if (first === null) continue;
    const known = found.get(first);
    if (known === undefined) found.set(first, [id]);
    else known.push(id);
  }
  return found;
}

// Who may say what has to be: people, and whoever wrote the instructions.
function isInstructing({ role, beginsTurn }: MessageFacts): boolean {
  return role === 'system' || role === 'developer' || beginsTurn;
}

// A long address is an anchor, and no more for being long.
function isAnchor(quote: FoundUse, anchors: readonly PlacedAnchor[]): boolean {
  return anchors.some(({ place }) => place.part === quote.part && place.from <= quote.from && quote.to <= place.to);
}

// A quote says more than a word of it, unless it is little else.
function isQuoted({ place }: PlacedAnchor, sources: readonly UseSource[], quotes: readonly FoundUse[]): boolean {
  return quotes.some(
    (quote) =>
      quote.part === place.part &&
      quote.from <= place.from &&
      place.to <= quote.to &&
      (place.to - place.from) * 2 < quote.to - quote.from &&
      sources.every(({ index }) => quote.sources.some((source) => source.index === index)),
  );
}
