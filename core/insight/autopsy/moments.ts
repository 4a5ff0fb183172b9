// The compactions of a session along its call points: recorded ones, and summaries that stages put in place.
import type { PlacedCompaction, TranscriptSource } from '../../model/transcript.ts';
import { effectiveFrom } from '../../model/transcript.ts';
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import { PLACEHOLDER_CHIP, type SyntheticItem, type ViewItem } from '../../view/types.ts';

/** A call point whose request is the first behind a compaction. */
export interface CompactionMoment {
  readonly at: number;
  /** Null = a stage put a summary in place. */
  readonly recorded: PlacedCompaction | null;
  /** Position of that stage; null = it is recorded. */
  readonly stage: number | null;
  /** What the stage put in place is not written yet: only what was carried over can hold anything. */
  readonly placeholder: boolean;
  /** Source messages that were in the request before, or came since, and do not stand here as they were; ascending. */
  readonly covered: readonly number[];
  /** Where the compaction took effect: a person or the client wrote what is behind it. */
  readonly from: number;
  /** What stands here: the summary, what was carried over, and what came behind it before the request. */
  readonly standing: readonly ViewItem[];
}

/** Give it each call point of a walk, in order. */
export class CompactionWatch {
  readonly moments: CompactionMoment[] = [];
  /** Summaries that stages put in place beyond the most that are kept. */
  more = 0;
  /** In the order in which they take effect. */
  readonly #compactions: readonly PlacedCompaction[];
  readonly #spans = new Set<string>();
  readonly #most: number;
  #made = 0;
  #next = 0;

  /** `most` summaries of stages are kept, the first: each holds a view. Recorded compactions always are. */
  constructor(source: TranscriptSource, most = Number.POSITIVE_INFINITY) {
    this.#most = most;
    this.#compactions = source.compactions().toSorted((a, b) => effectiveFrom(a) - effectiveFrom(b));
  }

  take(point: ReachedPoint): void {
    const recorded = this.#reached(point);
    const made = this.#madeAt(point);
    if (recorded.length === 0 && made === null) return;
    // A recorded summary is a message that came since, and stands here as what it is: it does not cover itself.
    const summaries = new Set(recorded.map(({ summaryIndex }) => summaryIndex));
    const covered = coveredAt(point).filter((index) => !summaries.has(index));
    for (const [at, compaction] of recorded.entries()) {
      const limit = effectiveFrom(compaction);
      // Of several at once, the last: what was covered is read once.
      const isLast = at === recorded.length - 1;
      const own = isLast ? covered.filter((index) => index < limit) : [];
      this.moments.push({
        at: point.at,
        recorded: compaction,
        stage: null,
        placeholder: false,
        covered: own,
        from: limit,
        standing: point.view.toView().items,
      });
    }
    if (recorded.length > 0 || made === null || covered.length === 0) return;
    if (++this.#made > this.#most) {
      this.more++;
      return;
    }
    const placeholder = made.made?.chip === PLACEHOLDER_CHIP;
    const standing = point.view.toView().items;
    this.moments.push({
      at: point.at,
      recorded: null,
      stage: made.stage,
      placeholder,
      covered,
      from: point.at,
      standing,
    });
  }

  // Recorded compactions that take effect at this call point, where a stage follows them.
  #reached({ at, stages }: ReachedPoint): readonly PlacedCompaction[] {
    if (!stages.some(({ stage }) => stage.traits.gives === 'compactions')) return [];
    const all = this.#compactions;
    const from = this.#next;
    while (isReached(all[this.#next], at)) this.#next++;
    return all.slice(from, this.#next);
  }

  // A summary that was not at the call point before.
  #madeAt({ view, stages }: ReachedPoint): SyntheticItem | null {
    let found: SyntheticItem | null = null;
    for (const cell of view.changed.keys()) {
      for (const item of view.at(cell)) {
        if (item.kind !== 'synthetic' || item.covers.to <= item.covers.from) continue;
        const stage = stages.find((one) => one.stage.position === item.stage)?.stage;
        if (stage === undefined || stage.traits.gives === 'compactions' || stage.traits.repairs === true) continue;
        const span = `${item.stage} ${item.covers.from} ${item.covers.to}`;
        if (!this.#spans.has(span)) found = item;
        this.#spans.add(span);
      }
    }
    return found;
  }
}

function isReached(compaction: PlacedCompaction | undefined, at: number): boolean {
  return compaction !== undefined && effectiveFrom(compaction) <= at;
}

function coveredAt({ view, before, at }: ReachedPoint): readonly number[] {
  const since = before ?? 0;
  const covered: number[] = [];
  for (const [cell, old] of view.changed) {
    if (cell >= since) continue;
    const stood = old.find(({ kind }) => kind === 'source');
    const now = view.source(cell);
    if (stood !== undefined && (now === null || stood.text !== now.text)) covered.push(cell);
  }
  for (let index = since; index < at; index++) if (view.source(index) === null) covered.push(index);
  return covered.sort((a, b) => a - b);
}
