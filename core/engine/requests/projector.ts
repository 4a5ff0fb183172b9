import type { TranscriptSource } from '../../model/transcript.ts';
import type { ResolvedStage } from '../../projection/parseSpec.ts';
import { prefixHash } from '../../projection/prefixHash.ts';
import { type ProjectOptions, projectSteps } from '../../projection/project.ts';
import type { Projection } from '../../projection/types.ts';
import { createMemo } from '../../view/memo.ts';
import type { StageAnswer, StageEffect, StageMemo } from '../../view/types.ts';
import { nodeSha256 } from '../nodeHash.ts';

/** Does what a stage asks for. */
export type Answering = (effect: StageEffect) => Promise<StageAnswer> | StageAnswer;

/** Projects sessions that are not open on screen. */
export class RequestProjector {
  readonly #answer: Answering;
  /** Looked at between the steps: throws where nobody waits any more. */
  readonly check: () => void;

  constructor(answer: Answering, check: () => void = () => {}) {
    this.#answer = answer;
    this.check = check;
  }

  async project(
    source: TranscriptSource,
    stages: readonly ResolvedStage[],
    at: number,
    memo: StageMemo = createMemo(),
    given: Pick<ProjectOptions, 'tokens' | 'budget' | 'binding' | 'observe' | 'kept' | 'explain'> = {},
  ): Promise<Projection> {
    const steps = projectSteps(source, stages, at, { ...given, memo, sha256: nodeSha256 });
    let step = steps.next();
    while (step.done !== true) {
      this.check();
      step = steps.next(await this.#answer(step.value));
    }
    return step.value;
  }

  /** Does what a stage asks for. */
  answer(effect: StageEffect): Promise<StageAnswer> | StageAnswer {
    return this.#answer(effect);
  }

  hash(source: TranscriptSource, projection: Projection): string {
    return prefixHash(source, projection.view, nodeSha256);
  }
}
