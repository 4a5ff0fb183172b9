// A stage that compacts: what was done at earlier requests stays done; the request at the end is tried on a copy, since only
// the next message shows whether it was made.
import { keptBecause } from '../../../view/fates.ts';
import type { IncrementalContext, ReportDetails } from '../../../view/incremental.ts';
import { BEGINS_TURN, IS_ASSISTANT, outlineOf } from '../../../view/outline.ts';
import type { ViewReader } from '../../../view/reader.ts';
import { itemTokens } from '../../../view/tokens.ts';
import {
  type Fate,
  PAUSE,
  PAUSE_EVERY,
  type Pausing,
  type StageContext,
  type SyntheticItem,
} from '../../../view/types.ts';
import { countOf } from '../../../view/words.ts';
import {
  type Compaction,
  type CompactionRules,
  CompactionTrack,
  describeSize,
  originOf,
  standIn,
  summarisedFate,
  whenOf,
} from './compactionRun.ts';
import { type Idle, NO_WINDOW_IDLE } from './conclude.ts';
import { type LiveDecision, LiveDecisions } from './liveDecisions.ts';
import { headLength, spanSummaries } from './summarySpan.ts';

type RulesOf = (reader: ViewReader, context: StageContext) => CompactionRules | null;

/** A compaction by a vendor's rules; `rulesOf` gives null where the window must be known and is not. */
export class LiveCompaction extends LiveDecisions {
  readonly #rulesOf: RulesOf;
  readonly #isOff: boolean;
  #rules: CompactionRules | null = null;
  #track: CompactionTrack;
  /** With the request at the end. */
  #tried: CompactionTrack;
  #sums: { readonly all: number[]; readonly kept: number[] } = { all: [0], kept: [0] };
  /** What is shown: the messages [head, cut) are summarised. */
  #shown: { readonly head: number; readonly cut: number; readonly last: Compaction } | null = null;
  #item: { readonly last: Compaction; readonly item: SyntheticItem } | null = null;
  #fate: Fate | null = null;

  constructor(given: IncrementalContext, rulesOf: RulesOf) {
    super(given);
    this.#rulesOf = rulesOf;
    this.#track = new CompactionTrack(spanSummaries(given));
    this.#tried = this.#track;
    this.#isOff = rulesOf(this.reader, this.context) === null;
  }

  protected override get isOff(): boolean {
    return this.#isOff;
  }

