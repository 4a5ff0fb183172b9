// Compactions along the call points: what was done at earlier requests stays done; the request at the end is tried on a
// copy, since only the next message tells whether it was made.
import type { IncrementalContext } from '../../../view/incremental.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { itemTokens } from '../../../view/tokens.ts';
import type { StageContext, SyntheticItem } from '../../../view/types.ts';
import { type Compaction, type CompactionRules, CompactionTrack, summarisedFate } from './compactionRun.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { spanSummaries, summaryItem } from './summarySpan.ts';

/** The live form of a compaction; `rulesOf` gives null where nothing can be done. */
export class LiveCompaction extends LiveDecisions {
  readonly #rulesOf: (reader: ViewReader, context: StageContext) => CompactionRules | null;
  #rules: CompactionRules | null = null;
  #track: CompactionTrack;
  #sums: number[] = [0];
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
    this.#sums = [0];
    this.#shown = null;
    this.#rules = null;
  }

  protected push(position: number): void {
    const { role } = this.reader.facts(position);
    if (role === 'assistant') this.#request(this.#track, position);
    else if (position === this.#track.head && (role === 'system' || role === 'developer')) this.#track.head++;
    this.#sums.push((this.#sums[position] ?? 0) + itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): void {
    const end = this.#track.copy();
    this.#request(end, this.reader.length);
    this.#rules = null;
    const { head, last } = end;
    const before = this.#shown;
    this.#shown = last === null ? null : { head, cut: last.cut, last };
    this.#move(before?.cut ?? head, last?.cut ?? head, head);
    if (before !== null && (last === null || before.head !== head)) this.insert(before.head, []);
    if (last !== null && before?.last !== last) this.insert(head, [this.#summaryItem(last)]);
  }

  #request(track: CompactionTrack, at: number): void {
    this.#rules ??= this.#rulesOf(this.reader, this.context);
    if (this.#rules !== null) track.request(at, this.#sums, this.reader, this.#rules, this.context);
  }

  #move(from: number, to: number, head: number): void {
    const fate = () => {
      const rules = this.#rulesOf(this.reader, this.context);
      if (rules === null || this.#shown === null) throw new Error('a summarised message without a compaction');
      return summarisedFate(this.reader, this.#shown.last, this.context, rules);
    };
    for (let position = Math.max(head, from); position < to; position++) {
      this.decide(position, { item: null, kind: 'summarised', fate });
    }
    for (let position = to; position < from; position++) this.decide(position, null);
  }

  #summaryItem(last: Compaction): SyntheticItem {
    const rules = this.#rulesOf(this.reader, this.context);
    if (rules === null) throw new Error('a compaction without rules');
    if (this.#item?.last === last) return this.#item.item;
    const item = summaryItem(last.summary, rules.render(last.summary.content), rules.rule, this.context);
    this.#item = { last, item };
    return item;
  }
}
