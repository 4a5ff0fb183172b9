// What of the history goes out of the requests of a session, call point by call point, and which summaries are in them.
import type { ReachedPoint } from '../../core/projection/allCallPoints.ts';

/** A message that no one wrote, and the span it stands for. */
export interface StandingSummary {
  /** Source messages [from, to) that it covers. */
  readonly covers: readonly [number, number];
  /** Position of its stage in the spec. */
  readonly stage: number;
  readonly rule: string | null;
  /** Of a written summary; null for one that was recorded, or made by a rule. */
  readonly version: number | null;
}

/** The request against the one before it. */
export interface RequestChanges {
  /** Source messages that are no longer in it, or never were, in order; each is reported once until it returns. */
  readonly evicted: readonly number[];
  /** Those that are in it again. */
  readonly returned: readonly number[];
  readonly summaries: readonly StandingSummary[];
}

/** Follows one run. Each call point costs what changed there. */
export class ChangeFollower {
  readonly #made = new Set<number>();

  /** Reads a call point as it is reached. */
  take({ view, before, at }: ReachedPoint): RequestChanges {
    const evicted: number[] = [];
    const returned: number[] = [];
    const since = before ?? 0;
    for (const [cell, old] of view.changed) {
      if (view.at(cell).some(({ kind }) => kind === 'synthetic')) this.#made.add(cell);
      else this.#made.delete(cell);
      if (cell >= since) continue;
      const stood = old.some(({ kind }) => kind === 'source');
      const stands = view.source(cell) !== null;
      if (stood && !stands) evicted.push(cell);
      if (!stood && stands) returned.push(cell);
    }
    for (let index = since; index < at; index++) if (view.source(index) === null) evicted.push(index);
    const ascending = (a: number, b: number): number => a - b;
    return {
      evicted: evicted.sort(ascending),
      returned: returned.sort(ascending),
      summaries: this.#summaries(view),
    };
  }

  #summaries(view: ReachedPoint['view']): readonly StandingSummary[] {
    const cells = [...this.#made].sort((a, b) => a - b);
    return cells.flatMap((cell) =>
      view.at(cell).flatMap((item) => {
        if (item.kind === 'source' || item.covers.to <= item.covers.from) return [];
        const { covers, stage, made } = item;
        return { covers: [covers.from, covers.to], stage, rule: made?.rule ?? null, version: made?.version ?? null };
      }),
    );
  }
}
