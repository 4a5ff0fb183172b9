// A bundle of the smallest slice: what its messages lose, the result does not.
import { stageInputs } from '../../core/engine/requests/index.ts';
import { answerOf, isSameTrace } from '../../core/insight/text/sameTrace.ts';
import type { TextTrace } from '../../core/insight/text/types.ts';
import type { MessageMeta } from '../../core/model/message.ts';
import type { Projection } from '../../core/projection/types.ts';
import type { BundleInput } from '../../core/report/bundle.ts';
import {
  EmptiedMessages,
  emptiedMeta,
  isSameResult,
  neededBy,
  type SliceTry,
  slicedSource,
  slicedTokens,
  smallestSlice,
} from '../../core/report/slice/index.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { StageTokens } from '../../core/view/types.ts';
import type { Leaving } from './bundling.ts';
import { usageFailure } from './failure.ts';
import { note } from './output.ts';
import type { Projector } from './projecting.ts';
import { traceQuestion } from './tracing.ts';

/** The bundle with the messages of its smallest slice. Each step is a projection, and with a text a trace of it. */
export async function sliceBundle(projector: Projector, leaving: Leaving, whole: BundleInput): Promise<BundleInput> {
  const { source, parsed, at, transcript } = leaving;
  const about = { ...leaving.about, stated: whole.transcript.calibration ?? null };
  const metaOf = (index: number): MessageMeta => transcript.messages[index]?.meta ?? {};
  const inputs = await stageInputs(source, parsed, about, true);
  const all = new Set(Array.from({ length: at }, (_, index) => index));
  const bare = slicedSource(source, at, all, new EmptiedMessages(source, metaOf));
  const ofBare = await stageInputs(bare, parsed, about, true);
  const tokensOf = ({ emptied }: SliceTry): StageTokens | undefined =>
    inputs.tokens && ofBare.tokens && slicedTokens(inputs.tokens, ofBare.tokens, emptied);
  const project = (tried: SliceTry): Promise<Projection> => {
    const tokens = tokensOf(tried);
    return projector.project(tried.source, parsed.stages, at, createMemo(), {
      ...inputs,
      ...(tokens && { tokens }),
    });
  };
  const trace = (of: SliceTry['source']): Promise<TextTrace> | null =>
    leaving.text === undefined
      ? null
      : traceQuestion({
          text: leaving.text,
          matchCase: false,
          wholeWord: false,
          transcript,
          source: of,
          parsed,
          now: at,
          about,
        });
  const own = await trace(source);
  if (own?.places.length === 0)
    throw usageFailure(
      '--text: no message before the call point says this text. "parallax trace" finds where a text is',
    );
  const keep = new Set([
    ...neededBy(whole.findings),
    ...(own === null ? [] : own.places.flatMap(({ index }) => (index === null ? [] : [index]))),
  ]);
  const steps = smallestSlice({ source, projection: whole.projection, metaOf, keep });
  let step = steps.next();
  while (step.done !== true) {
    const projection = await project(step.value);
    const isSame = isSameResult({ projection: whole.projection, source }, { projection, source: step.value.source });
    step = steps.next(isSame && isSameAnswer(own, await trace(step.value.source)));
  }
  const slice = step.value;
  if (!slice.statement.minimal) note('the search for the smallest slice was ended before it was through');
  const projection = await project(slice);
  return {
    // Tokens and savings stay those of the session: words that were taken out are none that the policy saved.
    ...whole,
    source: slice.source,
    projection: { ...projection, reports: whole.projection.reports },
    recorded: {
      ...whole.recorded,
      meta: (index) => (slice.emptied.has(index) ? emptiedMeta(metaOf(index)) : metaOf(index)),
    },
    slice: { ...slice.statement, ...(own !== null && { answer: answerOf(own) }) },
  };
}

function isSameAnswer(own: TextTrace | null, other: TextTrace | null): boolean {
  return own === null || (other !== null && isSameTrace(own, other));
}
