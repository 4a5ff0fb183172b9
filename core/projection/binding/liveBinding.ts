// The check along the call points, in the form of a stage: what other stages changed in a step is noted, and only cells
// whose thinking fails now and did not before, or the reverse, are written again.
import type { Problem } from '../../model/problem.ts';
import type { IncrementalContext, IncrementalSteps } from '../../view/incremental.ts';
import { LiveView } from '../../view/liveView.ts';
import type { Fate, FateKind, ViewItem } from '../../view/types.ts';
import type { LiveStage } from '../liveStage.ts';
import type { ResolvedStage } from '../parseSpec.ts';
import { bindingStage } from './bindingStage.ts';
import { ThinkingDecider } from './decider.ts';
import { type DropContext, dropFate, withoutDropped } from './dropBlocks.ts';
import { countsOf, outcomeOf } from './outcome.ts';
import type { BindingInputs, ThinkingCounts, ThinkingOutcome } from './types.ts';

/** What stages are given and give, in order. */
export interface LiveStep {
  readonly live: LiveStage;
  readonly input: LiveView;
}

/** The check on its way along the call points. */
export class LiveBinding implements LiveStage {
  readonly stage: ResolvedStage;
  readonly output: LiveView;
  readonly problems: readonly Problem[] = [];
  readonly blocked = false;
  touched: Iterable<number> = [];
  readonly #context: DropContext;
  readonly #stages: readonly ResolvedStage[];
  readonly #steps: readonly LiveStep[];
  readonly #kinds = new Map<number, FateKind>();
  #failsFrom = Number.POSITIVE_INFINITY;
  #epoch = 0;

  constructor(
    { source, memo }: Pick<IncrementalContext, 'source' | 'memo'>,
    stages: readonly ResolvedStage[],
    steps: readonly LiveStep[],
    inputs: BindingInputs,
  ) {
    const judge = new ThinkingDecider(source, memo, stages, inputs);
    this.stage = bindingStage(stages);
    this.output = new LiveView(source.length);
    this.#context = { source, memo, judge, inputs };
    this.#stages = stages;
    const clients = new Set(judge.clients);
    this.#steps = steps.filter(({ live }) => clients.has(live.stage.position));
  }

  /** What the provider makes of the thinking at the call point it is at. */
  get outcome(): ThinkingOutcome {
    return outcomeOf(this.#context.judge, this.#context.inputs, this.#stages, this.#fateOfStage);
  }

  /** The same in numbers; null before the first signed thinking. */
  get counts(): ThinkingCounts | null {
    const { judge, inputs } = this.#context;
    return judge.hasBegun ? countsOf(judge, inputs) : null;
  }

  /** False if the transcript holds no signed thinking: then there is nothing to follow. */
  get isNeeded(): boolean {
    return this.#context.judge.table.blocks.length > 0;
  }

  prepare(): Iterable<void> {
    return [];
  }

  // biome-ignore lint/correctness/useYield: a step is a generator for those that ask their host
  *step(input: LiveView, at: number): IncrementalSteps {
    const { judge } = this.#context;
    for (const { live, input: given } of this.#steps) {
      const cells = new Set([...given.changed.keys(), ...live.output.changed.keys()]);
      for (const cell of cells) judge.note(live.stage.position, cell, given.at(cell), live.output.at(cell));
    }
    judge.moveTo(at);
    const touched = new Set<number>();
    for (const cell of input.changed.keys()) this.#write(cell, input, touched);
    for (const cell of this.#turned()) this.#write(cell, input, touched);
    this.touched = touched;
  }

  kind(index: number): FateKind | null {
    return this.#kinds.get(index) ?? null;
  }

  fateOf(index: number): Fate | null {
    const kind = this.#kinds.get(index);
    if (kind === undefined) return null;
    return dropFate(this.#context, this.#stages, index, kind !== 'dropped', this.#fateOfStage);
  }

  readonly #fateOfStage = (position: number, index: number): Fate | null =>
    this.#steps.find(({ live }) => live.stage.position === position)?.live.fateOf(index) ?? null;

  #write(cell: number, input: LiveView, touched: Set<number>): void {
    const given = input.at(cell);
    let kind: FateKind | null = null;
    const left: ViewItem[] = [];
    for (const item of given) {
      const rest = withoutDropped(this.#context, item);
      if (rest !== null) left.push(rest);
      if (rest !== item && item.kind === 'source') kind = rest === null ? 'dropped' : 'rewritten';
    }
    const isSame = left.length === given.length && left.every((item, at) => item === given[at]);
    this.output.set(cell, isSame ? given : left);
    if (this.#kinds.get(cell) === (kind ?? undefined)) return;
    touched.add(cell);
    if (kind === null) this.#kinds.delete(cell);
    else this.#kinds.set(cell, kind);
  }

  // Messages with blocks that are dropped now and were not, or the reverse.
  *#turned(): Iterable<number> {
    const { judge, inputs } = this.#context;
    const before = this.#failsFrom;
    const { failsFrom, epoch } = judge;
    this.#failsFrom = failsFrom;
    const isAll = epoch !== this.#epoch;
    this.#epoch = epoch;
    if (inputs.onMismatch !== 'drop_block' || (before === failsFrom && !isAll)) return;
    const { blocks } = judge.table;
    const from = isAll ? 0 : Math.min(before, failsFrom);
    const to = isAll ? blocks.length : Math.max(before, failsFrom);
    let last = -1;
    for (let at = from; at < Math.min(to, blocks.length); at++) {
      const { index } = blocks[at]!;
      if (index !== last) yield index;
      last = index;
    }
  }
}
