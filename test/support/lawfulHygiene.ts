// With a hygiene profile behind it, whatever a projection left is as the provider asks for it: the lint finds nothing, and
// a second repair changes nothing. For the transcript's own provider, all four wire formats, and Mistral.
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import type { Sha256 } from '../../core/util/hash.ts';
import { checkOrigins } from '../../core/view/laws.ts';
import { oneStep } from '../../core/view/oneStep.ts';
import { readView } from '../../core/view/reader.ts';
import { estimatedTokens } from '../../core/view/tokens.ts';
import type { FateKind, ResizeAnswer, StageContext, StageMemo, StageOutput, View } from '../../core/view/types.ts';
import { lintView } from '../../core/wire/lint.ts';
import { stagesOf } from './projecting.ts';
import { shownFaults } from './shown.ts';

/** The transcript's own, one of each wire format, and the one with the narrowest ids. */
export const LAST_PROFILES = ['auto', 'anthropic', 'openai', 'openai-responses', 'google', 'mistral'] as const;

const REPAIRS = new Map<string, ResolvedStage>(
  LAST_PROFILES.flatMap((profile) =>
    stagesOf({ version: 1, stages: [{ kind: 'hygiene', options: { profile } }] }).map(
      (stage) => [profile, stage] as const,
    ),
  ),
);

const NO_IMAGES: ResizeAnswer = { effect: 'resize_image', ok: false, code: 'unavailable', message: 'none here' };

/** What is wrong after a repair of this view, in words. */
export function hygieneFaults(
  source: TranscriptSource,
  view: View,
  at: number,
  memo: StageMemo,
  sha256: Sha256,
): readonly string[] {
  const context = { source, at, stage: 99, memo, sha256, tokens: estimatedTokens(source), budget: null };
  return LAST_PROFILES.flatMap((profile) => {
    const stage = REPAIRS.get(profile);
    if (stage === undefined) return [];
    const repaired = run(stage, view, context);
    const again = run(stage, repaired, context);
    const hash = (text: string): string => sha256().update(text).hex();
    const target = { profile, provider: '', modelApi: '', modelId: '' };
    const { findings } = lintView({ view: repaired, source, memo, sha256: hash, ...target });
    // Where no image library runs, images over the limits are reported and stay.
    const left = findings.filter(({ code }) => code !== 'lint.image_too_large').slice(0, 2);
    return [
      ...(again === repaired ? [] : [`hygiene ${profile} changes what it has repaired`]),
      ...shownFaults(source, { view: repaired, at, said: { kindOf: bareKinds(repaired) } }, memo).map(
        (fault) => `hygiene ${profile}: ${fault}`,
      ),
      ...checkOrigins({ source, at }, readView(repaired, source, memo)).map((fault) => `hygiene ${profile}: ${fault}`),
      ...left.map(({ position, text }) => `hygiene ${profile} leaves at position ${position}: ${text}`),
    ];
  });
}

// Enough of a projection to read its rows by: what stands in the view is kept, the rest is gone.
function bareKinds({ items }: View): (index: number) => FateKind {
  const stands = new Set(items.flatMap((item) => (item.kind === 'source' ? [item.index] : [])));
  return (index) => (stands.has(index) ? 'kept' : 'dropped');
}

function run(stage: ResolvedStage, view: View, context: StageContext): View {
  const steps = oneStep(stage.bound.begin(context), stage, view, context);
  let step: IteratorResult<unknown, StageOutput> = steps.next();
  while (step.done !== true) step = steps.next(NO_IMAGES);
  return step.value.view;
}
