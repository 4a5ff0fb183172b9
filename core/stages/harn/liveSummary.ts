// summary_prefix along the call points: the cut moves, and what lies between where it was and where it is changes.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import type { Fate, SyntheticItem } from '../../view/types.ts';
import { lastWords, type SummaryPrefixParams, summarisedFate, summaryItem, summaryText } from './summaryPrefix.ts';

const BEGINNING: LivePlace = { cell: 0, slot: 0 };

/** The run of one spec's stage. */
export class LiveSummary implements IncrementalRun {
  readonly respectsSignatures: boolean;
  readonly #params: SummaryPrefixParams;
  readonly #context: IncrementalContext;
  #input: LiveView | null = null;
  /** What stands before it is summarised. */
  #cut = BEGINNING;
  #position = 0;

  constructor(params: SummaryPrefixParams, context: IncrementalContext) {
    this.respectsSignatures = params.respectProviderSignatures;
    this.#params = params;
    this.#context = context;
  }

  step(input: LiveView, _at: number, overlay: Overlay): void {
    this.#input = input;
    const before = this.#cut;
    this.#position = Math.max(0, input.length - this.#params.keepLast);
    this.#cut = this.#position === 0 ? BEGINNING : input.place(this.#position);
    const summary = this.#position === 0 ? null : this.#summary(input);
    const from = Math.min(before.cell, this.#cut.cell);
    const to = Math.max(before.cell, this.#cut.cell);
    for (let cell = from; cell <= to; cell++) this.#show(cell, summary, input, overlay);
    for (const cell of input.changed.keys()) {
      if (cell < from || cell > to) this.#show(cell, summary, input, overlay);
    }
    this.#show(0, summary, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const input = this.#input;
    if (input === null || this.#position === 0 || !this.#isBeforeCut(index, input)) return null;
    const { origin } = summaryText(this.#params, this.#context, this.#position);
    return summarisedFate(this.#context.stage, lastWords(this.#params, this.#begin(input)), origin);
  }

  #show(cell: number, summary: SyntheticItem | null, input: LiveView, overlay: Overlay): void {
    const items = input.at(cell);
    if (summary === null || cell > this.#cut.cell) overlay.pass(cell);
    else {
      const kept = cell < this.#cut.cell ? [] : items.slice(this.#cut.slot);
      overlay.replace(cell, cell === 0 ? [summary, ...kept] : kept);
    }
    overlay.fate(cell, summary !== null && this.#isBeforeCut(cell, input) ? 'summarised' : null);
  }

  #isBeforeCut(index: number, input: LiveView): boolean {
    if (input.source(index) === null) return false;
    return index < this.#cut.cell || (index === this.#cut.cell && input.at(index).length <= this.#cut.slot);
  }

  #summary(input: LiveView): SyntheticItem {
    const { text } = summaryText(this.#params, this.#context, this.#position);
    return summaryItem(text, this.#lastBeforeCut(input) + 1, this.#context.stage);
  }

  #lastBeforeCut(input: LiveView): number {
    for (let position = this.#position - 1; position >= 0; position--) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
      if (item.covers.to > item.covers.from) return item.covers.to - 1;
    }
    return -1;
  }

  #begin(input: LiveView): number | null {
    for (let position = this.#position; position < input.length; position++) {
      const item = input.item(position);
      if (item.kind === 'source') return item.index;
    }
    return null;
  }
}
