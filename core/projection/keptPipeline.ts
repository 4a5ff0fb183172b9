import type { TranscriptSource } from '../model/transcript.ts';
import { Pipeline, type PipelineContext } from './pipeline.ts';

/** What stages read of a transcript besides its messages. */
interface Read {
  readonly length: number;
  readonly summary: string | null;
  readonly compactions: unknown;
  readonly summaries: unknown;
  readonly projections: unknown;
}

/**
 * The pipeline that was used last, for the next projection of the same transcript: a slider moves one stage. Whoever
 * projects takes it away until done; another who comes meanwhile begins a new one.
 */
export class KeptPipeline {
  #kept: { readonly pipeline: Pipeline; readonly read: Read } | null = null;

  /** The one that was kept if the transcript is as it was, else a new one. */
  take(context: PipelineContext): Pipeline {
    const kept = this.#kept;
    this.#kept = null;
    return kept !== null && isSame(kept.read, readOf(context.source)) ? kept.pipeline : new Pipeline(context);
  }

  put(pipeline: Pipeline, source: TranscriptSource): void {
    this.#kept = { pipeline, read: readOf(source) };
  }
}

function readOf(source: TranscriptSource): Read {
  return {
    length: source.length,
    summary: source.summary,
    compactions: source.compactions(),
    summaries: source.summaries(),
    projections: source.projections?.() ?? null,
  };
}

function isSame(a: Read, b: Read): boolean {
  return (
    a.length === b.length &&
    a.summary === b.summary &&
    a.compactions === b.compactions &&
    a.summaries === b.summaries &&
    a.projections === b.projections
  );
}