  protected override idle(): Idle | null {
    if (this.#isOff) return NO_WINDOW_IDLE;
    if (this.#shown !== null) return null;
    const rules = this.#ruled();
    const highest = describeSize(this.#tried.highest, this.context, rules);
    if (!rules.isOver(this.#tried.highest)) {
      const reason = `no request was larger than ${highest}: not ${rules.relation} ${rules.threshold}`;
      return { rule: 'below_threshold', reason };
    }
    const held = `a request held ${highest} ${rules.relation} ${rules.threshold}`;
    if (this.#tried.isWaiting)
      return { rule: 'summary_pending', reason: `${held}; its summary is not there yet (background)` };
    return { rule: 'nothing_to_compact', reason: `${held}, but nothing comes before what is kept of it` };
  }

  protected reset(): void {
    this.#track = new CompactionTrack(spanSummaries(this.context));
    this.#sums = { all: [0], kept: [0] };
    this.#shown = null;
  }

  // Of raw messages the outline is known.
  protected override *pushAll(from: number): Pausing<void> {
    this.#rules = this.#rulesOf(this.reader, this.context);
    if (from > 0) return yield* super.pushAll(from);
    const { reader } = this;
    this.#track.head = headLength(reader);
    this.#countAll();
    const outline = outlineOf(reader, this.context);
    const { carries } = this.#ruled();
    for (let position = this.#track.head; position < reader.length; position++) {
      if (position % PAUSE_EVERY === 0) yield PAUSE;
      if ((outline(position) & IS_ASSISTANT) !== 0) this.#request(this.#track, position);
      if (carries?.(position) === true) this.#track.carried(position);
    }
  }

  #countAll(): void {
    const { all, kept } = this.#sums;
    const { keeps } = this.#ruled();
    let sum = 0;
    let sumKept = 0;
    for (let position = 0; position < this.reader.length; position++) {
      const tokens = itemTokens(this.reader.item(position), this.context);
      sum += tokens;
      all.push(sum);
      if (keeps === undefined) continue;
      if (keeps.is(position)) sumKept += tokens;
      kept.push(sumKept);
    }
  }

  protected push(position: number): void {
    const { role } = this.reader.facts(position);
    if (role === 'assistant') this.#request(this.#track, position);
    else if (position === this.#track.head && (role === 'system' || role === 'developer')) this.#track.head++;
    if (this.#ruled().carries?.(position) === true) this.#track.carried(position);
    this.#count(position);
  }

  #count(position: number): void {
    const { all, kept } = this.#sums;
    const { keeps } = this.#ruled();
    const tokens = itemTokens(this.reader.item(position), this.context);
    all.push((all[position] ?? 0) + tokens);
    if (keeps !== undefined) kept.push((kept[position] ?? 0) + (keeps.is(position) ? tokens : 0));
  }

  protected settle(): void {
    this.#tried = this.#track.copy();
    this.#request(this.#tried, this.reader.length);
    this.#fate = null;
    const { head, last } = this.#tried;
    const before = this.#shown;
    this.#shown = last === null ? null : { head, cut: last.cut, last };
    const isMoved = before?.head !== head || before?.cut !== last?.cut || before?.last !== last;
    if (before !== null && isMoved) this.#place(before, []);
    this.#move(before?.cut ?? head, last?.cut ?? head, head);
    if (last !== null && isMoved && last.summary !== null) {
      this.#place({ head, cut: last.cut }, [this.#summaryItem(last)]);
    }
  }

  // Where messages stay in front of the summary it is behind all of them.
  #place({ head, cut }: { readonly head: number; readonly cut: number }, items: readonly SyntheticItem[]): void {
    if (this.#ruled().keeps === undefined) this.insert(head, items);
    else this.append(cut - 1, items);
  }

  // Those of the last step: they read its view.
  #ruled(): CompactionRules {
    this.#rules ??= this.#rulesOf(this.reader, this.context);
    if (this.#rules === null) throw new Error('a compaction without rules');
    return this.#rules;
  }

  #request(track: CompactionTrack, at: number): void {
    track.request(at, this.#sums, this.reader, this.#ruled(), this.context);
  }

  #move(from: number, to: number, head: number): void {
    const stays = this.#ruled().keeps;
    for (let position = Math.max(head, from); position < to; position++) {
      if (stays?.is(position) !== true) this.decide(position, this.#summarised);
    }
    for (let position = to; position < from; position++) this.decide(position, null);
  }

  readonly #summarised: LiveDecision = {
    item: null,
    kind: 'summarised',
    fate: () => {
      this.#fate ??= summarisedFate(this.reader, this.#last(), this.context, this.#ruled());
      return this.#fate;
    },
  };

  #last(): Compaction {
    if (this.#shown === null) throw new Error('a summarised message without a compaction');
    return this.#shown.last;
  }

  #summaryItem(last: Compaction): SyntheticItem {
    if (last.summary === null) throw new Error('a compaction without its own summary');
    if (this.#item?.last === last) return this.#item.item;
    const item = standIn(last.summary, this.#ruled(), this.context);
    this.#item = { last, item };
    return item;
  }

  protected details(): ReportDetails {
    const { head, made } = this.#tried;
    const last = this.#last();
    const { cut, summary } = last;
    const { all, kept } = this.#sums;
    const gone = (all[cut] ?? 0) - (all[head] ?? 0) - ((kept[cut] ?? 0) - (kept[head] ?? 0));
    const saved = Math.max(0, gone - (summary === null ? 0 : this.context.tokens.text(summary.content)));
    const remark = this.#ruled().remark?.(cut) ?? null;
    const count = countOf(this.#countBefore(head, cut), 'message');
    const words = `${count} replaced by ${originOf(last)}`;
    const outline = outlineOf(this.reader, this.context);
    return {
      summary: remark === null ? words : `${words} · ${remark}`,
      reclaimedTokens: saved,
      ...(summary?.isPlaceholder === true && { needsSummary: summary.span }),
      meta: {
        compactions: made,
        tokens_before: last.tokens,
        splits_turn: cut < this.reader.length && (outline(cut) & BEGINS_TURN) === 0,
      },
    };
  }

  #countBefore(head: number, cut: number): number {
    const { keeps } = this.#ruled();
    if (keeps === undefined) return cut - head;
    let count = 0;
    for (let position = head; position < cut; position++) if (!keeps.is(position)) count++;
    return count;
  }

  protected explainer(): (position: number) => Fate {
    const { stage } = this.context;
    const rules = this.#ruled();
    const { head } = this.#tried;
    const last = this.#last();
    const kept = (rule: string, reason: string): Fate => keptBecause(stage, rule, `kept: ${reason}`);
    const instructions = kept('instructions', 'instructions are separate from the conversation');
    const staying = kept('kept_before_summary', rules.keeps?.words ?? '');
    const beside = new Map<string, Fate>();
    const meanwhile = kept('kept_meanwhile', 'it came while the summary was made (background)');
    const since = kept('since_compaction', `it came after the compaction at ${whenOf(this.reader, last.at)}`);
    return (position) => {
      if (position < head) return instructions;
      if (position < last.cut) return staying;
      if (position < last.at) {
        const words = rules.keptWords(position, last, this.#sums.all);
        const known = beside.get(words) ?? kept('kept_beside_summary', words);
        beside.set(words, known);
        return known;
      }
      return position < last.from && last.from > last.at && last.summary !== null ? meanwhile : since;
    };
  }
}
