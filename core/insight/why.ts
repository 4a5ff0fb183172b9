// One message, stage by stage: what each said of it, in the words that tooltip and drawer show. Gathered while a
// projection runs, so that it is exactly what decided.
import type { StageStep } from '../projection/project.ts';
import type { Projection } from '../projection/types.ts';
import { UNTOUCHED } from '../view/fates.ts';
import type { Fate, StageReport } from '../view/types.ts';

/** What one stage said of the message; `fate` null = the stage was off, or the message was gone before it. */
export interface StageWord {
  /** Position in the spec. */
  readonly stage: number;
  readonly kind: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly fate: Fate | null;
}

/** What became of a message at a call point, and what each stage had to say to it. */
export interface Why {
  /** Source index. */
  readonly index: number;
  readonly at: number;
  /** As composed of all stages; null = at or beyond the call point. */
  readonly fate: Fate | null;
  readonly stages: readonly StageWord[];
}

/** Listens to a projection: give `observe` to it, then ask for the answer to any of the messages listened for. */
export class WhyRecorder {
  readonly #from: number;
  readonly #to: number;
  /** What each stage said, by source index and position of the stage. */
  readonly #said = new Map<number, Map<number, Fate>>();

  /** Listens for the messages [from, to), by source index. */
  constructor(from: number, to: number = from + 1) {
    this.#from = from;
    this.#to = to;
  }

  /** For {@link StageStep}s, in order. */
  readonly observe = ({ stage, before, output }: StageStep): void => {
    for (const [position, item] of before.items.entries()) {
      if (item.kind !== 'source' || item.index < this.#from || item.index >= this.#to) continue;
      const said = this.#said.get(item.index) ?? new Map<number, Fate>();
      this.#said.set(item.index, said);
      if (said.has(stage.position)) continue;
      said.set(stage.position, output.fates.get(item.index) ?? output.explain?.(position) ?? UNTOUCHED);
    }
  };

  /** What was heard of a message, put beside what became of it. */
  answer({ at, fates, reports }: Pick<Projection, 'at' | 'fates' | 'reports'>, index: number = this.#from): Why {
    const word = ({ stage, kind, title, enabled }: StageReport): StageWord => ({
      stage,
      kind,
      title,
      enabled,
      fate: this.#said.get(index)?.get(stage) ?? null,
    });
    return { index, at, fate: fates[index] ?? null, stages: reports.map(word) };
  }
}
