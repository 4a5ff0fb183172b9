// What the stages gave last time. A slider moves one stage: those before it would be given the same, and give the same.
import type { ProjectionEvent, TranscriptSource } from '../model/transcript.ts';
import type { StageContext, StageMemo, StageOutput, View } from '../view/types.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** All that a stage's output depends on besides the transcript's messages. */
interface Given {
  readonly key: string;
  readonly before: View;
  readonly at: number;
  readonly length: number;
  readonly summary: string | null;
  readonly compactions: ReturnType<TranscriptSource['compactions']>;
  readonly summaries: ReturnType<TranscriptSource['summaries']>;
  readonly projections: readonly ProjectionEvent[] | null;
  /** Counts and budget, where the stage uses them. */
  readonly tokens: unknown;
  readonly budget: string;
}

interface KeptRun extends Given {
  readonly output: StageOutput;
}

/** The last runs of a spec's stages, by position, in a transcript's memo. */
export class StageCache {
  readonly #runs = new Map<number, KeptRun>();

  static of(memo: StageMemo): StageCache {
    return memo.get('projection.stageCache', () => new StageCache());
  }

  /** What the stage gave, if it is given the same again; null if not. */
  find(stage: ResolvedStage, before: View, context: StageContext): StageOutput | null {
    const run = this.#runs.get(stage.position);
    if (run === undefined) return null;
    const given = givenTo(stage, before, context);
    return isSame(run, given) ? run.output : null;
  }

  /** Keeps what a stage gave. Not for one that asked its host for something: the host may answer otherwise next time. */
  keep(stage: ResolvedStage, before: View, context: StageContext, output: StageOutput): void {
    this.#runs.set(stage.position, { ...givenTo(stage, before, context), output });
  }

  /** Lets go of what stands at `count` and behind: the spec has no more stages than that. */
  trim(count: number): void {
    for (const position of this.#runs.keys()) if (position >= count) this.#runs.delete(position);
  }
}

function givenTo(stage: ResolvedStage, before: View, { source, at, tokens, budget }: StageContext): Given {
  return {
    key: stage.key,
    before,
    at,
    length: source.length,
    summary: source.summary,
    compactions: source.compactions(),
    summaries: source.summaries(),
    projections: source.projections?.() ?? null,
    tokens: stage.usesTokens ? (tokens.state ?? tokens) : null,
    budget: stage.usesTokens ? JSON.stringify(budget) : '',
  };
}

function isSame(a: Given, b: Given): boolean {
  return (
    a.key === b.key &&
    a.before === b.before &&
    a.at === b.at &&
    a.length === b.length &&
    a.summary === b.summary &&
    a.compactions === b.compactions &&
    a.summaries === b.summaries &&
    a.projections === b.projections &&
    a.tokens === b.tokens &&
    a.budget === b.budget
  );
}
