import { type Budget, createBudget } from '../../core/tokens/budget.ts';
import type { Rng } from '../../core/util/rng.ts';

const RULE = { mode: ['age', 'count', 'never'], value: [0, 1, 2, 4] };

/** Options of reducers that a schema does not say how to make: rules of tools, entries to inject. Others have none. */
export function tightReducer(kind: string, rng: Rng): object {
  if (kind === 'injection') {
    const entry = () => ({ text: rng.pick(['Mind the plan.', 'x'.repeat(90)]), reserve: rng.pick([0, 4, 40]) });
    return {
      place: rng.pick(['before', 'after']),
      entries: rng.chance(0.4) ? { plan: entry(), notes: entry() } : { plan: entry() },
    };
  }
  if (kind === 'tool_result_retention' && rng.chance(0.5)) {
    const rule = () => ({ mode: rng.pick(RULE.mode), value: rng.pick(RULE.value) });
    return { per_tool: { read: rule(), edit_file: rule() }, never_evict: rng.chance(0.4) ? ['Grep'] : [] };
  }
  if (kind === 'tier_caps') return { never_evict: rng.chance(0.3) ? ['read'] : [] };
  return {};
}

/** A budget under which tiers are capped whose parts go one by one, and a window over whole turns. */
export function tightBudget(rng: Rng): Budget {
  const cap = () => ({ tokens: rng.below(rng.pick([1, 80, 400])) });
  const caps = Object.fromEntries(
    ['image', 'thinking', 'tool_call', 'tool_result', 'user', 'assistant'].flatMap((tier) =>
      rng.chance(0.5) ? [[tier, cap()]] : [],
    ),
  );
  return createBudget({ window: rng.pick([200, 800, 3000]), reserveOutput: 0, injectionReserve: rng.below(60), caps });
}
