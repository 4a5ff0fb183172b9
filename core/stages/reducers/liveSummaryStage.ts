// The summary along the call points: what all takes is added up as it changes; where the summary ends, and what stands
// before, changes only when another summary applies or another turn is the first that stays.
import type { IncrementalContext, IncrementalRun } from '../../view/incremental.ts';
import type { LivePlace, LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemTokens } from '../../view/tokens.ts';
import type { Fate, StageOutput, ViewItem } from '../../view/types.ts';
import { isBefore, LiveTurns } from './liveTurns.ts';
import { type SummaryParams, SummaryRun } from './summary.ts';
import { type Beginning, isReplaced, planSummary, type SummaryView, systemEnd } from './summaryPlan.ts';

/** The run of one spec's stage. */
export class LiveSummaryStage implements IncrementalRun {
  readonly #params: SummaryParams;
  readonly #context: IncrementalContext;
  readonly #live: LiveTurns;
  /** Cells that hold messages that no one wrote. */
  readonly #synthetic = new Set<number>();
  #used = 0;
  #input: LiveView | null = null;
  #at = 0;
  #beginning: Beginning | null = null;
  /** Where the system prompt ends. */
  #head: LivePlace = { cell: 0, slot: 0 };
  /** The stage as a whole at this call point, if it was asked for. */
  #whole: StageOutput | null = null;

  constructor(params: SummaryParams, context: IncrementalContext) {
    this.#params = params;
    this.#context = context;
    this.#live = new LiveTurns(context);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    this.#input = input;
    this.#at = at;
    this.#whole = null;
    this.#live.step(input, at);
    for (const [cell, before] of input.changed) {
      const now = input.at(cell);
      if (this.#params.when === 'over_budget') this.#used += this.#tokens(now) - this.#tokens(before);
      if (now.some((item) => item.kind === 'synthetic')) this.#synthetic.add(cell);
      else this.#synthetic.delete(cell);
    }
    const old = { beginning: this.#beginning, head: this.#head };
    const end = systemEnd(this.#live.reader(input));
    this.#head = input.place(end);
    const plan = planSummary(this.#params, this.#context, this.#view(input, at, end));
    this.#beginning = plan.kind === 'idle' ? null : plan.beginning;
    if (old.beginning === null && this.#beginning === null) return;
    this.#showAll(old, input, overlay);
  }

  // Asked seldom, as where the summary first takes its place: then told as a whole.
  fateOf(index: number): Fate | null {
    const input = this.#input;
    if (input === null) return null;
    const view = input.toView();
    this.#whole ??= new SummaryRun(view, this.#params, { ...this.#context, at: this.#at }).run();
    const position = view.items.findIndex((item) => item.kind === 'source' && item.index === index);
    if (position < 0) return null;
    return this.#whole.fates.get(index) ?? this.#whole.explain?.(position) ?? null;
  }

  #tokens(items: readonly ViewItem[]): number {
    return items.reduce((sum, item) => sum + itemTokens(item, this.#context), 0);
  }

  #view(input: LiveView, at: number, end: number): SummaryView {
    return {
      at,
      reader: this.#live.reader(input),
      turns: this.#live.turns(input),
      systemEnd: end,
      item: (position) => input.item(position),
      used: () => this.#used,
      usedAfter: () => null,
      covered: () => this.#covered(input),
      replaced: (to) => this.#replaced(to, input),
      stands: (index) => input.source(index) !== null,
    };
  }

  #covered(input: LiveView): number {
    let most = 0;
    for (const cell of this.#synthetic) {
      for (const item of input.at(cell)) if (item.kind === 'synthetic') most = Math.max(most, item.covers.to);
    }
    return most;
  }

  // All that stands before the place, save for the system prompt, and synthetic messages by the span they stand for.
  #replaced(to: number, input: LiveView): number {
    let count = Math.max(0, input.before(to) - input.before(this.#head.cell) - this.#head.slot);
    for (const cell of this.#synthetic) {
      for (const [slot, item] of input.at(cell).entries()) {
        if (item.kind === 'source' || isBefore({ cell, slot }, this.#head)) continue;
        if (cell < to && !isReplaced(item, to)) count--;
        else if (cell >= to && isReplaced(item, to)) count++;
      }
    }
    return count;
  }

  #showAll(
    old: { readonly beginning: Beginning | null; readonly head: LivePlace },
    input: LiveView,
    overlay: Overlay,
  ): void {
    const cells = new Set([...input.changed.keys(), ...this.#synthetic, old.head.cell, this.#head.cell]);
    const [a, b] = [old.beginning?.to ?? 0, this.#beginning?.to ?? 0];
    for (let cell = Math.min(a, b); cell <= Math.min(Math.max(a, b), input.cells - 1); cell++) cells.add(cell);
    for (const cell of cells) this.#show(cell, input, overlay);
  }

  #show(cell: number, input: LiveView, overlay: Overlay): void {
    const beginning = this.#beginning;
    if (beginning === null) {
      overlay.pass(cell);
      overlay.fate(cell, null);
      return;
    }
    const items = input.at(cell);
    const stays = items.map((item, slot) => this.#stays(item, { cell, slot }, beginning));
    const shown = items.filter((_, slot) => stays[slot] === true);
    if (cell === this.#head.cell && beginning.item !== null) {
      const before = stays.slice(0, this.#head.slot).filter((each) => each).length;
      shown.splice(before, 0, beginning.item);
    }
    if (shown.length === items.length && shown.every((item, at) => item === items[at])) overlay.pass(cell);
    else overlay.replace(cell, shown);
    overlay.fate(cell, input.source(cell) !== null && stays.at(-1) === false ? 'summarised' : null);
  }

  #stays(item: ViewItem, place: LivePlace, { to }: Beginning): boolean {
    return isBefore(place, this.#head) || !isReplaced(item, to);
  }
}
