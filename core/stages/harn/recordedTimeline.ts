// Which recorded projection made the request at a call point.
import type { TranscriptSource } from '../../model/transcript.ts';
import { placeOf, type RecordedProjection, readRecordedProjection } from '../../view/recordedProjection.ts';
import type { StageMemo } from '../../view/types.ts';

/** A recorded projection and the call point it was made for. */
export interface PlacedProjection {
  readonly recorded: RecordedProjection;
  readonly at: number;
}

/** The recorded projections of the history as it is. */
export interface RecordedTimeline {
  /** Of all that are recorded, those too that a later rewrite of the history put out of reach. */
  readonly count: number;
  /** The last one made for a call point; null if none is recorded. */
  at(callPoint: number): PlacedProjection | null;
}

/** The recorded projections of a transcript, by call point. Read once for each list of events. */
export function recordedTimeline(source: TranscriptSource, memo: StageMemo): RecordedTimeline {
  const events = source.projections?.() ?? [];
  const known = memo.get('harn.recordedTimeline', () => new WeakMap<object, RecordedTimeline>());
  const timeline = known.get(events) ?? makeTimeline(events);
  known.set(events, timeline);
  return timeline;
}

function makeTimeline(events: ReturnType<NonNullable<TranscriptSource['projections']>>): RecordedTimeline {
  const byCallPoint = new Map<number, PlacedProjection>();
  for (const event of events) {
    const recorded = event.superseded ? null : readRecordedProjection(event.json);
    if (recorded === null) continue;
    const at = placeOf(recorded, event.at);
    byCallPoint.set(at, { recorded, at });
  }
  return { count: events.length, at: (callPoint) => byCallPoint.get(callPoint) ?? null };
}
