import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { BundleInputs } from '../../core/report/format.ts';
import { isTokenizerId, loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';

/** What stages are given, and, if any of them counts, how a bundle states it. */
export interface CliInputs extends Pick<ProjectOptions, 'tokens' | 'budget'> {
  readonly bundle?: BundleInputs;
}

/**
 * What stages of a spec may count with and must fit: the spec's tokenizer and window, else those of the transcript's
 * model. A tokenizer is loaded only if a stage asks for counts, or (`always`) the caller does.
 */
export async function stageInputs(
  source: TranscriptSource,
  { spec, stages }: Pick<ParsedSpec, 'spec' | 'stages'>,
  model: string | undefined,
  always = false,
): Promise<CliInputs> {
  const facts = modelFacts(model);
  const budget = resolveBudget(spec.budget, { specWindow: spec.window, own: facts.window });
  const counts = stages.some(({ enabled, kind }) => enabled && STAGES.find(kind)?.usesTokens === true);
  if (!counts && !always) return { budget };
  const named = spec.tokenizer !== undefined && isTokenizerId(spec.tokenizer) ? spec.tokenizer : null;
  const tokenizer = named ?? facts.tokenizer;
  const exact = tokenizer !== 'estimate' && (named !== null || facts.exact);
  const counter = await loadCounter(tokenizer);
  const { images } = facts;
  const tokens = countedTokens(source, { counter, tokenizer, exact, images });
  return { tokens, budget, ...(counts && { bundle: { tokenizer, exact, images, budget } }) };
}
