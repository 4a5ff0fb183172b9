// The uses that a transcript shows, whatever the policy: one pass over its messages, in slices. Kept in memory with the
// open session, not in the library: what is kept of a message depends on those before it (who said a thing first, which
// grams are taken), and one pass costs less than reading as much from the library. A session that grows is gone on with.
import { decodedJson } from '../../model/decode.ts';
import type { MessageFacts } from '../../model/message.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { detached } from '../../util/ints.ts';
import { PagedLists } from '../../util/pagedLists.ts';
import { ItemMap } from '../../view/itemMap.ts';
import type { RecordedFront } from '../text/places.ts';
import { AnchorIndex, anchorConfidence, anchorsIn, needlesOf, type PlacedAnchor, usedAnchors } from './anchorUses.ts';
import { CallUses } from './callUses.ts';
import { EvidenceTexts } from './evidence.ts';
import { FoundUses } from './foundUses.ts';
import type { TextHunt } from './hunt.ts';
import { Pace } from './pace.ts';
import { Pointers } from './pointers.ts';
import { QuoteUses } from './quoteUses.ts';
import { Ranges } from './ranges.ts';
import { RuleUses } from './ruleUses.ts';
import { readSaid, type SaidMessage } from './said.ts';
import type { FoundUse, ItemSays, UseSource } from './types.ts';

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
  readonly #uses = new FoundUses();
  #firstSaid = new PagedLists();
  /** What was in front, the last time that somebody asked. Until there is more evidence. */
  #inFront: { readonly key: string; readonly ids: ReadonlySet<number> } | null = null;
  /** How often it has grown to the end. */
  #growths = 0;
  #isGrowing = false;
  #next = 0;
  #searched = 0;
  /** The message that is searched. */
  #searching = 0;
  #parts = 0;

  constructor(source: TranscriptSource) {
    this.#source = source;
    this.#quotes = new QuoteUses(source, this.evidence);
    this.#pointers = new Pointers(this.evidence);
    this.#calls = new CallUses(source, this.evidence, this.#pointers, (use) => this.#uses.add(use));
    this.#rules = new RuleUses(this.evidence);
  }

  /** Messages that were looked through. */
  get length(): number {
    return this.#searched;
  }

  /**
   * How much of the transcript was looked through, 0 to 1: each message is read once for what it says, and once for what it
   * repeats of others.
   */
  get progress(): number {
    const { length } = this.#source;
    return length === 0 ? 1 : Math.min(1, (this.#next + Math.max(this.#searched, this.#searching)) / (2 * length));
  }

  /** Looks through messages that were not looked through yet. Pauses often; one at a time. */
  *grow(): Generator<void, void, void> {
    const pace = new Pace();
    const { length } = this.#source;
    this.#isGrowing = true;
    yield* this.#quotes.restore(pace);
    for (; this.#next < length; this.#next++) {
      yield* this.#take(this.#next, pace);
      if (pace.spend(this.#source.text(this.#next).length)) yield;
    }
    this.#calls.settle(length);
    const hunt = yield* this.evidence.newHunt(this.#searched === 0);
    if (hunt !== null) yield* this.#search(hunt, 0, this.#searched, pace);
    yield* this.#search(this.evidence.hunt, this.#searched, length, pace);
    this.#searched = length;
    this.#quotes.rest();
    this.itemSays = new ItemMap();
    this.#inFront = null;
    this.#firstSaid = yield* firstSaid(this.evidence);
    this.#growths++;
    this.#isGrowing = false;
  }

  /**
   * Drops what only a transcript that grows needs, most of what is held: it is made again if it does. One that has grown before
   * is followed, and keeps it.
   */
  trim(): void {
    if (this.#growths !== 1 || this.#isGrowing) return;
    this.#quotes.dropGrams();
    for (const lists of [this.evidence, this.#anchors, this.#uses, this.#firstSaid]) lists.pack();
  }

  /** What the assistant message relied on, without what so many parts say that it proves nothing. */
  usesAt(at: number): readonly FoundUse[] {
    return this.#uses.at(at, (use) => !this.#isWeak(use));
  }

  /** Of each of these uses what it relies on, by number. */
  *evidenceOf(at: number): Generator<number, void, void> {
    for (const use of this.#uses.kindsAt(at)) if (!this.#isWeak(use)) yield use.evidenceId;
  }

  /** What a message is the first to say: numbers of evidence. */
  firstSaidIn(index: number): Int32Array {
    return this.#firstSaid.of(index);
  }

  /** What is in front of the messages: numbers of evidence. */
  saidInFront(front: RecordedFront): ReadonlySet<number> {
    const steps = this.searchFront(front);
    for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
  }

  /** The same, with pauses; what it found is kept until there is more evidence. */
  *searchFront({ systemJson = '""', toolsJson = '""' }: RecordedFront): Generator<void, ReadonlySet<number>, void> {
    const key = `${systemJson}\n${toolsJson}`;
    if (this.#inFront?.key === key) return this.#inFront.ids;
    const pace = new Pace();
    const ids = new Set<number>();
    const { hunt } = this.evidence;
    const growths = this.#growths;
    for (const json of [systemJson, toolsJson]) {
      for (const field of decodedJson(json)) yield* hunt.searchInPieces(field, (id) => ids.add(id), pace);
    }
    if (growths === this.#growths) this.#inFront = { key, ids };
    return ids;
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
    return this.#uses.users;
  }

  #isWeak({ kind, evidenceId }: Pick<FoundUse, 'kind' | 'evidenceId'>): boolean {
    return (kind === 'anchor' || kind === 'quote') && this.evidence.isCommon(evidenceId, this.#parts);
  }

  *#take(index: number, pace: Pace): Generator<void, void, void> {
    const facts = this.#source.facts(index);
    const said = readSaid(this.#source, index);
    const anchors = yield* anchorsIn(index, said, pace);
    if (facts.role === 'assistant') yield* this.#takeUser(index, said, anchors, pace);
    this.#calls.take(index, said, facts.role === 'assistant');
    this.#anchors.add(anchors);
    yield* this.#quotes.add(index, said, pace);
    if (isInstructing(facts)) this.#rules.add(index, said);
    this.#pointers.add(index, said);
    this.#parts += facts.parts.length;
  }

  *#takeUser(
    index: number,
    said: SaidMessage,
    anchors: readonly PlacedAnchor[],
    pace: Pace,
  ): Generator<void, void, void> {
    const all = yield* this.#quotes.uses(index, said, pace);
    // A long address is an anchor, and no more for being long. Words in quotation marks are words.
    const named = all.length === 0 ? null : new Ranges(anchors.filter(isName), ({ place }) => place);
    const quotes = all.filter((quote) => named?.holds(quote) !== true);
    const quoted = new Ranges(quotes, (quote) => quote);
    for (const use of quotes) this.#uses.add(use);
    for (const use of this.#rules.uses(index, said, anchors)) this.#uses.add(use);
    for (const used of usedAnchors(anchors, said.parts)) {
      const sources = this.#anchors.sources(used.key);
      if (
        sources.length === 0 ||
        quoted.holds(used.place, (quote) => !isName(used) || saysMore(quote, used, sources))
      ) {
        continue;
      }
      this.#addAnchor(used, sources);
    }
  }

  #addAnchor({ anchor, place }: PlacedAnchor, sources: readonly UseSource[]): void {
    const evidenceId = this.evidence.textId(needlesOf(anchor), place.index);
    this.#uses.add({
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

  *#search(hunt: TextHunt, from: number, to: number, pace: Pace): Generator<void, void, void> {
    for (let index = from; index < to; index++) {
      this.#searching = index;
      yield* this.evidence.search(hunt, index, readSaid(this.#source, index), pace);
      if (pace.spend(this.#source.text(index).length)) yield;
    }
  }
}

const IDS_PER_PAUSE = 20_000;

function* firstSaid(evidence: EvidenceTexts): Generator<void, PagedLists, void> {
  const found = new PagedLists();
  for (let id = 0; id < evidence.length; id++) {
    const first = evidence.firstMessage(id);
    if (first !== null) found.push(first, id);
    if (id % IDS_PER_PAUSE === IDS_PER_PAUSE - 1) yield;
  }
  return found;
}

// Who may say what has to be: people, and whoever wrote the instructions.
function isInstructing({ role, beginsTurn }: MessageFacts): boolean {
  return role === 'system' || role === 'developer' || beginsTurn;
}

function isName({ anchor }: PlacedAnchor): boolean {
  return anchor.kind !== 'quoted';
}

// A quote says more than a word of it, unless it is little else.
function saysMore(quote: FoundUse, { place }: PlacedAnchor, sources: readonly UseSource[]): boolean {
  if ((place.to - place.from) * 2 >= quote.to - quote.from) return false;
  return sources.every(({ index }) => quote.sources.some((source) => source.index === index));
}
