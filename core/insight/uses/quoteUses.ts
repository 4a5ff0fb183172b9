// Runs of words that are in an earlier part.
import type { TranscriptSource } from '../../model/transcript.ts';
import { detached, Ints } from '../../util/ints.ts';
import type { EvidenceTexts } from './evidence.ts';
import { type EqualRun, GramIndex, RUN_LEAST } from './grams.ts';
import { normaliseSpace, RawPlaces } from './normalText.ts';
import type { Pace } from './pace.ts';
import { Ranges } from './ranges.ts';
import { placedFields, readSaid, type SaidMessage } from './said.ts';
import type { FoundUse } from './types.ts';
import { type Unescaped, unescaped } from './unescaped.ts';

/** Characters of fields kept as they were read until the finder has grown: lines that come back are compared with any of them. */
const REMEMBERED = 96_000_000;

/** What a place takes, in characters. */
const PLACE_CHARS = 8;

/** A field as it was read; its places only if somebody asked for them. */
interface ReadField {
  readonly normalised: string;
  places: RawPlaces | null;
  /** Since it was looked at to be forgotten. */
  isAsked: boolean;
}

/** A field that may be quoted. */
interface FieldPlace {
  readonly index: number;
  readonly part: number;
  readonly field: number;
  /** Where the field begins in its part's text. */
  readonly offset: number;
  /** White space is as it was: offsets are those of the text itself. */
  readonly isPlain: boolean;
}

/** Fields by number. */
class FieldPlaces {
  readonly #ints = new Ints();

  get length(): number {
    return this.#ints.length / 5;
  }

  add({ index, part, field, offset, isPlain }: FieldPlace): void {
    for (const each of [index, part, field, offset, isPlain ? 1 : 0]) this.#ints.push(each);
  }

  at(text: number): FieldPlace {
    if (text >= this.length) throw new RangeError(`no field ${text}`);
    const [index, part, field, offset, plain] = [0, 1, 2, 3, 4].map((nth) => this.#ints.at(text * 5 + nth));
    return { index: index ?? 0, part: part ?? 0, field: field ?? 0, offset: offset ?? 0, isPlain: plain === 1 };
  }
}

/** Finds what an assistant message quotes. */
export class QuoteUses {
  readonly #source: TranscriptSource;
  readonly #evidence: EvidenceTexts;
  #grams = new GramIndex();
  #isDropped = false;
  readonly #fields = new FieldPlaces();
  readonly #read = new Map<number, ReadField>();
  #remembered = 0;
  #lastSaid: { readonly index: number; readonly said: SaidMessage } | null = null;

  constructor(source: TranscriptSource, evidence: EvidenceTexts) {
    this.#source = source;
    this.#evidence = evidence;
  }

  /** From now on this message may be quoted. */
  *add(index: number, { parts }: SaidMessage, pace: Pace): Generator<void, void, void> {
    for (const said of parts) {
      let field = -1;
      for (const [text, offset] of placedFields(said)) {
        field++;
        if (text.length < RUN_LEAST) continue;
        const normalised = normaliseSpace(text);
        const number = this.#fields.length;
        this.#remember(number, { normalised, places: null, isAsked: false });
        this.#fields.add({ index, part: said.at, field, offset, isPlain: normalised.length === text.length });
        yield* this.#grams.add(normalised, number, pace);
      }
    }
  }

  /**
   * What it quotes of the messages before it, in its text and arguments: as it is there, and as it reads where it is a
   * string within a string.
   */
  *uses(at: number, said: SaidMessage, pace: Pace): Generator<void, readonly FoundUse[], void> {
    const found: FoundUse[] = [];
    for (const each of said.parts) {
      if (each.part.kind !== 'text' && each.part.kind !== 'tool_call') continue;
      for (const [field, offset] of placedFields(each)) {
        const own: FoundUse[] = [];
        for (const reading of readingsOf(field)) {
          const quotes = yield* this.#quotesIn(reading, { at, part: each.at, offset }, pace);
          addLonger(own, quotes);
        }
        found.push(...own);
      }
    }
    return found;
  }

