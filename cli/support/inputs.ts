import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { ParsedSpec } from '../../core/projection/parseSpec.ts';
import type { ProjectOptions } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { isTokenizerId, loadCounter } from '../../core/tokens/counters.ts';
import { modelFacts } from '../../core/tokens/models.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';

/**
 * What stages of a spec may count with and must fit: the spec's tokenizer and window, else those of the transcript's
 * model. A tokenizer is loaded only if a stage asks for counts.
 */
export async function stageInputs(
  source: TranscriptSource,
  { spec, stages }: Pick<ParsedSpec, 'spec' | 'stages'>,
  model: string | undefined,
): Promise<Pick<ProjectOptions, 'tokens' | 'budget'>> {
  const facts = modelFacts(model);
  const budget = resolveBudget(spec.budget, { specWindow: spec.window, own: facts.window });
  const counts = stages.some(({ enabled, kind }) => enabled && STAGES.find(kind)?.usesTokens === true);
  if (!counts) return { budget };
  const named = spec.tokenizer !== undefined && isTokenizerId(spec.tokenizer) ? spec.tokenizer : null;
  const tokenizer = named ?? facts.tokenizer;
  const exact = tokenizer !== 'estimate' && (named !== null || facts.exact);
  const counter = await loadCounter(tokenizer);
  return { tokens: countedTokens(source, { counter, tokenizer, exact, images: facts.images }), budget };
}
