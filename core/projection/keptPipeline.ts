import type { SummaryArtifact } from '../model/summary.ts';
import type { TranscriptSource } from '../model/transcript.ts';
import type { Pausing } from '../view/types.ts';
import { Pipeline, type PipelineContext } from './pipeline.ts';
import type { StagesSaid } from './stagesSaid.ts';

/** What stages read of a transcript besides its messages. */
interface Read {
  readonly length: number;
  readonly summary: string | null;
  readonly compactions: unknown;
  readonly summaries: readonly SummaryArtifact[];
  readonly projections: readonly unknown[];
}

/** A transcript that is followed gains some messages at a time: so many, or this part of what it has, go in without a new one. */
const ROOM_LEAST = 500;
const ROOM_PART = 1 / 32;

/**
 * The pipeline that was used last, for the next projection of the same transcript: a slider moves one stage, and a session
 * that is followed gains messages. Whoever projects takes it away until done; another who comes meanwhile begins a new one.
 */
export class KeptPipeline {
  #kept: { readonly pipeline: Pipeline; readonly read: Read; readonly said: StagesSaid } | null = null;

  /** Lets the last projection make the fates that somebody will ask for: once the stages move on they cannot be made. */
  *settle(): Pausing<void> {
    for (let kept = this.#kept; kept !== null; kept = this.#kept) {
      yield* kept.said.settle();
      // Another may have come while it paused.
      if (kept === this.#kept) return;
    }
  }

  /** The same in one go: the transcript is about to gain messages. */
  settleNow(): void {
    for (const _ of this.settle());
  }

  /** The one that was kept if the transcript is as it was, or has grown at its end, else a new one. */
  take(context: PipelineContext): Pipeline {
    this.settleNow();
    const kept = this.#kept;
    this.#kept = null;
    const { length } = context.source;
    if (kept !== null && length <= kept.pipeline.room && isSame(kept.read, readOf(context.source))) {
      if (length > kept.read.length) kept.pipeline.grow();
      return kept.pipeline;
    }
    return new Pipeline({ ...context, room: length + ROOM_LEAST + Math.floor(length * ROOM_PART) });
  }

  /** Makes ready for a slider, a stage at a time; ends where somebody projects meanwhile. */
  *prepare(): Generator<void, void, void> {
    const kept = this.#kept;
    if (kept === null) return;
    for (const _ of kept.pipeline.prepare()) {
      yield;
      if (kept !== this.#kept) return;
    }
  }

  /** `said` = what the pipeline says where it is. */
  put(pipeline: Pipeline, source: TranscriptSource, said: StagesSaid): void {
    this.#kept = { pipeline, read: readOf(source), said };
  }
}

function readOf(source: TranscriptSource): Read {
  return {
    length: source.length,
    summary: source.summary,
    compactions: source.compactions(),
    summaries: source.summaries(),
    projections: source.projections?.() ?? [],
  };
}

/** True if nothing is another than it was, but that messages may have come. */
function isSame(before: Read, now: Read): boolean {
  return (
    before.length <= now.length &&
    before.summary === now.summary &&
    before.compactions === now.compactions &&
    areSameSummaries(before.summaries, now.summaries) &&
    (before.projections === now.projections || before.projections.length + now.projections.length === 0)
  );
}

// They are read again whenever messages have come.
function areSameSummaries(a: readonly SummaryArtifact[], b: readonly SummaryArtifact[]): boolean {
  return a === b || (a.length === b.length && a.every((one, at) => isSameSummary(one, b[at])));
}

function isSameSummary(a: SummaryArtifact, b: SummaryArtifact | undefined): boolean {
  if (a === b) return true;
  return (
    a.from === b?.from && a.to === b.to && a.content === b.content && a.version === b.version && a.origin === b.origin
  );
}
