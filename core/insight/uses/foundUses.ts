// Uses as they were found, in numbers and strings: a long session has a million, and a million objects with lists of sources
// would keep the garbage collector from answering anybody for a tenth of a second at a time.
import { PagedLists } from '../../util/pagedLists.ts';
import { type Confidence, type FoundUse, USE_KINDS } from './types.ts';

const CONFIDENCES: readonly Confidence[] = ['certain', 'probable', 'suspect'];

/** Numbers of a use, by their places; four numbers for each source come behind them. */
const [KIND, CONFIDENCE, CHANGED, PART, FROM, TO, TEXT, EVIDENCE, AGAIN_MESSAGE, AGAIN_PART, SOURCES] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
];
const OWN_INTS = 11;
const SOURCE_INTS = 4;
const NOTHING = -1;
/** Strings in one array: one that grew would be copied. */
const PAGE_BITS = 12;

/** The uses of a transcript by the message that shows them. */
export class FoundUses {
  readonly #lists = new PagedLists();
  readonly #texts: string[][] = [];
  #length = 0;
  #last = NOTHING;

  add({ kind, at, part, from, to, evidence, sources, changed, again, confidence, evidenceId }: FoundUse): void {
    const own = [
      ...[USE_KINDS.indexOf(kind), CONFIDENCES.indexOf(confidence), changed ? 1 : 0, part, from, to],
      ...[this.#addText(evidence), evidenceId, again?.message ?? NOTHING, again?.part ?? NOTHING, sources.length],
      ...sources.flatMap((source) => [source.index, source.part, source.from, source.to]),
    ];
    for (const each of own) this.#lists.push(at, each);
    this.#last = Math.max(this.#last, at);
  }

  /** The kind of each use of a message, and the number of what it relies on. */
  *kindsAt(at: number): Generator<Pick<FoundUse, 'kind' | 'evidenceId'>, void> {
    const ints = this.#lists.of(at);
    for (let use = 0; use < ints.length; use = next(ints, use)) {
      yield { kind: USE_KINDS[ints[use + KIND]!]!, evidenceId: ints[use + EVIDENCE]! };
    }
  }

  /** The uses of a message, in the order in which they were found, that are asked for by their kind and number. */
  at(at: number, isWanted: (use: Pick<FoundUse, 'kind' | 'evidenceId'>) => boolean): readonly FoundUse[] {
    const ints = this.#lists.of(at);
    const found: FoundUse[] = [];
    for (let use = 0; use < ints.length; use = next(ints, use)) {
      const wanted = { kind: USE_KINDS[ints[use + KIND]!]!, evidenceId: ints[use + EVIDENCE]! };
      if (isWanted(wanted))
        found.push({ kind: wanted.kind, ...this.#read(ints, use, at), evidenceId: wanted.evidenceId });
    }
    return found;
  }

  /** The messages that have any, ascending. */
  get users(): readonly number[] {
    const found: number[] = [];
    for (let at = 0; at <= this.#last; at++) if (this.#lists.count(at) > 0) found.push(at);
    return found;
  }

  /** Leaves no room for more, for now. */
  pack(): void {
    this.#lists.pack();
  }

  #addText(text: string): number {
    const at = this.#length++;
    if (at >>> PAGE_BITS === this.#texts.length) this.#texts.push([]);
    this.#texts.at(-1)!.push(text);
    return at;
  }

  #read(ints: Int32Array, use: number, at: number): Omit<FoundUse, 'kind' | 'evidenceId'> {
    const text = ints[use + TEXT]!;
    const message = ints[use + AGAIN_MESSAGE]!;
    return {
      ...{ at, part: ints[use + PART]!, from: ints[use + FROM]!, to: ints[use + TO]! },
      evidence: this.#texts[text >>> PAGE_BITS]![text & ((1 << PAGE_BITS) - 1)]!,
      sources: Array.from({ length: ints[use + SOURCES]! }, (_, nth) => {
        const source = use + OWN_INTS + nth * SOURCE_INTS;
        return { index: ints[source]!, part: ints[source + 1]!, from: ints[source + 2]!, to: ints[source + 3]! };
      }),
      changed: ints[use + CHANGED] === 1,
      again: message === NOTHING ? null : { message, part: ints[use + AGAIN_PART]! },
      confidence: CONFIDENCES[ints[use + CONFIDENCE]!]!,
    };
  }
}

// Where the next one begins.
function next(ints: Int32Array, use: number): number {
  return use + OWN_INTS + ints[use + SOURCES]! * SOURCE_INTS;
}
