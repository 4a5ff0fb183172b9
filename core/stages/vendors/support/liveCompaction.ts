// Compactions along the call points: what was done at earlier requests stays done; the request at the end is tried on a
// copy, since only the next message tells whether it was made.
import type { IncrementalContext } from '../../../view/incremental.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { itemTokens } from '../../../view/tokens.ts';
import type { StageContext, SyntheticItem } from '../../../view/types.ts';
import { type Compaction, type CompactionRules, CompactionTrack, standIn, summarisedFate } from './compactionRun.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { spanSummaries } from './summarySpan.ts';

/** The live form of a compaction; `rulesOf` gives null where nothing can be done. */
export class LiveCompaction extends LiveDecisions {
  readonly #rulesOf: (reader: ViewReader, context: StageContext) => CompactionRules | null;
  #rules: CompactionRules | null = null;
  #track: CompactionTrack;
  #sums: { readonly all: number[]; readonly kept: number[] } = { all: [0], kept: [0] };
  /** What is shown: the messages [head, cut) are summarised. */
  #shown: { readonly head: number; readonly cut: number; readonly last: Compaction } | null = null;
  #item: { readonly last: Compaction; readonly item: SyntheticItem } | null = null;

  constructor(
    given: IncrementalContext,
    rulesOf: (reader: ViewReader, context: StageContext) => CompactionRules | null,
  ) {
    super(given);
    this.#rulesOf = rulesOf;
    this.#track = new CompactionTrack(spanSummaries(given));
  }

  protected reset(): void {
    this.#track = new CompactionTrack(spanSummaries(this.context));
    this.#sums = { all: [0], kept: [0] };
    this.#shown = null;
    this.#rules = null;
  }

  protected push(position: number): void {
    const { role } = this.reader.facts(position);
    if (role === 'assistant') this.#request(this.#track, position);
    else if (position === this.#track.head && (role === 'system' || role === 'developer')) this.#track.head++;
    const rules = this.#ruled();
    if (rules?.carries?.(position) === true) this.#track.carried(position);
    const { all, kept } = this.#sums;
    const tokens = itemTokens(this.reader.item(position), this.context);
    all.push((all[position] ?? 0) + tokens);
    if (rules?.keeps !== undefined) kept.push((kept[position] ?? 0) + (rules.keeps.is(position) ? tokens : 0));
  }

  protected settle(): void {
    const end = this.#track.copy();
    this.#request(end, this.reader.length);
    const { head, last } = end;
    const before = this.#shown;
    this.#shown = last === null ? null : { head, cut: last.cut, last };
    const isMoved = before?.head !== head || before?.cut !== last?.cut || before?.last !== last;
    if (before !== null && isMoved) this.#place(before, []);
    this.#move(before?.cut ?? head, last?.cut ?? head, head);
    if (last !== null && isMoved && last.summary !== null)
      this.#place({ head, cut: last.cut }, [this.#summaryItem(last)]);
    this.#rules = null;
  }

  // Where messages stay in front of the summary it stands behind all of them.
  #place({ head, cut }: { readonly head: number; readonly cut: number }, items: readonly SyntheticItem[]): void {
    if (this.#ruled()?.keeps === undefined) this.insert(head, items);
    else this.append(cut - 1, items);
  }

  #ruled(): CompactionRules | null {
    this.#rules ??= this.#rulesOf(this.reader, this.context);
    return this.#rules;
  }

  #request(track: CompactionTrack, at: number): void {
    const rules = this.#ruled();
    if (rules !== null) track.request(at, this.#sums, this.reader, rules, this.context);
  }

  #move(from: number, to: number, head: number): void {
    const fate = () => {
      const rules = this.#rulesOf(this.reader, this.context);
      if (rules === null || this.#shown === null) throw new Error('a summarised message without a compaction');
      return summarisedFate(this.reader, this.#shown.last, this.context, rules);
    };
    const stays = this.#ruled()?.keeps;
    for (let position = Math.max(head, from); position < to; position++) {
      if (stays?.is(position) !== true) this.decide(position, { item: null, kind: 'summarised', fate });
    }
    for (let position = to; position < from; position++) this.decide(position, null);
  }

  #summaryItem(last: Compaction): SyntheticItem {
    const rules = this.#ruled();
    if (rules === null || last.summary === null) throw new Error('a compaction without a summary of its own');
    if (this.#item?.last === last) return this.#item.item;
    const item = standIn(last.summary, rules, this.context);
    this.#item = { last, item };
    return item;
  }
}
