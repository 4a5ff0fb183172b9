import type { TranscriptSource } from '../../model/transcript.ts';
import { bindingInputs } from '../../projection/binding/facts.ts';
import { resolveBudget } from '../../projection/budgetSpec.ts';
import type { ParsedSpec } from '../../projection/parseSpec.ts';
import type { ProjectOptions } from '../../projection/project.ts';
import { STAGES } from '../../projection/stages.ts';
import type { BundleInputs } from '../../report/format.ts';
import { type CountedOverhead, countOverhead, knownOverhead, overheadOf } from '../../tokens/overhead.ts';
import { countedTokens } from '../../view/countedTokens.ts';
import { type CountedAbout, countingOf, windowOf } from './counting.ts';

/** What stages are given, and, if any of them counts, how a bundle states it. */
export interface CountedInputs extends Pick<ProjectOptions, 'tokens' | 'budget' | 'binding'> {
  readonly bundle?: BundleInputs;
  /** The overhead; absent if nothing was counted. */
  readonly beside?: CountedOverhead;
}

/**
 * What stages of a spec may count with and must fit: the spec's tokenizer and window, else those of the transcript's
 * model, calibrated where recorded usage allows it. A tokenizer is loaded only if a stage asks for counts, or (`always`)
 * the caller does.
 */
export async function stageInputs(
  source: TranscriptSource,
  { spec, stages }: Pick<ParsedSpec, 'spec' | 'stages'>,
  about: CountedAbout,
  always = false,
): Promise<CountedInputs> {
  const windows = { specWindow: spec.window, own: windowOf(about), model: about.model };
  const counts = stages.some(({ enabled, kind }) => enabled && STAGES.find(kind)?.usesTokens === true);
  const binding = about.binding === undefined ? null : bindingInputs(spec.preserved_thinking, about.binding);
  if (!counts && !always) return { budget: resolveBudget(spec.budget, windows), binding };
  const counting = await countingOf(source, spec, about);
  const { tokenizer, exact, images, calibration } = counting;
  const known = knownOverhead(countOverhead(about.beside, counting.counter, images), calibration);
  const estimated = !exact && calibration === null;
  const budget = resolveBudget(spec.budget, { ...windows, ...known, estimated });
  const beside = overheadOf(known.beside, spec.budget?.overhead ?? known.unrecorded);
  const bundle = { tokenizer, exact, images, budget };
  return { tokens: countedTokens(source, counting), budget, binding, beside, ...(counts && { bundle }) };
}
