// Whether a text is in the request, at every call point of a transcript that was read.
import { type CountedAbout, followPoints, stageInputs } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { pointsToFollow, TextTracer } from '../../core/insight/text/trace.ts';
import type { TextTrace } from '../../core/insight/text/types.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { createMemo } from '../../core/view/memo.ts';
import { usageFailure } from './failure.ts';
import { aboutOf } from './inputs.ts';
import { withProjector } from './projecting.ts';

/** Call points that are looked at under a policy that cannot be followed along them. */
const SAMPLES = 200;

/** What is asked, of which transcript. */
export interface TextQuestion {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly transcript: ImportedTranscript;
  readonly source: TranscriptSource;
  readonly parsed: ParsedSpec;
  readonly now: number;
  /** How it is counted; absent = as the transcript says. */
  readonly about?: CountedAbout;
}

/** What became of a text along the call points; wrong usage if it is empty. */
export async function traceQuestion(question: TextQuestion): Promise<TextTrace> {
  const { transcript, source, parsed, now, text, matchCase, wholeWord, about = aboutOf(transcript) } = question;
  const switches = { matchCase, wholeWord };
  const events = () => transcript.events;
  const places = { callPoints: callPoints(source), turnStarts: turnStarts(source), now };
  const tracer = TextTracer.of({ source, front: transcript.meta, events, ...places }, text, switches);
  if (tracer === null) throw usageFailure('--text is empty');
  for (const _ of tracer.search());
  const points = pointsToFollow(places, naiveStages(parsed.stages).length > 0, SAMPLES);
  const options = { ...(await stageInputs(source, parsed, about)), memo: createMemo() };
  return withProjector(async (projector) => {
    const walk = (along: readonly number[], by: TextTracer) =>
      followPoints(projector, { source, parsed, points: along, options }, (point) => by.take(point));
    await walk(points, tracer);
    const undecided = tracer.undecided();
    if (undecided.length > 0) {
      const finer = tracer.finer();
      await walk(undecided, finer);
      tracer.settle(finer);
    }
    return tracer.finish();
  });
}
