// ADK's compactions along the call points: the spans are those of its run; where they end only moves back for a last
// invocation that turns out not to be over.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import type { ViewItem } from '../../../view/types.ts';
import { type AdkCompactionParams, adkRules, summarisedFate, summaryMessage } from '../adkCompaction.ts';
import { type AdkCompaction, AdkRun } from './adkRun.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { type SpanSummary, type SummaryOfSpan, spanSummaries } from './summarySpan.ts';

/** The live form of adk_compaction. */
export class LiveAdk extends LiveDecisions {
  readonly #params: AdkCompactionParams;
  #run: AdkRun;
  #summaryOf: SummaryOfSpan;
  #made: readonly AdkCompaction[] = [];
  #end = 0;
  readonly #known = new WeakMap<AdkCompaction, { readonly summary: SpanSummary; readonly item: ViewItem }>();

  constructor(params: AdkCompactionParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
    this.#run = new AdkRun(adkRules(params, given), given.tokens);
    this.#summaryOf = spanSummaries(given);
  }

  protected reset(): void {
    this.#run = new AdkRun(adkRules(this.#params, this.context), this.context.tokens);
    this.#summaryOf = spanSummaries(this.context);
    this.#made = [];
    this.#end = 0;
  }

  protected push(position: number): void {
    this.#run.push(position, this.reader.facts, itemTokens(this.reader.item(position), this.context));
  }

  protected settle(): void {
    const made = this.#run.atEnd(this.reader.facts);
    const last = made.at(-1);
    const { head } = this.#run;
    if (made.length === this.#made.length && sameSpan(last, this.#made.at(-1))) return;
    this.#made = [...made];
    const end = last?.to ?? head;
    for (let position = Math.max(head, this.#end); position < end; position++) this.#summarise(position);
    for (let position = end; position < this.#end; position++) this.decide(position, null);
    this.#end = end;
    if (head < this.reader.length)
      this.insert(
        head,
        made.map((one) => this.#itemOf(one).item),
      );
  }

  #itemOf(one: AdkCompaction): { readonly summary: SpanSummary; readonly item: ViewItem } {
    const known = this.#known.get(one);
    if (known !== undefined) return known;
    const summary = this.#summaryOf(this.reader, one.from, one.to, one.end);
    const made = { summary, item: summaryMessage(summary, this.reader, this.context) };
    this.#known.set(one, made);
    return made;
  }

  #summarise(position: number): void {
    const fate = () => {
      const one = this.#made.findLast(({ from, to }) => position >= from && position < to);
      if (one === undefined) throw new Error(`no span holds position ${position}`);
      return summarisedFate(one, this.#itemOf(one).summary, this.#params, this.context);
    };
    this.decide(position, { item: null, kind: 'summarised', fate });
  }
}

function sameSpan(a: AdkCompaction | undefined, b: AdkCompaction | undefined): boolean {
  return a === b || (a?.from === b?.from && a?.to === b?.to && a?.end === b?.end);
}
