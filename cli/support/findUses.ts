import { countingOf, stageInputs } from '../../core/engine/requests/index.ts';
import type { ImportedTranscript } from '../../core/importers/memory.ts';
import { PRICES, priceOf } from '../../core/insight/prices.ts';
import { type Use, UseFinder, UsesFollower } from '../../core/insight/uses/index.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import { bareModelId } from '../../core/tokens/models.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { followPoints } from './followPoints.ts';
import { modelOf } from './input.ts';
import { aboutOf } from './inputs.ts';
import type { Projector } from './projecting.ts';

/** All uses of a transcript under a policy. `isCounted` false: their tokens are estimates. */
export async function findUses(
  projector: Projector,
  transcript: ImportedTranscript,
  source: TranscriptSource,
  parsed: ParsedSpec,
  isCounted: boolean,
): Promise<readonly Use[]> {
  const finder = new UseFinder(source);
  for (const _ of finder.grow());
  const model = modelOf(transcript);
  const price = model === undefined ? null : priceOf(PRICES, bareModelId(model));
  const counting = isCounted ? await countingOf(source, parsed.spec, aboutOf(transcript)) : null;
  const tokens = counting === null ? {} : { tokens: countedTokens(source, counting) };
  const follower = new UsesFollower({ source, finder, front: transcript.meta, price, ...tokens });
  const options = { ...(await stageInputs(source, parsed, aboutOf(transcript))), memo: createMemo() };
  const walk = { source, parsed, points: callPoints(source), options };
  await followPoints(projector, walk, (point) => follower.take(point));
  return follower.all;
}
