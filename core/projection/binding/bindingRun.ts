// The check as a stage on its way: what other stages changed in a step is noted, and only cells whose thinking fails now
// and did not before, or the reverse, are written again.
import { UNTOUCHED } from '../../view/fates.ts';
import type { IncrementalContext, IncrementalRun, ReportDetails } from '../../view/incremental.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Overlay } from '../../view/overlay.ts';
import { itemFacts } from '../../view/reader.ts';
import type { Fate, FateKind, View, ViewItem } from '../../view/types.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { outcomeDetails } from './bindingStage.ts';
import type { ClientSteps } from './clientSteps.ts';
import { ThinkingDecider } from './decider.ts';
import { type DropContext, dropFate, losesOwn, withoutDropped } from './dropBlocks.ts';
import { countsOf, outcomeOf } from './outcome.ts';
import type { BindingInputs, ThinkingCounts, ThinkingOutcome } from './types.ts';

/** The check on its way along the call points. */
export class BindingRun implements IncrementalRun {
  readonly #context: DropContext;
  readonly #stages: readonly ResolvedStage[];
  readonly #steps: ClientSteps;
  readonly #clients: ReadonlySet<number>;
  #failsFrom = Number.POSITIVE_INFINITY;
  #epoch = 0;

  constructor(
    { source, memo }: Pick<IncrementalContext, 'source' | 'memo'>,
    stages: readonly ResolvedStage[],
    steps: ClientSteps,
    inputs: BindingInputs,
  ) {
    const judge = new ThinkingDecider(source, memo, stages, inputs);
    this.#context = { source, memo, judge, inputs };
    this.#stages = stages;
    this.#steps = steps;
    this.#clients = new Set(judge.clients);
  }

  /** What the provider makes of the thinking at the call point it is at; null before the first signed thinking. */
  get outcome(): ThinkingOutcome | null {
    return this.#context.judge.hasBegun ? this.#outcome : null;
  }

  /** The same in numbers. */
  get counts(): ThinkingCounts | null {
    const { judge, inputs } = this.#context;
    return judge.hasBegun ? countsOf(judge, inputs) : null;
  }

  get #outcome(): ThinkingOutcome {
    return outcomeOf(this.#context.judge, this.#context.inputs, this.#stages, this.#steps.fateOf);
  }

  step(input: LiveView, at: number, overlay: Overlay): void {
    const { judge } = this.#context;
    for (const { stage, cell, was, is } of this.#steps.changes(this.#clients)) judge.note(stage, cell, was, is);
    judge.moveTo(at);
    const turned = this.#turned();
    const cells = input.whole === null ? [...input.changed.keys(), ...turned] : this.#signedCells(input, input.whole);
    for (const cell of new Set(cells)) this.#write(cell, input, overlay);
  }

  fateOf(index: number): Fate | null {
    const stands = this.#stands.get(index);
    return stands === undefined ? null : dropFate(this.#context, this.#stages, index, stands, this.#steps.fateOf);
  }

  explain(): Fate {
    return UNTOUCHED;
  }

  report(): ReportDetails {
    return outcomeDetails(this.#outcome);
  }

  /** Messages that lost blocks, with whether something of them is left. */
  readonly #stands = new Map<number, boolean>();

  // Those in which something may be dropped.
  #signedCells(input: LiveView, { items }: View): readonly number[] {
    const { source, memo, judge, inputs } = this.#context;
    if (countsOf(judge, inputs).dropped === 0) return [];
    return items.flatMap((item, position) => {
      if (!itemFacts(item, source, memo).signed) return [];
      return [item.kind === 'source' ? item.index : input.place(position).cell];
    });
  }

  #write(cell: number, input: LiveView, overlay: Overlay): void {
    const given = input.at(cell);
    let kind: FateKind | null = null;
    const left: ViewItem[] = [];
    for (const item of given) {
      const rest = withoutDropped(this.#context, item);
      if (rest !== null) left.push(rest);
      if (rest === item || item.kind !== 'source' || !losesOwn(this.#context, item.index)) continue;
      kind = rest === null ? 'dropped' : 'rewritten';
    }
    const isSame = left.length === given.length && left.every((item, at) => item === given[at]);
    if (isSame) overlay.pass(cell);
    else overlay.replace(cell, left);
    if (kind === null) this.#stands.delete(cell);
    else this.#stands.set(cell, kind !== 'dropped');
    if (cell < this.#context.source.length) overlay.fate(cell, kind);
  }

  // Messages with blocks that are dropped now and were not, or the reverse.
  #turned(): readonly number[] {
    const { judge, inputs } = this.#context;
    const before = this.#failsFrom;
    const { failsFrom, epoch } = judge;
    this.#failsFrom = failsFrom;
    const isAll = epoch !== this.#epoch;
    this.#epoch = epoch;
    if (inputs.onMismatch !== 'drop_block' || (before === failsFrom && !isAll)) return [];
    const { blocks } = judge.table;
    const from = isAll ? 0 : Math.min(before, failsFrom);
    const to = isAll ? blocks.length : Math.max(before, failsFrom);
    return blocks.slice(from, to).map(({ index }) => index);
  }
}
