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

/** Listens to a projection: give `observe` to it, then ask for the answer. */
export class WhyRecorder {
  readonly #index: number;
  readonly #said = new Map<number, Fate>();

  constructor(index: number) {
    this.#index = index;
  }

  /** For {@link StageStep}s, in order. */
  readonly observe = ({ stage, before, output }: StageStep): void => {
    const position = before.items.findIndex((item) => item.kind === 'source' && item.index === this.#index);
    if (position < 0) return;
    this.#said.set(stage.position, output.fates.get(this.#index) ?? output.explain?.(position) ?? UNTOUCHED);
  };

  /** What was heard, put beside what became of the message. */
  answer({ at, fates, reports }: Pick<Projection, 'at' | 'fates' | 'reports'>): Why {
    const word = ({ stage, kind, title, enabled }: StageReport): StageWord => ({
      stage,
      kind,
      title,
      enabled,
      fate: this.#said.get(stage) ?? null,
    });
    return { index: this.#index, at, fate: fates[this.#index] ?? null, stages: reports.map(word) };
  }
}
