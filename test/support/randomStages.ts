// Stages with random options, from a seed: small thresholds, so that they act on short transcripts.
import { STAGES } from '../../core/projection/stages.ts';
import { type Budget, createBudget } from '../../core/tokens/budget.ts';
import type { Rng } from '../../core/util/rng.ts';
import type { ParamSchema } from '../../core/view/types.ts';

/** A spec of these stages. */
export const spec = (...stages: readonly unknown[]) => ({ version: 1, stages });

/** Options by name that say more than random ones of their schema. */
const TELLING: Readonly<Record<string, (rng: Rng) => unknown>> = {
  projector: () => '(m) => m',
  summary: (rng) => (rng.chance(0.3) ? 'what was' : null),
  roots: (rng) => (rng.chance(0.2) ? 'src/core/file3.ts' : null),
  respect_provider_signatures: (rng) => rng.chance(0.7),
  require_write_barrier: (rng) => rng.chance(0.1),
};

/** The same, of one kind of stage. */
const TELLING_OF: Readonly<Record<string, Readonly<Record<string, (rng: Rng) => unknown>>>> = {
  pin: {
    messages: (rng) => Array.from({ length: rng.below(6) }, () => rng.below(40)),
    texts: (rng) => (rng.chance(0.4) ? [rng.pick(['src/core/file3.ts', 'file1', 'error', 'no such words'])] : []),
    kinds: (rng) =>
      rng.chance(0.5) ? [rng.pick(['all_user_messages', 'first_user_message', 'instruction_files'])] : [],
  },
};

function randomOption(param: ParamSchema, rng: Rng): unknown {
  const telling = TELLING[param.name];
  if (telling !== undefined) return telling(rng);
  switch (param.type) {
    case 'integer':
      return Math.max(param.min ?? 0, rng.pick([0, 1, 2, 3, 5, 8, 20, 100, 400]));
    case 'number':
      return Math.max(param.min ?? 0, rng.pick([0, 0.1, 0.5, 1, 3]));
    case 'boolean':
      return rng.chance(0.5);
    case 'choice':
      return rng.pick(param.choices ?? []).value;
    default:
      return null;
  }
}

/** A stage of this kind with random options. */
export function randomStage(kind: string, rng: Rng): { readonly kind: string; readonly options: unknown } {
  const stage = STAGES.find(kind);
  const options = Object.fromEntries(
    (stage?.params ?? []).flatMap((param) =>
      rng.chance(0.7) ? [[param.name, TELLING_OF[kind]?.[param.name]?.(rng) ?? randomOption(param, rng)]] : [],
    ),
  );
  if (kind === 'custom') return { kind, options: { projector: '(m) => m' } };
  return { kind, options: stage?.bind(options).bound === null ? {} : options };
}

/** A spec of one to four of these kinds. */
export function randomSpec(rng: Rng, kinds: readonly string[]): unknown {
  return spec(...Array.from({ length: 1 + rng.below(4) }, () => randomStage(rng.pick(kinds), rng)));
}

/** A small budget, or none. */
export function randomBudget(rng: Rng): Budget | null {
  if (rng.chance(0.5)) return null;
  const caps = rng.chance(0.5) ? {} : { tool_result: { tokens: rng.below(400) }, assistant: { share: 0.2 } };
  return createBudget({ window: rng.pick([200, 800, 3000]), reserveOutput: 0, injectionReserve: rng.below(60), caps });
}
