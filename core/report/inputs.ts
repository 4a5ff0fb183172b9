import { bindingOf } from '../projection/binding/setting.ts';
import type { BindingInputs } from '../projection/binding/types.ts';
import type { ProjectOptions } from '../projection/project.ts';
import type { ProjectionSpec } from '../projection/types.ts';
import { createBudget } from '../tokens/budget.ts';
import type { TokenCounter, TokenizerId } from '../tokens/counters.ts';
import { isRecord, stringAt } from '../util/unknown.ts';
import { countedTokens } from '../view/countedTokens.ts';
import type { Bundle } from './readBundle.ts';

/**
 * What the stages of a bundle's spec counted with when it was made, to project it again: the same tokenizer, the same
 * budget. Empty for a bundle whose stages counted nothing.
 */
export async function bundleInputs(
  bundle: Bundle,
  load: (tokenizer: TokenizerId) => Promise<TokenCounter>,
  spec: Pick<ProjectionSpec, 'preserved_thinking'> = {},
): Promise<Pick<ProjectOptions, 'tokens' | 'budget' | 'binding'>> {
  const { head, source } = bundle;
  const { inputs } = head;
  const binding = bindingOfBundle(bundle, spec);
  if (inputs === undefined) return { binding };
  const { tokenizer, exact, images, budget } = inputs;
  const counter = await load(tokenizer);
  const tokens = countedTokens(source, {
    counter,
    tokenizer,
    exact,
    images,
    factor: head.transcript.calibration?.factor,
  });
  return { tokens, budget: budget === null ? null : createBudget(budget), binding };
}

// As it was checked when it was made, which its spec says; where that says nothing it was not checked.
function bindingOfBundle(
  { head, metas }: Bundle,
  { preserved_thinking }: Pick<ProjectionSpec, 'preserved_thinking'>,
): BindingInputs | null {
  if (preserved_thinking === undefined) return null;
  const makers = metas.map(makerIn);
  return bindingOf(preserved_thinking, {
    model: head.transcript.model ?? null,
    makers: makers.filter((maker) => maker !== null),
    makerOf: (index) => makers[index] ?? null,
  });
}

function makerIn(meta: string): string | null {
  const value: unknown = JSON.parse(meta);
  return isRecord(value) ? (stringAt(value, 'model') ?? null) : null;
}
