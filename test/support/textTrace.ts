// A text traced in one go: no pauses, no images, no user code.
import type { TracedEvent } from '../../core/insight/text/places.ts';
import { pointsToFollow, TextTracer } from '../../core/insight/text/trace.ts';
import type { TextSwitches, TextTrace } from '../../core/insight/text/types.ts';
import type { TranscriptMeta, TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints, turnStarts } from '../../core/model/turns.ts';
import { followCallPoints, naiveStages } from '../../core/projection/allCallPoints.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PAUSE, type StageAnswer, type StageEffect } from '../../core/view/types.ts';
import { stagesOf } from './projecting.ts';

/** What a test traces. `now` absent = the next request. */
export interface TracedText extends TextSwitches {
  readonly source: TranscriptSource;
  /** A spec, or stages that were parsed. */
  readonly spec?: unknown;
  readonly stages?: readonly ResolvedStage[];
  readonly text: string;
  readonly now?: number;
  readonly front?: Pick<TranscriptMeta, 'systemJson' | 'toolsJson'>;
  readonly events?: readonly (Omit<TracedEvent, 'text'> & { readonly text?: string })[];
  readonly samples?: number;
  readonly host?: (effect: StageEffect) => StageAnswer;
}

/** Traces it. */
export function traceOfText({ source, spec, text, now = source.length, ...given }: TracedText): TextTrace {
  const stages = given.stages ?? stagesOf(spec ?? 'raw');
  const places = { callPoints: callPoints(source), turnStarts: turnStarts(source), now };
  const events = () => (given.events ?? []).map((event) => ({ text: '', ...event }));
  const input = { source, front: given.front ?? {}, events, ...places };
  const tracer = TextTracer.of(input, text, given);
  if (tracer === null) throw new Error('there is nothing to look for');
  for (const _ of tracer.search());
  const points = pointsToFollow(places, naiveStages(stages).length > 0, given.samples ?? 200);
  const walk = (along: readonly number[], by: TextTracer): void => {
    const run = followCallPoints({ source, stages, points: along }, (point) => by.take(point));
    let step = run.next(null);
    while (step.done !== true) {
      step = run.next(step.value.kind === 'effect' ? (given.host ?? noHost)(step.value.effect) : null);
    }
  };
  walk(points, tracer);
  const undecided = tracer.undecided();
  if (undecided.length > 0) {
    const finer = tracer.finer();
    walk(undecided, finer);
    tracer.settle(finer);
  }
  return tracer.finish();
}

/** What a host says that has neither a sandbox nor an image library. */
export function noHost(effect: StageEffect): StageAnswer {
  if (effect.effect === 'pause') return PAUSE;
  if (effect.effect === 'resize_image') {
    return { effect: 'resize_image', ok: false, code: 'unavailable', message: 'none here' };
  }
  return { ok: true, resultJson: JSON.stringify(JSON.parse(effect.messagesJson)), steps: 1, logs: [] };
}
