// Two policies along the call points of one session, in step: where their requests first differ, and which messages ever do.
// Each step costs what changed in either view.
import type { TranscriptSource } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { LiveView } from '../../view/liveView.ts';
import type { Fate, SourceItem, ViewItem } from '../../view/types.ts';
import { fateAt } from '../fateAt.ts';
import { differenceOf, sameMessages, sideOf } from './requests.ts';
import type { DifferingMessage } from './types.ts';

/** A message that differs in at least one pair of requests: as it does at the first of them. */
export interface EverDiffering extends DifferingMessage {
  /** The call point there. */
  readonly at: number;
}

/** Give it each call point, reached by both. */
export class DifferenceFollower {
  readonly #source: TranscriptSource;
  /** Cells that do not hold the same texts in both views. */
  readonly #cells = new Set<number>();
  readonly #messages = new Map<number, EverDiffering>();
  #first: number | null = null;
  #now = false;

  constructor(source: TranscriptSource) {
    this.#source = source;
  }

  take(a: ReachedPoint, b: ReachedPoint): void {
    const changed = new Set([...a.view.changed.keys(), ...b.view.changed.keys()]);
    for (const cell of changed) {
      if (sameMessages(this.#source, a.view.at(cell), b.view.at(cell))) this.#cells.delete(cell);
      else this.#cells.add(cell);
    }
    const before = this.#now;
    this.#now = this.#cells.size > 0 && (this.#first !== null || !this.#isSame(a.view, b.view));
    if (!this.#now) return;
    this.#first ??= a.at;
    // Those that were put aside while the requests were the same.
    const settled = before ? [...changed, ...touched(a), ...touched(b)] : Array(a.at).keys();
    for (const index of settled) if (index < a.at) this.#look(index, a, b);
  }

  /** The first call point whose requests differ; null = none so far. */
  get firstDifferenceAt(): number | null {
    return this.#first;
  }

  /** True if the requests at the last call point differ. */
  get differsNow(): boolean {
    return this.#now;
  }

  /** Messages that differed anywhere, ascending. */
  get messages(): readonly EverDiffering[] {
    return [...this.#messages.values()].sort((x, y) => x.index - y.index);
  }

  // A made message may be in another cell, and at the same place of the request all the same.
  #isSame(a: LiveView, b: LiveView): boolean {
    return a.length === b.length && sameMessages(this.#source, a.toView().items, b.toView().items);
  }

  #look(index: number, a: ReachedPoint, b: ReachedPoint): void {
    if (this.#messages.has(index)) return;
    const fates: readonly [Fate, Fate] = [fateAt(a.stages, index), fateAt(b.stages, index)];
    const [inA, inB] = [sourceAt(a.view, index), sourceAt(b.view, index)];
    const differs = differenceOf(this.#source, inA, inB, fates[0].kind, fates[1].kind);
    if (differs === null) return;
    this.#messages.set(index, { index, differs, a: sideOf(fates[0]), b: sideOf(fates[1]), at: a.at });
  }
}

function sourceAt(view: LiveView, index: number): SourceItem | undefined {
  const item: ViewItem | null = view.source(index);
  return item?.kind === 'source' ? item : undefined;
}

function* touched({ stages }: ReachedPoint): Iterable<number> {
  for (const stage of stages) yield* stage.touched;
}