  *#quotesIn(
    { text: field, range: rangeOf }: Unescaped,
    { at, part, offset }: { readonly at: number; readonly part: number; readonly offset: number },
    pace: Pace,
  ): Generator<void, readonly FoundUse[], void> {
    if (field.length < RUN_LEAST) return [];
    const normalised = normaliseSpace(field);
    const runs = yield* this.#grams.runs(normalised, (text) => this.#text(text).normalised, pace);
    const places = runs.length === 0 || normalised.length === field.length ? null : new RawPlaces(field);
    const found: FoundUse[] = [];
    for (const run of runs) {
      const own = wholeWords(normalised, run);
      if (pace.spend(own.to - own.from)) yield;
      const text = normalised.slice(own.from, own.to);
      if (!isDistinctive(text)) continue;
      const range = places?.range(own) ?? own;
      const { from, to } = rangeOf(range);
      const place = { part, from: from + offset, to: to + offset };
      found.push(this.#quoteOf(at, place, text, field.slice(range.from, range.to), own));
    }
    return found;
  }

  /** Forgets where runs of words are: {@link restore} reads all again. */
  dropGrams(): void {
    this.#grams = new GramIndex();
    this.#isDropped = true;
  }

  /** To be run before anything is added or looked for. */
  *restore(pace: Pace): Generator<void, void, void> {
    if (!this.#isDropped) return;
    const grams = new GramIndex();
    for (let text = 0; text < this.#fields.length; text++) yield* grams.add(this.#text(text).normalised, text, pace);
    this.#grams = grams;
    this.#isDropped = false;
  }

  /** Forgets what was read; it is read again when it is needed. */
  rest(): void {
    this.#read.clear();
    this.#remembered = 0;
    this.#lastSaid = null;
  }

  #quoteOf(
    at: number,
    place: Pick<FoundUse, 'part' | 'from' | 'to'>,
    text: string,
    evidence: string,
    run: EqualRun,
  ): FoundUse {
    return {
      kind: 'quote',
      ...{ at, ...place, evidence: detached(evidence) },
      sources: [this.#sourceOf(run)],
      ...{ changed: false, again: null, confidence: 'certain' },
      evidenceId: this.#evidence.textId([{ text, isWhole: false }], at),
    };
  }

  #sourceOf({ text, begin, from, to }: EqualRun) {
    const { index, part, offset, isPlain } = this.#fields.at(text);
    const own = { from: begin, to: begin + to - from };
    const range = isPlain ? own : this.#rawPlaces(text).range(own);
    return { index, part, from: range.from + offset, to: range.to + offset };
  }

  #rawPlaces(text: number): RawPlaces {
    const read = this.#text(text);
    if (read.places === null) {
      read.places = new RawPlaces(this.#raw(text));
      this.#remembered += read.places.size * PLACE_CHARS;
    }
    return read.places;
  }

  #raw(text: number): string {
    const { index, part, field } = this.#fields.at(text);
    return this.#said(index).parts[part]?.fields[field] ?? '';
  }

  // The last one again: one message is often quoted several times in a row.
  #said(index: number): SaidMessage {
    if (this.#lastSaid?.index !== index) this.#lastSaid = { index, said: readSaid(this.#source, index) };
    return this.#lastSaid.said;
  }

  #text(text: number): ReadField {
    const known = this.#read.get(text);
    if (known !== undefined) {
      known.isAsked = true;
      return known;
    }
    const read = { normalised: normaliseSpace(this.#raw(text)), places: null, isAsked: true };
    this.#remember(text, read);
    return read;
  }

  // The oldest go first, unless somebody asked for them: of lines that come back, the earliest texts are asked again and again.
  #remember(text: number, read: ReadField): void {
    this.#read.set(text, read);
    this.#remembered += read.normalised.length;
    for (const [first, old] of this.#read) {
      if (this.#remembered <= REMEMBERED || first === text) return;
      this.#read.delete(first);
      if (old.isAsked) {
        old.isAsked = false;
        this.#read.set(first, old);
      } else this.#remembered -= old.normalised.length + (old.places?.size ?? 0) * PLACE_CHARS;
    }
  }
}

/** Strings within strings within strings are read so deep. */
const READINGS_MOST = 3;

// The text as it stands, and with its escapes decoded, again and again as long as it has any.
function* readingsOf(field: string): Generator<Unescaped, void, void> {
  let reading: Unescaped = { text: field, range: (of) => of };
  for (let depth = 0; ; depth++) {
    yield reading;
    const outer = reading;
    const inner = depth === READINGS_MOST ? null : unescaped(outer.text);
    if (inner === null) return;
    reading = { text: inner.text, range: (of) => outer.range(inner.range(of)) };
  }
}

// Those that are not within others; others within them go.
function addLonger(known: FoundUse[], quotes: readonly FoundUse[]): void {
  if (quotes.length === 0) return;
  const before = new Ranges(known, (quote) => quote);
  const fresh = quotes.filter((quote) => !before.holds(quote));
  const longer = new Ranges(fresh, (quote) => quote);
  const kept = known.filter((quote) => !longer.holds(quote));
  known.splice(0, known.length, ...kept, ...fresh);
}

// Without half words at its ends, if enough is left.
function wholeWords(text: string, run: EqualRun): EqualRun {
  let { from, to, begin } = run;
  if (isInWord(text, from)) while (from < to && WORD.test(text.charAt(from))) from++;
  if (isInWord(text, to)) while (to > from && WORD.test(text.charAt(to - 1))) to--;
  while (from < to && text.charAt(from) === ' ') from++;
  while (to > from && text.charAt(to - 1) === ' ') to--;
  begin += from - run.from;
  return to - from < RUN_LEAST ? run : { ...run, from, to, begin };
}

const WORD = /[\p{L}\p{N}_]/u;

function isInWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at));
}

const SIGNS_LEAST = 12;

/** Rules, rows of signs and empty tables are nobody's words. */
function isDistinctive(text: string): boolean {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  return letters.length * 2 >= text.length && new Set(text).size >= SIGNS_LEAST;
}
