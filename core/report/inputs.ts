import type { ProjectOptions } from '../projection/project.ts';
import { createBudget } from '../tokens/budget.ts';
import type { TokenCounter, TokenizerId } from '../tokens/counters.ts';
import { countedTokens } from '../view/countedTokens.ts';
import type { Bundle } from './readBundle.ts';

/**
 * What the stages of a bundle's spec counted with when it was made, to project it again: the same tokenizer, the same
 * budget. Empty for a bundle whose stages counted nothing.
 */
export async function bundleInputs(
  { head, source }: Bundle,
  load: (tokenizer: TokenizerId) => Promise<TokenCounter>,
): Promise<Pick<ProjectOptions, 'tokens' | 'budget'>> {
  const { inputs } = head;
  if (inputs === undefined) return {};
  const { tokenizer, exact, images, budget } = inputs;
  const counter = await load(tokenizer);
  const tokens = countedTokens(source, {
    counter,
    tokenizer,
    exact,
    images,
    factor: head.transcript.calibration?.factor,
  });
  return { tokens, budget: budget === null ? null : createBudget(budget) };
}
