// What the runtime kept, from one compaction to the next. An era begins where a compaction put something in place of the
// messages before it: its head is what it put there, and messages from then on follow as they are. Of each message it is
// noted when it left; so the fates at any call point are a matter of looking up.
import { effectiveFrom, type PlacedCompaction, type TranscriptSource } from '../../model/transcript.ts';
import type { StageMemo } from '../../view/types.ts';
import { type ClearedMessages, type Clearing, clearedBy } from './clearing.ts';
import type { EraView } from './eraView.ts';
import { encryptedHead, type HeadItem, replacementHead, summaryHead } from './head.ts';

/** From a compaction to the next. */
export interface Era {
  /** Position among the eras. */
  readonly number: number;
  /** Position in {@link Timeline.compactions}. */
  readonly position: number;
  readonly compaction: PlacedCompaction;
  /** Messages from here on stand as they are. */
  readonly from: number;
  readonly head: readonly HeadItem[];
  /** Source messages that are in the head. */
  readonly kept: ReadonlySet<number>;
  /** Source messages of which the head holds a copy: the runtime put them elsewhere than they stand. */
  readonly copied: ReadonlySet<number>;
  /** True if the head holds something new in place of what left: a summary, or what only the provider can read. */
  readonly sumsUp: boolean;
}

/** Which kinds of compaction count. */
export interface EnabledKinds {
  readonly summaries: boolean;
  readonly replacements: boolean;
}

const NEVER = -1;

/** The eras of one transcript; those of the call points asked for are made when first asked for. */
export class Timeline {
  /** In the order in which they take effect. */
  readonly compactions: readonly PlacedCompaction[];
  readonly #source: TranscriptSource;
  readonly #pending: readonly number[];
  readonly #eras: Era[] = [];
  #next = 0;
  /** For each message the number of the era that took it out first; for those taken out again, the others. */
  #taken = new Int32Array(0);
  readonly #takenAgain = new Map<number, number[]>();
  readonly #cleared = new Map<number, ClearedMessages>();
  /** Messages that were cleared, by what they were made of; kept for the next call points. */
  readonly clearings = new Map<string, Clearing | null>();
  /** What becomes of a raw history up to an era's beginning, by stage and era. */
  readonly beginnings = new Map<string, EraView>();

  constructor(source: TranscriptSource, enabled: EnabledKinds) {
    this.#source = source;
    this.compactions = [...source.compactions()].sort((a, b) => effectiveFrom(a) - effectiveFrom(b));
    this.#pending = [...this.compactions.keys()].filter((position) => {
      const compaction = this.compactions[position];
      if (compaction === undefined || !isReadable(compaction)) return false;
      const isSummary = compaction.kind === undefined || compaction.kind === 'summary';
      return compaction.kind !== 'cleared' && (isSummary ? enabled.summaries : enabled.replacements);
    });
  }

  /** The era a call point is in; null before the first compaction. */
  eraAt(at: number): Era | null {
    while (this.#isDue(at)) this.#build();
    return this.#eras.findLast((era) => effectiveFrom(era.compaction) <= at) ?? null;
  }

  /** The era that took a message out, as things are in `era`, in whose view it does not stand. */
  takerOf(index: number, era: Era): Era {
    const again =
      this.#takenAgain.size === 0 ? undefined : this.#takenAgain.get(index)?.findLast((number) => number <= era.number);
    return this.#eras[again ?? this.#taken[index] ?? era.number] ?? era;
  }

  /** The messages with emptied results at a call point. */
  clearedAt(at: number): ClearedMessages {
    const positions = [...this.compactions.keys()].filter((position) => {
      const compaction = this.compactions[position];
      return compaction?.kind === 'cleared' && compaction.at <= at;
    });
    const known = this.#cleared.get(positions.length) ?? clearedBy(this.compactions, positions, this.#source);
    this.#cleared.set(positions.length, known);
    return known;
  }

  #isDue(at: number): boolean {
    const compaction = this.compactions[this.#pending[this.#next] ?? NEVER];
    return compaction !== undefined && effectiveFrom(compaction) <= at;
  }

  #build(): void {
    const position = this.#pending[this.#next++] ?? NEVER;
    const compaction = this.compactions[position];
    if (compaction === undefined) return;
    const before = this.#eras.at(-1);
    const head = headOf(this.#source, compaction);
    const kept = new Set(head.flatMap((item) => (item.kind === 'source' ? [item.index] : [])));
    const copied = new Set(head.flatMap((item) => (item.kind === 'made' && item.copyOf !== null ? [item.copyOf] : [])));
    const isSummed = head.some((item) => item.kind === 'made' && item.copyOf === null);
    const sumsUp = isSummed || compaction.summaryIndex !== undefined;
    const { at: from } = compaction;
    const era: Era = { number: this.#eras.length, position, compaction, from, head, kept, copied, sumsUp };
    this.#note(era, before);
    this.#eras.push(era);
  }

  // A message that only a copy stood for leaves with it.
  #note(era: Era, before: Era | undefined): void {
    const known = this.#taken.length;
    if (era.from > known) {
      const grown = new Int32Array(era.from).fill(NEVER);
      grown.set(this.#taken);
      this.#taken = grown;
    }
    for (let index = 0; index < era.from; index++) {
      if (era.kept.has(index) || !stood(index, before)) continue;
      if (this.#taken[index] === NEVER) this.#taken[index] = era.number;
      else this.#takenAgain.set(index, [...(this.#takenAgain.get(index) ?? []), era.number]);
    }
  }
}

function stood(index: number, era: Era | undefined): boolean {
  return era === undefined || index >= era.from || era.kept.has(index) || era.copied.has(index);
}

/** False if nothing says what was kept: then the history is left as it is. */
export function isReadable({ kind, summaryIndex, preserved, replacement, opaqueChars }: PlacedCompaction): boolean {
  switch (kind ?? 'summary') {
    case 'cleared':
      return true;
    case 'replacement':
      return replacement !== undefined;
    case 'opaque':
      return replacement !== undefined || opaqueChars !== undefined;
    case 'summary':
      return summaryIndex !== undefined || preserved !== undefined;
  }
}

function headOf(source: TranscriptSource, compaction: PlacedCompaction): readonly HeadItem[] {
  if (compaction.kind === undefined || compaction.kind === 'summary') return summaryHead(source, compaction);
  const head = replacementHead(source, compaction);
  return head.length === 0 && compaction.kind === 'opaque' ? encryptedHead(compaction) : head;
}

/** The transcript's timeline, made again when its compactions have changed. */
export function timelineOf(source: TranscriptSource, memo: StageMemo, enabled: EnabledKinds): Timeline {
  const kept = memo.get(`recorded.timeline ${enabled.summaries} ${enabled.replacements}`, () => ({
    compactions: source.compactions(),
    timeline: new Timeline(source, enabled),
  }));
  const compactions = source.compactions();
  if (kept.compactions !== compactions) {
    kept.compactions = compactions;
    kept.timeline = new Timeline(source, enabled);
  }
  return kept.timeline;
}
